// Decomposed relative positions of images: a learned row per vertical and one per horizontal
// distance, both multiplied with the query.
//   score_ij = scale · q_i·k_j + q_i·(R_height[y_i - y_j] + R_width[x_i - x_j])
// Li et al. 2022, "MViTv2", §4.1; Kirillov et al. 2023, "Segment Anything", whose code, like
// MViTv2's, takes the query without the scale in these terms. Tables of another grid are resampled
// linearly, as both do.
#pragma once

#include <array>

#include "posenc/core/make.hpp"
#include "posenc/core/relative.hpp"
#include "posenc/kernels/resample.hpp"

namespace posenc {

struct DecomposedOptions {
  int64_t head_dim = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::optional<int64_t> grid_height = {};
  std::optional<int64_t> grid_width = {};
  bool scaled = false;
};

class Decomposed : public EncodingBase<DecomposedOptions> {
 public:
  static const Info info;
  static Status resolve(DecomposedOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t heads() const noexcept { return 0; }
  int64_t head_dim() const noexcept { return options_.head_dim; }
  std::span<const RelativeTerm> terms() const noexcept { return terms_; }
  void write(const RelativeRows& rows, float* out, float* bias, float* scratch) const noexcept;
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept;

 private:
  std::array<RelativeTerm, 2> terms_;       // rows, columns
  std::array<ResampleGrid, 2> resampling_;  // from the table's distances to the grid's
};

struct DecomposedPositions {
  int64_t rows = 0, cols = 0, prefix = 0, row_step = 1, col_step = 1;
  bool keys = false;
};
Result<OperationResult> decomposed_positions(const DecomposedPositions& arguments,
                                             OperationTensors inputs) noexcept;

inline constexpr auto kDecomposedPositionFields = std::to_array<Field>({
    field<&DecomposedPositions::rows>("rows").least(0).most(1 << 20).required().about(
        "rows of the grid"),
    field<&DecomposedPositions::cols>("cols").least(0).most(1 << 20).required().about(
        "columns of the grid"),
    field<&DecomposedPositions::prefix>("prefix").least(0).most(1 << 20).about(
        "tokens in front that have no place in the grid and no term, such as a class token"),
    field<&DecomposedPositions::row_step>("rowStep").least(1).most(1 << 20).about(
        "cells of the finer grid that a row of a pooled one covers"),
    field<&DecomposedPositions::col_step>("colStep").least(1).most(1 << 20).about(
        "the same for a column"),
    field<&DecomposedPositions::keys>("keys").about(
        "for the keys' side: pooled keys stand at the last of their cells, pooled queries at the "
        "first, as MViTv2 counts, and "
        "tokens in front are far from those of the queries"),
});
inline constexpr auto kDecomposedOperations = std::to_array<Operation>({
    operation<decomposed_positions>(
        "positions", {}, kDecomposedPositionFields,
        "row and column of every token of a grid, row by row, for attention's positions",
        "[prefix + rows * cols, 2]"),
});

inline constexpr auto kDecomposedFields = std::to_array<Field>({
    field<&DecomposedOptions::head_dim>("headDim")
        .least(1)
        .most(1 << 16)
        .required()
        .shown(2, 128)
        .about("width of a head"),
    field<&DecomposedOptions::height>("height")
        .least(1)
        .most(1 << 14)
        .required()
        .shown(2, 32)
        .about("rows of the grid that the tables are for"),
    field<&DecomposedOptions::width>("width").least(1).most(1 << 14).required().shown(2, 32).about(
        "columns of the grid that the tables are for"),
    field<&DecomposedOptions::grid_height>("gridHeight")
        .least(1)
        .most(1 << 14)
        .unless_given("height")
        .about("rows of the grid in use; another number than height resamples the table linearly"),
    field<&DecomposedOptions::grid_width>("gridWidth")
        .least(1)
        .most(1 << 14)
        .unless_given("width")
        .about("columns of the grid in use"),
    field<&DecomposedOptions::scaled>("scaled").about(
        "multiply these terms by the attention's scale too; the code of MViTv2 and SAM does not"),
});

// Normal, deviation 0.02, as MViTv2.
inline constexpr auto kDecomposedNormal = [](const void*, std::span<float> out,
                                             Random& random) noexcept {
  for (float& value : out) value = static_cast<float>(0.02 * random.normal());
};

inline constexpr auto kDecomposedTensors = std::to_array<TensorInfo>({
    {.name = "heightTable",
     .shape = "[2 * height - 1, headDim]",
     .initialise = kDecomposedNormal,
     .doc = "a row per vertical distance query - key, from -(height - 1) (rel_pos_h)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "widthTable",
     .shape = "[2 * width - 1, headDim]",
     .initialise = kDecomposedNormal,
     .doc = "a row per horizontal distance query - key, from -(width - 1) (rel_pos_w)",
     .initial_doc = "normal, deviation 0.02"},
});

inline constexpr Info Decomposed::info = {
    .id = "decomposed",
    .family = Family::kRelative,
    .domain = {.kind = DomainKind::kIntegers, .limit = kRelativeLimit, .axes = 2},
    .fields = kDecomposedFields,
    .tensors = kDecomposedTensors,
    .operations = kDecomposedOperations,
    .docs =
        {
            .title = "Decomposed relative positions",
            .summary = "Patches of an image are told apart by how many rows and how many columns "
                       "lie between them. Each distance "
                       "has a learned vector that the query looks at; rows and columns have tables "
                       "of their own.",
            .paper = "Li et al. 2022, MViTv2: Improved Multiscale Vision Transformers for "
                     "Classification and Detection, section 4.1",
            .url = "https://arxiv.org/abs/2112.01526",
            .formula = "s_{ij}=\\frac{q_i\\cdot "
                       "k_j}{\\sqrt{d_h}}+q_i\\cdot\\left(R^{h}_{y_i-y_j}+R^{w}_{x_i-x_j}\\right)",
            .kind = "relative",
            .extrapolates = "by resampling the tables to the new grid",
            .models = "MViTv2, ViTDet, SAM",
            .good = "2(H + W) rows instead of 4HW; works in windows and over the whole image",
            .bad = "rows and columns cannot act together; tables belong to a grid size",
            .tasks = "detection, segmentation, video",
        },
};

}  // namespace posenc
