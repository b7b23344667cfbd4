// What encodings made of tables of rows share.
#pragma once

#include <span>
#include <string_view>

#include "posenc/core/parameters.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {

// Normal numbers of mean 0 and deviation 0.02, as BERT, GPT-2 and ViT start their tables.
void initialise_table(const void* options, std::span<float> values, Random& random) noexcept;

// Numbers from 0 to 1, as DETR starts its tables.
void initialise_uniform(const void* options, std::span<float> values, Random& random) noexcept;

// Where the gradient of a tensor goes, or null where it is not wanted.
float* gradient_of(const ParameterSet& parameters, const Gradients& gradients,
                   std::string_view name) noexcept;

// Rows of a table by index, in `out` or added to it: row i of out, `stride` floats apart, is row
// index(i) of the table.
template <typename Index>
void gather_rows(const float* table, int64_t width, int64_t count, Index index, float* out,
                 int64_t stride) noexcept {
  for (int64_t i = 0; i < count; i++)
    kernels::copy(table + index(i) * width, width, out + i * stride);
}
template <typename Index>
void add_gathered_rows(const float* table, int64_t width, int64_t count, Index index, float* out,
                       int64_t stride) noexcept {
  for (int64_t i = 0; i < count; i++)
    kernels::add(table + index(i) * width, width, out + i * stride);
}
// The gradient of both; indices may repeat.
template <typename Index>
void scatter_rows(float* d_table, int64_t width, int64_t count, Index index, const float* d_out,
                  int64_t stride) noexcept {
  if (d_table == nullptr) return;
  for (int64_t i = 0; i < count; i++)
    kernels::add(d_out + i * stride, width, d_table + index(i) * width);
}

}  // namespace posenc
