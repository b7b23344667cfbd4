// Encodings: made by id, and numbers about them.
#include "objects.hpp"
#include "posenc/encodings.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

// The getters of one family are called for encodings of that family only.
template <typename Interface>
const Interface& as(const Encoding& encoding) noexcept {
  return static_cast<const Interface&>(encoding);
}

consteval int32_t the(std::string_view name) { return number_of(kEncodingNumbers, name); }

double family_number(const Encoding& encoding, int32_t which, int32_t i) noexcept {
  const Family family = encoding.info().family;
  if (family == Family::kInput) {
    const auto& input = as<InputEncoding>(encoding);
    if (which == the("width")) return static_cast<double>(input.width());
    return which == the("readsX") ? (input.reads_x() ? 1 : 0) : input.input_scale();
  }
  if (family == Family::kRotary) {
    const auto& rotary = as<RotaryEncoding>(encoding);
    return static_cast<double>(which == the("headDim") ? rotary.head_dim() : rotary.rotary_dim());
  }
  if (family == Family::kBias) {
    const auto& bias = as<BiasEncoding>(encoding);
    return static_cast<double>(which == the("heads") ? bias.heads() : bias.relations());
  }
  const auto& relative = as<RelativeEncoding>(encoding);
  if (which == the("headDim")) return static_cast<double>(relative.head_dim());
  if (which == the("heads")) return static_cast<double>(relative.heads());
  if (which == the("termCount")) return static_cast<double>(relative.terms().size());
  const RelativeSide side = relative.terms()[static_cast<std::size_t>(i)].side;
  if (which == the("termSide")) return static_cast<double>(side);
  return static_cast<double>(side == RelativeSide::kValue ? relative.value_dim()
                                                          : relative.head_dim());
}

}  // namespace

uintptr_t make_encoding(const MakeCall& call, double seed) noexcept {
  const EncodingType* type = find_encoding(call.id);
  if (type == nullptr) return unknown("encoding", call.id);
  Encoding* encoding = type->create();
  if (encoding == nullptr) return no_memory(call.id);
  void* options = encoding->options();
  Status status =
      read_options(type->info->fields, options, options_of(call.options, call.option_count));
  if (status) status = encoding->complete(static_cast<uint64_t>(seed));
  if (report(status) == kSuccess) return reinterpret_cast<uintptr_t>(encoding);
  delete encoding;
  return 0;
}

double encoding_number(const Encoding& encoding, int32_t which, int32_t i, int32_t axis) noexcept {
  const ParameterSet& parameters = encoding.parameters();
  switch (which) {
    case the("axes"): return encoding.domain().axes;
    case the("tensorCount"): return static_cast<double>(parameters.count());
    case the("tensorName"):
      return static_cast<double>(reinterpret_cast<uintptr_t>(parameters[i].info->name));
    case the("tensorRank"): return parameters[i].shape.rank;
    case the("tensorExtent"): return static_cast<double>(parameters[i].shape[axis]);
    case the("tensorTrained"): return parameters[i].trained ? 1 : 0;
    case the("tensorAddress"):
      return static_cast<double>(reinterpret_cast<uintptr_t>(parameters[i].values.data()));
    default: return family_number(encoding, which, i);
  }
}

}  // namespace posenc::bindings
