#include "posenc/kernels/matmul.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"
#include "posenc/kernels/rows.hpp"

namespace posenc::kernels {
namespace {

// A panel of B is then 8 kB in wasm and stays in the first cache, the blocks of A and B in the
// second.
constexpr int64_t kRows = kTile, kColumns = 128, kDepth = 256;
// Up to this many rows go by B as it stands: packing it would cost more than it saves.
constexpr int64_t kFewRows = 4;
constexpr int64_t kWide = kRows * kColumns / kFewRows;  // columns at a time then

constexpr int64_t kRoomA = kRows * kDepth, kRoomB = kColumns * kDepth, kRoomC = kRows * kColumns;

// Calls body(first, count) for each part of `total` that is at most `step` long.
template <typename Body>
void for_blocks(int64_t total, int64_t step, Body body) noexcept {
  for (int64_t first = 0; first < total; first += step) body(first, std::min(step, total - first));
}

// `count` vectors of `depth` numbers, `stride` apart and their numbers `step` apart → [count /
// unit][depth][unit].
void pack(const float* x, int64_t stride, int64_t step, int64_t count, int64_t depth, int64_t unit,
          float* out) noexcept {
  for (int64_t first = 0; first < count; first += unit) {
    const int64_t vectors = std::min(unit, count - first);
    for (int64_t k = 0; k < depth; k++, out += unit) {
      const float* from = x + first * stride + k * step;
      for (int64_t i = 0; i < unit; i++) out[i] = i < vectors ? from[i * stride] : 0;
    }
  }
}

void add_few(const Matrix& a, const Matrix& b, const MatmulSize& size, float* c,
             float* sums) noexcept {
  for_blocks(size.columns, kWide, [&](int64_t column, int64_t columns) {
    for_blocks(size.depth, kDepth, [&](int64_t k, int64_t depth) {
      const float* block = b.data + k * b.row_stride + column * b.column_stride;
      for (int64_t i = 0; i < size.rows; i++) {
        const float* row = a.data + i * a.row_stride + k;
        if (b.column_stride == 1) {
          std::fill_n(sums, columns, 0.0F);
          add_rows(block, b.row_stride, depth, row, columns, 1, sums);
        } else {
          dot_rows(block, b.column_stride, columns, row, depth, sums);
        }
        add(sums, columns, c + i * size.columns + column);
      }
    });
  });
}

void add_many(const Matrix& a, const Matrix& b, const MatmulSize& size, float* c,
              float* scratch) noexcept {
  float *packed_a = scratch, *packed_b = packed_a + kRoomA, *sums = packed_b + kRoomB;
  for_blocks(size.columns, kColumns, [&](int64_t column, int64_t columns) {
    for_blocks(size.depth, kDepth, [&](int64_t k, int64_t depth) {
      pack(b.data + k * b.row_stride + column * b.column_stride, b.column_stride, b.row_stride,
           columns, depth, kPanel, packed_b);
      for_blocks(size.rows, kRows, [&](int64_t row, int64_t rows) {
        pack(a.data + row * a.row_stride + k * a.column_stride, a.row_stride, a.column_stride, rows,
             depth, kBundle, packed_a);
        multiply(packed_a, packed_b, rows, columns, depth, sums, kColumns);
        for (int64_t i = 0; i < rows; i++)
          add(sums + i * kColumns, columns, c + (row + i) * size.columns + column);
      });
    });
  });
}

}  // namespace

const int64_t kMatmulScratch = kRoomA + kRoomB + kRoomC;

void matmul_add(const Matrix& a, const Matrix& b, const MatmulSize& size, float* c,
                float* scratch) noexcept {
  const bool few = size.rows <= kFewRows && a.column_stride == 1;
  (few ? add_few : add_many)(a, b, size, c, scratch);
}

void matmul(const Matrix& a, const Matrix& b, const MatmulSize& size, const float* bias, float* c,
            float* scratch) noexcept {
  for (int64_t i = 0; i < size.rows; i++) {
    if (bias)
      copy(bias, size.columns, c + i * size.columns);
    else
      std::fill_n(c + i * size.columns, size.columns, 0.0F);
  }
  matmul_add(a, b, size, c, scratch);
}

void sum_rows(const float* x, int64_t rows, int64_t columns, float* out, float* scratch) noexcept {
  std::fill_n(out, columns, 0.0F);
  for_blocks(columns, kWide, [&](int64_t column, int64_t width) {
    for_blocks(rows, kDepth, [&](int64_t first, int64_t count) {
      std::fill_n(scratch, width, 0.0F);
      for (int64_t i = 0; i < count; i++) add(x + (first + i) * columns + column, width, scratch);
      add(scratch, width, out + column);
    });
  });
}

}  // namespace posenc::kernels
