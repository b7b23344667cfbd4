// Rotation of pairs of channels by given cosines and sines.
//   half         (x[m], x[m + pairs])      interleaved  (x[2m], x[2m + 1])
//   (a, b) → (a·cos - b·sin, b·cos + a·sin)
// Plain products and sums in float: every build gives the same bits.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// Rows of `dim` floats; row i is turned by factors i · factor_stride (0: all rows by the same), and
// so is row i of each other head. Channels from 2 · pairs on are copied. `out` may be `x` itself
// with the same strides.
struct RotateRows {
  const float* x;
  int64_t x_stride;
  float* out;
  int64_t out_stride;
  int64_t rows;
  int64_t dim;
  const float* cos;  // [rows, pairs]
  const float* sin;
  int64_t factor_stride;
  int64_t pairs;
  int64_t heads = 1;
  int64_t x_head_stride = 0, out_head_stride = 0;
};

void rotate_half(const RotateRows& task) noexcept;
void rotate_interleaved(const RotateRows& task) noexcept;

// Factors of the inverse matrix [[cos, sin], [-sin, cos]] / (cos² + sin²), or of its transpose (the
// gradient).
void invert_factors(float* cos, float* sin, int64_t count) noexcept;
void transpose_factors(float* sin, int64_t count) noexcept;

}  // namespace posenc::kernels
