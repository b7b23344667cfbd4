// From scores by distance to scores by key, row by row: Transformer-XL's relative shift and the
// skewing of the Music Transformer (Huang et al. 2018) without padding and reshaping, so exact for
// any numbers of queries and keys. Attention reads products at shifted places itself
// (attention/relative.hpp); these are for those who hold such a matrix.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out [queries, keys]: out[i][j] = x[i][j - i + offset], x [queries, rows]; 0 where x has no such
// row, which is where a causal mask hides the key. The distance key - query of column c of x is c -
// offset (queries and keys counted from 0): offset queries - 1 for Transformer-XL's rows (keys - 1
// to 0 behind the last query) and for skewing, queries for XLNet's.
void shift_rows(const float* x, int64_t rows, int64_t queries, int64_t keys, int64_t offset,
                float* out) noexcept;
// The gradient: d_x [queries, rows], written whole.
void shift_rows_backward(const float* d_out, int64_t rows, int64_t queries, int64_t keys,
                         int64_t offset, float* d_x) noexcept;

}  // namespace posenc::kernels
