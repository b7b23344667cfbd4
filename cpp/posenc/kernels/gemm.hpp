// Products of small matrices, in the packed forms that attention tiles use: C [rows, columns] += A
// [rows, depth] · B [depth, columns], four rows by two vectors of columns at a time. B is packed in
// panels of kPanel columns, [columns / kPanel][depth][kPanel]; A in bundles of kBundle rows, [rows
// / kBundle][depth][kBundle], or as it stands. What is missing in the last panel or bundle is
// filled with zeros.
#pragma once

#include <cstdint>

namespace posenc::kernels {

extern const int64_t kPanel;  // two vectors, whatever this build's are
inline constexpr int64_t kBundle = 4;
// Tiles of scores are at most this many queries by this many keys; a row of one takes kTile floats.
inline constexpr int64_t kTile = 64;

constexpr int64_t padded(int64_t count, int64_t unit) noexcept {
  return (count + unit - 1) / unit * unit;
}

// Rows x [count, width], `stride` apart → out [padded(count, unit) / unit][width][unit]: the rows
// become columns. With unit kPanel that is B = xᵀ, with kBundle A = x.
void pack_rows(const float* x, int64_t stride, int64_t count, int64_t width, int64_t unit,
               float* out) noexcept;
// Rows x [count, width], `stride` apart → out [padded(width, kPanel) / kPanel][count][kPanel]: B =
// x.
void pack_columns(const float* x, int64_t stride, int64_t count, int64_t width,
                  float* out) noexcept;

// In all of these rows and columns are rounded up to whole bundles and panels, and C has room for
// that. C = A · B, A in bundles.
void multiply(const float* a, const float* b, int64_t rows, int64_t columns, int64_t depth,
              float* c, int64_t c_stride) noexcept;
// One element of A · B: row `row` of A in bundles, column `column` of B.
float multiply_one(const float* a, const float* b, int64_t row, int64_t column,
                   int64_t depth) noexcept;
// C = C · factor of its row + A · B, A a tile as it stands: rows of kTile floats.
void multiply_tile(const float* tile, const float* b, int64_t rows, int64_t columns, int64_t depth,
                   const float* factors, float* c, int64_t c_stride) noexcept;
// C += A · B, A the transpose of a tile: row i is column i of the tile, depth goes down its rows.
void multiply_tile_transposed(const float* tile, const float* b, int64_t rows, int64_t columns,
                              int64_t depth, float* c, int64_t c_stride) noexcept;

// The same two where B may hold NaN or infinity and A has zeros that must hide them: zeros of A are
// left out.
void multiply_tile_sparse(const float* tile, const float* b, int64_t rows, int64_t columns,
                          int64_t depth, const float* factors, float* c, int64_t c_stride) noexcept;
void multiply_tile_transposed_sparse(const float* tile, const float* b, int64_t rows,
                                     int64_t columns, int64_t depth, float* c,
                                     int64_t c_stride) noexcept;

}  // namespace posenc::kernels
