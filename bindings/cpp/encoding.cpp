#include "handles.hpp"
#include "report.hpp"

namespace posenc::bindings {

EncodingHandle* EncodingHandle::make(OptionsDraft& draft, double seed) noexcept {
  if (draft.finish() != kSuccess) return nullptr;
  return owned_result<EncodingHandle>(draft.encoding()->make(draft.options(), static_cast<uint64_t>(seed)));
}

double EncodingHandle::number(int32_t which, int32_t i, int32_t axis) const noexcept {
  switch (which) {
    case 0: return encoding_->domain().axes;
    case 1: return static_cast<double>(encoding_->parameters().count());
    case 2: return tensor(i).shape.rank;
    case 3: return static_cast<double>(tensor(i).shape[axis]);
    case 4: return tensor(i).trained ? 1 : 0;
    case 5: return static_cast<double>(reinterpret_cast<uintptr_t>(tensor(i).values.data()));
    default: return family_number(which, i);
  }
}

double EncodingHandle::family_number(int32_t which, int32_t i) const noexcept {
  const Family family = encoding_->info().family;
  if (family == Family::kInput) {
    const auto& input = as<InputEncoding>();
    if (which == 6) return static_cast<double>(input.width());
    return which == 7 ? (input.reads_x() ? 1 : 0) : input.input_scale();
  }
  if (family == Family::kRotary) {
    return static_cast<double>(which == 9 ? as<RotaryEncoding>().head_dim() : as<RotaryEncoding>().rotary_dim());
  }
  if (family == Family::kBias) {
    return static_cast<double>(which == 11 ? as<BiasEncoding>().heads() : as<BiasEncoding>().relations());
  }
  const auto& relative = as<RelativeEncoding>();
  if (which == 9) return static_cast<double>(relative.head_dim());
  if (which == 11) return static_cast<double>(relative.heads());
  if (which == 12) return static_cast<double>(relative.terms().size());
  const RelativeSide side = relative.terms()[static_cast<std::size_t>(i)].side;
  if (which == 13) return static_cast<double>(side);
  return static_cast<double>(side == RelativeSide::kValue ? relative.value_dim() : relative.head_dim());
}

int32_t EncodingHandle::set_tensor(const std::string& name, uintptr_t values, int32_t count,
                                   bool commit) noexcept {
  const std::span given(reinterpret_cast<const float*>(values), static_cast<std::size_t>(count));
  ParameterSet& set = encoding_->parameters();
  return report(commit ? set.set(name, given) : set.check(name, given));
}

}  // namespace posenc::bindings
