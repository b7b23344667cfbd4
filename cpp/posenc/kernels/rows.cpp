#include "posenc/kernels/rows.hpp"

#include <cstddef>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/simd.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::kernels {

using simd::Floats;

namespace {

// out += weight · row, two vectors at a time.
inline void add_row(const float* row, float weight, std::ptrdiff_t width, float* out) noexcept {
  constexpr auto kLanes = static_cast<std::ptrdiff_t>(simd::kLanes);
  const Floats factor(weight);
  const float* end = row + width / (2 * kLanes) * (2 * kLanes);
  for (; row != end; row += 2 * kLanes, out += 2 * kLanes) {
    const Floats low = simd::madd(factor, simd::load(row), simd::load(out));
    const Floats high = simd::madd(factor, simd::load(row + kLanes), simd::load(out + kLanes));
    simd::store(out, low);
    simd::store(out + kLanes, high);
  }
  if (const std::ptrdiff_t left = width % (2 * kLanes); left > 0) scale_add(row, weight, out, left, out);
}

}  // namespace

// Rows come one after the other, as they lie in memory: a processor fetches one stream ahead of its use at full speed,
// and several rows at a time half as fast.
void dot_rows(const float* rows, int64_t stride, int64_t count, const float* query, int64_t width,
              float* out) noexcept {
  for (int64_t i = 0; i < count; i++, rows += stride) out[i] = dot(rows, query, width);
}

void add_rows(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width, float factor,
              float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  for (int64_t i = 0; i < count; i++, rows += stride) {
    add_row(rows, weights[i], static_cast<std::ptrdiff_t>(width), out);
  }
}

void add_rows_sparse(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width,
                     float factor, float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  for (int64_t i = 0; i < count; i++, rows += stride) {
    if (weights[i] != 0) scale_add(rows, weights[i], out, width, out);
  }
}

}  // namespace posenc::kernels
