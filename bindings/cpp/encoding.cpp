#include "handles.hpp"
#include "report.hpp"

namespace posenc::bindings {

EncodingHandle* EncodingHandle::make(OptionsDraft& draft, double seed) noexcept {
  if (draft.finish() != kSuccess) return nullptr;
  return owned_result<EncodingHandle>(draft.encoding()->make(draft.options(), static_cast<uint64_t>(seed)));
}

int32_t EncodingHandle::tensor_extent(int32_t i, int32_t axis) const noexcept {
  return static_cast<int32_t>(tensor(i).shape[axis]);
}

uintptr_t EncodingHandle::tensor_address(int32_t i) const noexcept {
  return reinterpret_cast<uintptr_t>(tensor(i).values.data());
}

int32_t EncodingHandle::set_tensor(const std::string& name, uintptr_t values, int32_t count,
                                   bool commit) noexcept {
  const std::span given(reinterpret_cast<const float*>(values), static_cast<std::size_t>(count));
  ParameterSet& set = encoding_->parameters();
  return report(commit ? set.set(name, given) : set.check(name, given));
}

}  // namespace posenc::bindings
