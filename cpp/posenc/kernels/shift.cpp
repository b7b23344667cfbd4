#include "posenc/kernels/shift.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc::kernels {
namespace {

// The keys [begin, end) of query i whose row is there, and the row of the first.
struct Slice {
  int64_t begin, end, row;
};
Slice slice_of(int64_t i, int64_t rows, int64_t keys, int64_t offset) noexcept {
  const int64_t first = offset - i;  // the row of key 0
  const int64_t begin = std::clamp<int64_t>(-first, 0, keys);
  const int64_t end = std::clamp<int64_t>(rows - first, begin, keys);
  return {begin, end, first + begin};
}

}  // namespace

void shift_rows(const float* x, int64_t rows, int64_t queries, int64_t keys, int64_t offset,
                float* out) noexcept {
  for (int64_t i = 0; i < queries; i++, x += rows, out += keys) {
    const Slice slice = slice_of(i, rows, keys, offset);
    std::fill_n(out, slice.begin, 0.0F);
    if (slice.end > slice.begin) copy(x + slice.row, slice.end - slice.begin, out + slice.begin);
    std::fill(out + slice.end, out + keys, 0.0F);
  }
}

void shift_rows_backward(const float* d_out, int64_t rows, int64_t queries, int64_t keys,
                         int64_t offset, float* d_x) noexcept {
  for (int64_t i = 0; i < queries; i++, d_x += rows, d_out += keys) {
    const Slice slice = slice_of(i, rows, keys, offset);
    std::fill_n(d_x, rows, 0.0F);
    if (slice.end > slice.begin)
      copy(d_out + slice.begin, slice.end - slice.begin, d_x + slice.row);
  }
}

}  // namespace posenc::kernels
