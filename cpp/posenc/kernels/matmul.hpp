// Products of whole matrices of any size and stride, cut into blocks that the caches hold and
// packed for gemm.hpp. A sum over the depth is made of blocks of 256 terms, so its error grows with
// the number of blocks rather than terms.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// Element (i, k) stands at data[i * row_stride + k * column_stride]; one of the strides is 1.
struct Matrix {
  const float* data;
  int64_t row_stride, column_stride;

  static Matrix rows(const float* data, int64_t columns) noexcept { return {data, columns, 1}; }
  Matrix transposed() const noexcept { return {data, column_stride, row_stride}; }
};

struct MatmulSize {
  int64_t rows, columns, depth;
};

extern const int64_t kMatmulScratch;  // floats

// c [rows, columns] = bias + a [rows, depth] · b [depth, columns]; a null bias is zero.
void matmul(const Matrix& a, const Matrix& b, const MatmulSize& size, const float* bias, float* c,
            float* scratch) noexcept;
// c += a · b
void matmul_add(const Matrix& a, const Matrix& b, const MatmulSize& size, float* c,
                float* scratch) noexcept;
// out [columns] = sum of the rows of x [rows, columns]
void sum_rows(const float* x, int64_t rows, int64_t columns, float* out, float* scratch) noexcept;

}  // namespace posenc::kernels
