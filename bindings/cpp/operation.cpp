// Operations that encodings offer beyond their family's, run by name.
#include <array>

#include "handles.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

constexpr int32_t kMaxInputs = 8;

// A tensor argument as JavaScript lays it out.
struct InputRecord {
  const double* data;
  uint32_t count;
  uint32_t rank;
  std::array<uint32_t, kMaxRank> extents;
};

TensorView<const double> view_of(const InputRecord& record) noexcept {
  TensorView<const double> view{{record.data, record.count}, {}};
  for (uint32_t axis = 0; axis < record.rank; axis++) view.shape.push(record.extents[axis]);
  return view;
}

}  // namespace

OperationRun* OperationRun::make(OptionsDraft& draft, uintptr_t encoding, uintptr_t inputs, int32_t count) noexcept {
  if (draft.finish() != kSuccess) return nullptr;
  const auto* records = reinterpret_cast<const InputRecord*>(inputs);
  std::array<TensorView<const double>, kMaxInputs> views;
  for (int32_t i = 0; i < count; i++) views[static_cast<std::size_t>(i)] = view_of(records[i]);
  const auto* instance = reinterpret_cast<const Encoding*>(encoding);
  return owned_result<OperationRun>(draft.operation()->run({
      .encoding = instance == nullptr ? nullptr : instance->object(),
      .arguments = draft.options(),
      .inputs = std::span(views).first(static_cast<std::size_t>(count)),
  }));
}

}  // namespace posenc::bindings
