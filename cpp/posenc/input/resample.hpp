// Operations on trained tables of positions: rows along one axis or of a grid resampled to another
// size, and the gradient of that. Rows in front (class and register tokens) and behind (a window
// bias's own rows) pass through.
//   resample([prefix + from + suffix, width]) → [prefix + to + suffix, width]
#pragma once

#include <array>

#include "posenc/core/operation.hpp"
#include "posenc/kernels/resample.hpp"

namespace posenc {

struct ResampleArguments {
  NumberList from, to;  // one size, or rows and columns
  int64_t prefix = 0, suffix = 0;
  ResampleRule rule;
};

// unsupported for options that do not go together; their names in the error begin with `group`.
Status check_rule(const ResampleRule& rule, const char* group = "") noexcept;

Result<OperationResult> resample_table(const ResampleArguments& arguments,
                                       OperationTensors inputs) noexcept;
Result<OperationResult> resample_table_backward(const ResampleArguments& arguments,
                                                OperationTensors inputs) noexcept;

// The rule's options under names of the caller's choice, at the end of a path of members.
template <auto... Path>
constexpr std::array<Field, 4> resample_fields(const char* mode, const char* align_corners,
                                               const char* antialias, const char* scale_offset) {
  return {
      field<Path..., &ResampleRule::mode>(mode)
          .of(kResampleModeNames)
          .about("the nearest row, a straight line between two, or a cubic through four (bicubic "
                 "in two axes)"),
      field<Path..., &ResampleRule::align_corners>(align_corners)
          .about(
              "whether first and last rows stay where they are; else centres of cells are matched"),
      field<Path..., &ResampleRule::antialias>(antialias).about(
          "widen the kernel where the table shrinks, as DINOv2 does; linear and cubic only"),
      field<Path..., &ResampleRule::scale_offset>(scale_offset)
          .least(0)
          .most(1)
          .about("added to the new size where the step is formed: 0.1 gives what DINO's code and "
                 "ports of it compute"),
  };
}

inline constexpr auto kResampleRuleFields =
    resample_fields<&ResampleArguments::rule>("mode", "alignCorners", "antialias", "scaleOffset");

inline constexpr auto kResampleFields = std::to_array<Field>({
    field<&ResampleArguments::from>("from")
        .multiple(1)
        .least(1)
        .most(0x1p24)
        .unless_given("one axis of all rows but prefix and suffix")
        .about("old size: [length], or [rows, cols]"),
    field<&ResampleArguments::to>("to").multiple(1).least(1).most(0x1p24).required().about(
        "new size, of as many axes"),
    field<&ResampleArguments::prefix>("prefix").least(0).most(0x1p24).about(
        "rows in front that stay as they are"),
    field<&ResampleArguments::suffix>("suffix").least(0).most(0x1p24).about(
        "rows behind that stay as they are"),
    kResampleRuleFields[0],
    kResampleRuleFields[1],
    kResampleRuleFields[2],
    kResampleRuleFields[3],
});

inline constexpr auto kResampleInputs = std::to_array<OperationInput>({
    {.name = "table", .doc = "[prefix + from + suffix, width]; a grid's rows stand row by row"},
});
inline constexpr auto kResampleGradientInputs = std::to_array<OperationInput>({
    {.name = "dOut", .doc = "[prefix + to + suffix, width], the gradient of the resampled table"},
});
inline constexpr auto kResampleBackwardFields = [] {
  auto fields = kResampleFields;
  fields[0] = fields[0].required();
  return fields;
}();

inline constexpr Operation kResample = operation<resample_table>(
    "resample", kResampleInputs, kResampleFields,
    "a table resampled to another length or grid; the same size gives the same bits",
    "[prefix + to + suffix, width]");
inline constexpr Operation kResampleBackward = operation<resample_table_backward>(
    "resampleBackward", kResampleGradientInputs, kResampleBackwardFields,
    "the gradient of a table from the gradient of what `resample` made of it, with the same "
    "options",
    "[prefix + from + suffix, width]");

}  // namespace posenc
