// Operations that encodings offer beyond their family's, run by name.
#include <array>

#include "objects.hpp"
#include "posenc/encodings.hpp"
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

const Operation* find_operation(const MakeCall& call) noexcept {
  const EncodingType* type = find_encoding(call.id);
  if (type == nullptr) return nullptr;
  for (const Operation& operation : type->info->operations) {
    if (std::string_view(call.name) == operation.name) return &operation;
  }
  return nullptr;
}

Result<OperationResult> run(const Operation& operation, const MakeCall& call,
                            const void* arguments) noexcept {
  const auto* records = static_cast<const InputRecord*>(call.list);
  std::array<TensorView<const double>, kMaxInputs> views;
  for (std::size_t i = 0; i < call.list_count; i++) views[i] = view_of(records[i]);
  const auto* instance = static_cast<const Encoding*>(call.from);
  return operation.run({
      .encoding = instance == nullptr ? nullptr : instance->object(),
      .arguments = arguments,
      .inputs = std::span(views).first(call.list_count),
  });
}

}  // namespace

uintptr_t make_operation(const MakeCall& call, double) noexcept {
  const Operation* operation = find_operation(call);
  if (operation == nullptr) return unknown("operation", call.name);
  void* arguments = operation->make_arguments();
  if (arguments == nullptr) return no_memory("options");
  uintptr_t made = 0;
  const std::span records = options_of(call.options, call.option_count);
  if (report(read_options(operation->fields, arguments, records)) == kSuccess) {
    made = owned_result(run(*operation, call, arguments));
  }
  operation->free_arguments(arguments);
  return made;
}

double operation_number(const OperationResult& first, int32_t which, int32_t i,
                        int32_t axis) noexcept {
  const OperationResult* result = &first;
  while (i-- > 0) result = result->next.get();
  if (which == number_of(kOperationNumbers, "dataAddress"))
    return static_cast<double>(reinterpret_cast<uintptr_t>(result->data.data()));
  return static_cast<double>(which == number_of(kOperationNumbers, "rank") ? result->shape.rank
                                                                           : result->shape[axis]);
}

}  // namespace posenc::bindings
