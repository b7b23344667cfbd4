// Element-wise loops over vectors of `count` floats. Vectors may overlap only where they are the
// same.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out = x
void copy(const float* x, int64_t count, float* out) noexcept;
// Of the rows begin to end of a table, the first `width` columns as those of row from[i - begin]
// are.
void copy_rows(const int64_t* from, int64_t begin, int64_t end, int64_t width, float* table,
               int64_t stride) noexcept;
// out += x
void add(const float* x, int64_t count, float* out) noexcept;
// out += number
void add_number(float number, int64_t count, float* out) noexcept;
// Σ x
float sum(const float* x, int64_t count) noexcept;
// out += x·y
void add_product(const float* x, const float* y, int64_t count, float* out) noexcept;
// out = scale·x
void scale(const float* x, float scale, int64_t count, float* out) noexcept;
// out = x·y, element by element; out *= x
void multiply(const float* x, const float* y, int64_t count, float* out) noexcept;
void multiply_by(const float* x, int64_t count, float* out) noexcept;
// out = scale·x + y
void scale_add(const float* x, float scale, const float* y, int64_t count, float* out) noexcept;

}  // namespace posenc::kernels
