#include "posenc/kernels/gemm.hpp"

#include <algorithm>
#include <cstddef>

#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {

const int64_t kPanel = 2 * simd::kLanes;

namespace {

using simd::Floats;
constexpr int64_t kColumns = 2 * simd::kLanes;  // kPanel, known to the compiler
static_assert(kTile % kColumns == 0 && kTile % kBundle == 0);

// How C begins: at zero, at what it holds, or at that times a factor per row.
enum class Start : uint8_t { kZero, kHeld, kScaled };

// Four rows by two vectors. Element (i, k) of A stands at a[i * kRow + k * kDepth]: with the
// strides known, one pointer walks. The loop is not unrolled: browsers' compilers spill registers
// when it is.
template <std::ptrdiff_t kRow, std::ptrdiff_t kDepth, Start kStart>
inline void multiply_4x2(const float* a, const float* b, std::ptrdiff_t depth, const float* factors,
                         float* c, std::ptrdiff_t c_stride) noexcept {
  constexpr auto kLanes = static_cast<std::ptrdiff_t>(simd::kLanes);
  Floats sum[4][2];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 2; j++) {
      sum[i][j] = kStart == Start::kZero ? Floats(0) : simd::load(c + i * c_stride + j * kLanes);
      if constexpr (kStart == Start::kScaled) sum[i][j] *= Floats(factors[i]);
    }
  }
#pragma GCC unroll 1
  for (std::ptrdiff_t k = 0; k < depth; k++) {
    const Floats b0 = simd::load(b), b1 = simd::load(b + kLanes);
    for (int i = 0; i < 4; i++) {
      const Floats value(a[i * kRow]);
      sum[i][0] = simd::madd(value, b0, sum[i][0]);
      sum[i][1] = simd::madd(value, b1, sum[i][1]);
    }
    a += kDepth;
    b += 2 * kLanes;
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 2; j++) simd::store(c + i * c_stride + j * kLanes, sum[i][j]);
  }
}

// One panel of B, which stays in the first cache, goes by all bundles of A.
template <std::ptrdiff_t kRow, std::ptrdiff_t kDepth, Start kStart>
void multiply_panels(const float* a, std::ptrdiff_t bundle_stride, const float* b, int64_t rows,
                     int64_t columns, int64_t depth, const float* factors, float* c,
                     int64_t c_stride) noexcept {
  const auto steps = static_cast<std::ptrdiff_t>(depth),
             stride = static_cast<std::ptrdiff_t>(c_stride);
  for (int64_t column = 0; column < columns; column += kColumns, b += steps * kColumns) {
    const float* bundle = a;
    for (int64_t row = 0; row < rows; row += kBundle, bundle += bundle_stride) {
      const float* scale = kStart == Start::kScaled ? factors + row : nullptr;
      multiply_4x2<kRow, kDepth, kStart>(bundle, b, steps, scale, c + row * stride + column,
                                         stride);
    }
  }
}

// Adds A · B for one row of A, leaving out zeros; the same bits as adding them where B is finite.
void add_sparse_row(const float* a, int64_t a_stride, const float* b, int64_t columns,
                    int64_t depth, float* c) noexcept {
  for (int64_t column = 0; column < columns; column += kColumns, c += kColumns) {
    Floats low = simd::load(c), high = simd::load(c + simd::kLanes);
    for (int64_t k = 0; k < depth; k++, b += kColumns) {
      if (a[k * a_stride] == 0) continue;
      const Floats value(a[k * a_stride]);
      low = simd::madd(value, simd::load(b), low);
      high = simd::madd(value, simd::load(b + simd::kLanes), high);
    }
    simd::store(c, low);
    simd::store(c + simd::kLanes, high);
  }
}

}  // namespace

void pack_rows(const float* x, int64_t stride, int64_t count, int64_t width, int64_t unit,
               float* out) noexcept {
  for (int64_t first = 0; first < count; first += unit, out += unit * width) {
    const int64_t rows = std::min(unit, count - first);
    for (int64_t i = 0; i < unit; i++) {
      const float* row = x + (first + i) * stride;
      for (int64_t k = 0; k < width; k++) out[k * unit + i] = i < rows ? row[k] : 0;
    }
  }
}

void pack_columns(const float* x, int64_t stride, int64_t count, int64_t width,
                  float* out) noexcept {
  for (int64_t first = 0; first < width; first += kColumns) {
    const int64_t columns = std::min(kColumns, width - first);
    for (int64_t i = 0; i < count; i++, out += kColumns) {
      const float* row = x + i * stride + first;
      for (int64_t j = 0; j < kColumns; j++) out[j] = j < columns ? row[j] : 0;
    }
  }
}

void multiply(const float* a, const float* b, int64_t rows, int64_t columns, int64_t depth,
              float* c, int64_t c_stride) noexcept {
  multiply_panels<1, kBundle, Start::kZero>(a, depth * kBundle, b, rows, columns, depth, nullptr, c,
                                            c_stride);
}

float multiply_one(const float* a, const float* b, int64_t row, int64_t column,
                   int64_t depth) noexcept {
  a += row / kBundle * kBundle * depth + row % kBundle;
  b += column / kColumns * kColumns * depth + column % kColumns;
  float sum = 0;
  for (int64_t k = 0; k < depth; k++, a += kBundle, b += kColumns) sum += *a * *b;
  return sum;
}

void multiply_tile(const float* tile, const float* b, int64_t rows, int64_t columns, int64_t depth,
                   const float* factors, float* c, int64_t c_stride) noexcept {
  multiply_panels<kTile, 1, Start::kScaled>(tile, kBundle * kTile, b, rows, columns, depth, factors,
                                            c, c_stride);
}

void multiply_tile_transposed(const float* tile, const float* b, int64_t rows, int64_t columns,
                              int64_t depth, float* c, int64_t c_stride) noexcept {
  multiply_panels<1, kTile, Start::kHeld>(tile, kBundle, b, rows, columns, depth, nullptr, c,
                                          c_stride);
}

void multiply_tile_sparse(const float* tile, const float* b, int64_t rows, int64_t columns,
                          int64_t depth, const float* factors, float* c,
                          int64_t c_stride) noexcept {
  for (int64_t i = 0; i < rows; i++) {
    float* row = c + i * c_stride;
    for (int64_t j = 0; j < padded(columns, kColumns); j++) row[j] *= factors[i];
    add_sparse_row(tile + i * kTile, 1, b, columns, depth, row);
  }
}

void multiply_tile_transposed_sparse(const float* tile, const float* b, int64_t rows,
                                     int64_t columns, int64_t depth, float* c,
                                     int64_t c_stride) noexcept {
  for (int64_t i = 0; i < rows; i++)
    add_sparse_row(tile + i, kTile, b, columns, depth, c + i * c_stride);
}

}  // namespace posenc::kernels
