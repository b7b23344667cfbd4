// Tables that are read by index, and their gradients.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out[i] = values[index[i]]
void gather(const float* values, const int32_t* index, int64_t count, float* out) noexcept;
// sums[index[i]] += x[i], in order
void scatter_add(const float* x, const int32_t* index, int64_t count, float* sums) noexcept;

// A column of a table [rows, width] as a vector, and a vector added to a column.
void take_column(const float* table, int64_t rows, int64_t width, int64_t column,
                 float* out) noexcept;
void add_to_column(const float* x, int64_t rows, int64_t width, int64_t column,
                   float* table) noexcept;

}  // namespace posenc::kernels
