// RoPE over rows and columns, or more axes: pair m turns by x_a · w_m, a the axis that it listens
// to and x_a the token's coordinate there. Scores depend on the differences of coordinates, axis by
// axis.
//   (a, b) → (a cos(x w) - b sin(x w), b cos(x w) + a sin(x w))
// Heo et al. 2024, "Rotary Position Embedding for Vision Transformer"; the conventions of published
// models, which differ in nearly everything else, are options. Factors within 2e-7 of the exact
// value for |x w| ≤ 2^24, never outside [-1, 1].
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/rotary/rope_nd_options.hpp"

namespace posenc {

class RopeNd : public EncodingBase<RopeNdOptions> {
 public:
  static const Info info;

  static Status resolve(RopeNdOptions& options) noexcept;
  Status prepare() noexcept;

  PositionDomain domain() const noexcept;
  int64_t head_dim() const noexcept { return options_.head_dim; }
  int64_t rotary_dim() const noexcept { return *options_.rotary_dim; }
  PairLayout layout() const noexcept { return options_.layout; }
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept;

  double frequency(int64_t pair) const noexcept { return frequencies_[pair]; }
  const PairAxes& pair_axes() const noexcept { return pairs_; }

 private:
  // What a pair of `axis` turns by for token i of `positions`.
  double coordinate(const Positions& positions, int64_t i, int axis) const noexcept;

  Buffer<double> frequencies_;  // [rotary_dim / 2], in the order of the channels
  PairAxes pairs_;
};

// The index on an axis that does not turn: the coordinate 0.
double still_index(const RopeNdOptions& options, int64_t axis) noexcept;

struct GridArguments {
  NumberList grid = {};
  std::optional<int64_t> prefix = {};
  int64_t suffix = 0, repeat = 1, merge = 1;
  double start = 0;
};
inline constexpr auto kGridPositionFields = std::to_array<Field>({
    field<&GridArguments::grid>("grid")
        .least(1)
        .multiple(1)
        .unless_given("the encoding's")
        .about("cells along each axis"),
    field<&GridArguments::prefix>("prefix")
        .least(0)
        .most(1 << 20)
        .unless_given("the encoding's")
        .about("tokens in front that do not turn"),
    field<&GridArguments::suffix>("suffix").least(0).most(1 << 20).about(
        "tokens at the end that do not turn (SAM 2: num_k_exclude_rope)"),
    field<&GridArguments::repeat>("repeat").least(1).most(1 << 20).about(
        "the grid so many times, one after the other: frames that share their places (SAM 2: "
        "repeat_freqs_k)"),
    field<&GridArguments::merge>("merge").least(1).most(1 << 10).about(
        "cells come in blocks of merge x merge rows and columns (Qwen2-VL: spatial_merge_size)"),
    field<&GridArguments::start>("start").about("index of the first row, column, ... (Llama 4: 1)"),
});
// [tokens, axes]
Result<OperationResult> grid_positions(const RopeNd& rope, const GridArguments& arguments,
                                       OperationTensors inputs) noexcept;
// [rotaryDim / 2] each.
Result<OperationResult> axis_frequencies(const RopeNd& rope, const NoArguments& arguments,
                                         OperationTensors inputs) noexcept;
Result<OperationResult> axis_of_pairs(const RopeNd& rope, const NoArguments& arguments,
                                      OperationTensors inputs) noexcept;

inline constexpr auto kRopeNdOperations = std::to_array<Operation>({
    operation<grid_positions>(
        "gridPositions", {}, kGridPositionFields,
        "positions of the tokens of a grid, with those that do not turn around it",
        "[tokens, axes], what apply and attention take as positions"),
    operation<axis_frequencies>("frequencies", {}, {}, "radians per unit of the coordinate",
                                "[rotaryDim / 2]"),
    operation<axis_of_pairs>("axisOfPairs", {}, {}, "the axis that each pair listens to",
                             "[rotaryDim / 2]"),
});

inline constexpr Info RopeNd::info = {
    .id = "ropeNd",
    .family = Family::kRotary,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 2},
    .fields = kRopeNdFields,
    .operations = kRopeNdOperations,
    .docs =
        {
            .title = "RoPE in 2-D and 3-D",
            .summary =
                "Rotation for pictures and video: a part of the channels turns by the row, another "
                "by the column, a third "
                "by the frame. A score then knows how far apart two patches are in each direction.",
            .paper = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer",
            .url = "https://arxiv.org/abs/2403.13298",
            .formula =
                "\\begin{pmatrix}u\\\\v\\end{pmatrix}\\mapsto\\begin{pmatrix}\\cos "
                "x_{a(m)}\\theta_m&-\\sin "
                "x_{a(m)}\\theta_m\\\\\\sin x_{a(m)}\\theta_m&\\cos x_{a(m)}\\theta_m\\end{pmatrix}"
                "\\begin{pmatrix}u\\\\v\\end{pmatrix},\\qquad \\theta_i=b^{-2i/D}",
            .kind = "relative",
            .extrapolates = "to other grids better than learned tables do; coordinates scaled to "
                            "the grid (DINOv3, EVA-02) meet no "
                            "angles that were not trained",
            .models = "Pixtral, Qwen2-VL, Qwen3-VL, EVA-02, SAM 2, DINOv3, Llama 4",
            .good =
                "any grid, also one that is not square, without a table to resize; no parameters",
            .bad = "directions off the axes are seen only through both; many incompatible "
                   "conventions are in use",
            .tasks = "image classification, segmentation, vision language models, video",
        },
};

}  // namespace posenc
