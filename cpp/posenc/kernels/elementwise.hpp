// Element-wise loops over vectors of `count` floats. Vectors may overlap only where they are the same.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out = x
void copy(const float* x, int64_t count, float* out) noexcept;
// out += x
void add(const float* x, int64_t count, float* out) noexcept;
// out += x·y
void add_product(const float* x, const float* y, int64_t count, float* out) noexcept;
// out = scale·x
void scale(const float* x, float scale, int64_t count, float* out) noexcept;
// out = scale·x + y
void scale_add(const float* x, float scale, const float* y, int64_t count, float* out) noexcept;

}  // namespace posenc::kernels
