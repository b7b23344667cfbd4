// Functions of distances d, in double and rounded once: the kernels that biases fall off by.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out[i] = first + (offset + i), rounded once
void count_distances(double first, int64_t offset, int64_t count, double* out) noexcept;
// out = d · (d < 0 ? behind : ahead)
void lines_of_distances(const double* distances, int64_t count, double behind, double ahead,
                        float* out) noexcept;
// out = factor · ln(shift + slope · |d|), where the sum is above 0
void log_of_distances(const double* distances, int64_t count, double shift, double slope,
                      double factor, float* out) noexcept;
// out = factor · |d|^exponent, 0 where d is 0; the exponent is above 0
void power_of_distances(const double* distances, int64_t count, double exponent, double factor,
                        float* out) noexcept;

}  // namespace posenc::kernels
