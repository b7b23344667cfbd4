#include "posenc/core/encoding.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

// Rows made at a time when they are added to or laid beside x: enough to fill a cache line's worth
// of work, few enough to stay in the first cache.
int64_t rows_at_once(int64_t width, int64_t count) noexcept {
  return std::clamp<int64_t>(4096 / std::max<int64_t>(width, 1), 1, std::max<int64_t>(count, 1));
}

}  // namespace

Status Encoding::check(const Positions& positions, TextRef parameter) const noexcept {
  const Status status = check_positions(positions, domain(), parameter);
  return status ? check_further(positions, parameter) : status;
}

bool Encoding::trained() const noexcept {
  for (int i = 0; i < parameters().count(); i++) {
    if (parameters()[i].trained) return true;
  }
  return false;
}

int64_t InputEncoding::rows_in_scratch(int64_t count) const noexcept {
  return reads_x() ? std::max<int64_t>(count, 1)
                   : rows_at_once(width(), count);  // what reads x wants all of it
}

int64_t InputEncoding::scratch_floats(int64_t count) const noexcept {
  return rows_in_scratch(count) * width();
}

void InputEncoding::add(const Positions& positions, const float* x, float* out,
                        float* scratch) const noexcept {
  const int64_t step = rows_in_scratch(positions.count);
  for (int64_t row = 0; row < positions.count; row += step) {
    const int64_t rows = std::min(step, positions.count - row);
    const int64_t offset = row * width();
    encode_from(positions.slice(row, rows), x + offset, scratch);
    kernels::scale_add(x + offset, input_scale(), scratch, rows * width(), out + offset);
  }
}

void InputEncoding::concat(const Positions& positions, const float* x, int64_t x_width, float* out,
                           float* scratch) const noexcept {
  const int64_t step = rows_in_scratch(positions.count);
  const int64_t stride = x_width + width();
  for (int64_t row = 0; row < positions.count; row += step) {
    const int64_t rows = std::min(step, positions.count - row);
    encode_from(positions.slice(row, rows), x + row * x_width, scratch);
    for (int64_t i = 0; i < rows; i++) {
      kernels::copy(x + (row + i) * x_width, x_width, out + (row + i) * stride);
      kernels::copy(scratch + i * width(), width(), out + (row + i) * stride + x_width);
    }
  }
}

}  // namespace posenc
