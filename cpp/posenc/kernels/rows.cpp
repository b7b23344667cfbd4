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
  if (const std::ptrdiff_t left = width % (2 * kLanes); left > 0)
    scale_add(row, weight, out, left, out);
}

}  // namespace

// Rows come one after the other, as they lie in memory: a processor fetches one stream ahead of its
// use at full speed, and several rows at a time half as fast.
void dot_rows(const float* rows, int64_t stride, int64_t count, const float* query, int64_t width,
              float* out) noexcept {
  for (int64_t i = 0; i < count; i++, rows += stride) out[i] = dot(rows, query, width);
}

void add_rows_in_order(const float* rows, int64_t stride, int64_t count, const float* weights,
                       int64_t width, float factor, float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  for (int64_t i = 0; i < count; i++, rows += stride) {
    add_row(rows, weights[i], static_cast<std::ptrdiff_t>(width), out);
  }
}

void add_rows(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width,
              float factor, float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  int64_t i = 0;
  for (; i + 4 <= count;
       i += 4, rows += 4 * stride) {  // four rows share each load and store of the sum
    const float *r1 = rows + stride, *r2 = r1 + stride, *r3 = r2 + stride;
    const Floats w0(weights[i]), w1(weights[i + 1]), w2(weights[i + 2]), w3(weights[i + 3]);
    simd::for_lanes(width, [&](int64_t k, auto lanes) {
      Floats sum = simd::madd(w0, lanes.load(rows + k), lanes.load(out + k));
      sum = simd::madd(w1, lanes.load(r1 + k), sum);
      sum = simd::madd(w2, lanes.load(r2 + k), sum);
      lanes.store(out + k, simd::madd(w3, lanes.load(r3 + k), sum));
    });
  }
  for (; i < count; i++, rows += stride) scale_add(rows, weights[i], out, width, out);
}

void add_rows_sparse(const float* rows, int64_t stride, int64_t count, const float* weights,
                     int64_t width, float factor, float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  for (int64_t i = 0; i < count; i++, rows += stride) {
    if (weights[i] != 0) add_row(rows, weights[i], static_cast<std::ptrdiff_t>(width), out);
  }
}

}  // namespace posenc::kernels
