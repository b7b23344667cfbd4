// Sine and cosine of angles that follow no pattern; tables of positions × frequencies are made
// faster by angles.hpp.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// Of `count` angles in radians: formed in double and rounded once, within 0.5 ulp + 1e-13 for
// |angle| < 2^52, never outside [-1, 1].
void sincos(const double* angles, int64_t count, float* sin, float* cos) noexcept;

// Angles of a point: angles[i] = Σ x[a] · columns[a · kProjections + i], summed from the first axis
// on.
inline constexpr int64_t kProjections = 64;
// Both have room for kProjections numbers.
void project(const double* x, int64_t axes, const double* columns, int64_t count,
             double* angles) noexcept;

}  // namespace posenc::kernels
