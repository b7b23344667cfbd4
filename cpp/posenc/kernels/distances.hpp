// Functions of the distance |d|, in double and rounded once: the kernels that biases fall off by.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out = factor · ln(shift + slope · |d|), where the sum is above 0
void log_of_distances(const double* distances, int64_t count, double shift, double slope, double factor,
                      float* out) noexcept;
// out = factor · |d|^exponent, 0 where d is 0; the exponent is above 0
void power_of_distances(const double* distances, int64_t count, double exponent, double factor, float* out) noexcept;

}  // namespace posenc::kernels
