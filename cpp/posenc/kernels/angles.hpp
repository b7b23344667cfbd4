// Tables of sin(position · frequency) and cos(position · frequency), rows of positions and columns
// of frequencies.
//
// A whole position p is written 64·n + k with |k| ≤ 32. Sine and cosine of 64·n·frequency are
// computed directly, those of k·frequency by doubling and adding angles from k = 1, and
//   sin(a ± b) = sin a cos b ± cos a sin b,   cos(a ± b) = cos a cos b ∓ sin a sin b
// gives two rows for four products. All of it is done in double and rounded to float once, so that
// an element depends on its position and frequency alone: not on its neighbours, on the mode of the
// positions, on how a range is cut, or on the build. Positions that are not whole are computed
// directly.
//
// Within 0.5 ulp + 1e-13 of the exact value for |position · frequency| < 2^52, never outside [-1,
// 1].
#pragma once

#include <cstdint>

#include "posenc/core/positions.hpp"

namespace posenc::kernels {

// The angles: position of token i on one axis, times `pairs` frequencies (radians per position,
// finite).
struct Angles {
  const double* frequencies;
  int64_t pairs;
  Positions positions;
  int axis = 0;
};

// out[i · stride + 2m] = sin, out[i · stride + 2m + 1] = cos.
void angles_interleaved(const Angles& angles, float* out, int64_t stride) noexcept;

// sin[i · stride + m] and cos[i · stride + m], both times amplitude: the product is rounded once
// more, and is never outside [-amplitude, amplitude].
void angles_apart(const Angles& angles, float amplitude, float* sin, float* cos,
                  int64_t stride) noexcept;

// Tables of several axes side by side are copied from rows that are there, in the order of memory.
// So each writes those of its rows alone whose position is new, part by part, and says where the
// others stand.
struct RowOrigins {
  static constexpr int64_t kRows = 1024;  // of a part
  int64_t first[kRows];                   // an earlier row of the same position, or the row itself
  int64_t seen[256];  // by what a position ends with, the row that it was last met in, or -1
};
// Before the first part.
void begin(RowOrigins& origins) noexcept;
// Rows begin to end; parts follow one another.
void new_angles_interleaved(const Angles& angles, int64_t begin, int64_t end, RowOrigins& origins,
                            float* out, int64_t stride) noexcept;
void new_angles_apart(const Angles& angles, int64_t begin, int64_t end, RowOrigins& origins,
                      float* sin, float* cos, int64_t stride) noexcept;

}  // namespace posenc::kernels
