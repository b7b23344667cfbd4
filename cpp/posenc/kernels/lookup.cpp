#include "posenc/kernels/lookup.hpp"

namespace posenc::kernels {

void gather(const float* values, const int32_t* index, int64_t count, float* out) noexcept {
  for (int64_t i = 0; i < count; i++) out[i] = values[index[i]];
}

void scatter_add(const float* x, const int32_t* index, int64_t count, float* sums) noexcept {
  for (int64_t i = 0; i < count; i++) sums[index[i]] += x[i];
}

void take_column(const float* table, int64_t rows, int64_t width, int64_t column,
                 float* out) noexcept {
  for (int64_t i = 0; i < rows; i++) out[i] = table[i * width + column];
}

void add_to_column(const float* x, int64_t rows, int64_t width, int64_t column,
                   float* table) noexcept {
  for (int64_t i = 0; i < rows; i++) table[i * width + column] += x[i];
}

}  // namespace posenc::kernels
