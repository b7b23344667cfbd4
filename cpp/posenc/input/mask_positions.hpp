// Positions of the cells of images in a padded batch, as DETR counts them: each cell's row is the
// number of real cells down to it in its column, its column the number of real cells up to it in
// its row, both from 1.
//   normalised: (count + offset) / (last count of the line + 1e-6) · scale
// Carion et al. 2020, "End-to-End Object Detection with Transformers", models/position_encoding.py;
// Deformable DETR has offset -0.5.
#pragma once

#include <array>
#include <numbers>

#include "posenc/core/operation.hpp"

namespace posenc {

struct MaskPositionsArguments {
  bool normalize = false;
  double scale = 2 * std::numbers::pi;
  double offset = 0;
};

inline constexpr auto kMaskPositionsFields = std::to_array<Field>({
    field<&MaskPositionsArguments::normalize>("normalize")
        .about("divide by the last count of the row or column, so that every image spans the same "
               "range"),
    field<&MaskPositionsArguments::scale>("scale")
        .only(when("normalize", true))
        .about("what the last cell comes to when normalised"),
    field<&MaskPositionsArguments::offset>("offset")
        .only(when("normalize", true))
        .about("added to the counts first: 0 in DETR, -0.5 in Deformable DETR"),
});

inline constexpr auto kMaskPositionsInputs = std::to_array<OperationInput>({
    {.name = "mask", .doc = "[.., rows, cols], 1 where a cell is padding and 0 where the image is"},
});

// [.., rows, cols, 2]
Result<OperationResult> mask_positions(const MaskPositionsArguments& arguments,
                                       OperationTensors inputs) noexcept;

// The operation as encodings list it.
inline constexpr Operation kMaskPositions = operation<mask_positions>(
    "positions", kMaskPositionsInputs, kMaskPositionsFields,
    "row and column of each cell of padded images, counted from 1 as DETR does",
    "[.., rows, cols, 2]: row, then column");

}  // namespace posenc
