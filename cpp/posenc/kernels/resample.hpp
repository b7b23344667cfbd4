// Resampling of tables of rows along one or two axes: nearest, linear, and cubic with Keys' kernel.
//   out[i] = Σ_t weight(i, t) · table[row(i, t)]
// Sampling points are half-pixel centres, (i + 1/2) · from / to - 1/2, or i · (from - 1) / (to - 1)
// with aligned corners. The cubic kernel has a = -3/4, as PyTorch's; with antialiasing a = -1/2 and
// both kernels are widened by the step where the table shrinks, what falls outside is dropped and
// the weights sum to 1 again. Otherwise taps beyond an edge read the edge. Weights are formed in
// double and rounded once; an axis of the same size keeps its rows bit for bit.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"

namespace posenc {

enum class ResampleMode : uint8_t { kNearest, kLinear, kCubic };
inline constexpr const char* kResampleModeNames[] = {"nearest", "linear", "cubic"};

struct ResampleRule {
  ResampleMode mode = ResampleMode::kCubic;
  bool align_corners = false;
  bool antialias = false;   // linear and cubic, without aligned corners
  double scale_offset = 0;  // added to the new size where the step is formed: 0.1 in DINO's code
};

// Which rows of one axis make each new one, and how much of each. Weights of 0 fill up shorter
// lists.
struct ResampleAxis {
  int64_t from = 0, to = 0;
  int64_t taps = 0;       // per new row
  Buffer<int32_t> rows;   // [to, taps]
  Buffer<float> weights;  // [to, taps]

  // Both sizes at least 1; an error is one of memory and names `parameter`.
  Status prepare(const ResampleRule& rule, int64_t old_size, int64_t new_size,
                 TextRef parameter) noexcept;
};

// A grid of rows, row by row. A table along one axis is a grid of one column.
struct ResampleGrid {
  ResampleAxis vertical, horizontal;

  Status prepare(const ResampleRule& rule, int64_t from_rows, int64_t from_cols, int64_t to_rows,
                 int64_t to_cols, TextRef parameter) noexcept;
  int64_t from_count() const noexcept { return vertical.from * horizontal.from; }
  int64_t to_count() const noexcept { return vertical.to * horizontal.to; }
};

namespace kernels {

// out [width] = the new row `cell` (row · to_cols + col) of a table [from_rows · from_cols, width]
void resample_row(const ResampleGrid& grid, int64_t cell, const float* table, int64_t width,
                  float* out) noexcept;
// out += the new row
void add_resampled_row(const ResampleGrid& grid, int64_t cell, const float* table, int64_t width,
                       float* out) noexcept;
// Adds to d_table what the gradient of that new row says.
void resample_row_backward(const ResampleGrid& grid, int64_t cell, const float* d_out,
                           int64_t width, float* d_table) noexcept;
// All new rows, [to_rows · to_cols, width], and all gradients.
void resample(const ResampleGrid& grid, const float* table, int64_t width, float* out) noexcept;
void resample_backward(const ResampleGrid& grid, const float* d_out, int64_t width,
                       float* d_table) noexcept;

}  // namespace kernels

}  // namespace posenc
