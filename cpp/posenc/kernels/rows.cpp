#include "posenc/kernels/rows.hpp"

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/simd.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::kernels {

using simd::Floats;

void dot_rows(const float* rows, int64_t stride, int64_t count, const float* query, int64_t width,
              float* out) noexcept {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4, rows += 4 * stride) {  // four rows share each load of the query
    const float *r1 = rows + stride, *r2 = r1 + stride, *r3 = r2 + stride;
    Floats s0(0), s1(0), s2(0), s3(0);
    simd::for_lanes(width, [&](int64_t k, auto lanes) {
      const Floats q = lanes.load(query + k);
      s0 = simd::madd(lanes.load(rows + k), q, s0);
      s1 = simd::madd(lanes.load(r1 + k), q, s1);
      s2 = simd::madd(lanes.load(r2 + k), q, s2);
      s3 = simd::madd(lanes.load(r3 + k), q, s3);
    });
    out[i] = simd::reduce_add(s0);
    out[i + 1] = simd::reduce_add(s1);
    out[i + 2] = simd::reduce_add(s2);
    out[i + 3] = simd::reduce_add(s3);
  }
  for (; i < count; i++, rows += stride) out[i] = dot(rows, query, width);
}

void add_rows(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width, float factor,
              float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4, rows += 4 * stride) {  // four rows share each load and store of the sum
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

void add_rows_sparse(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width,
                     float factor, float* out) noexcept {
  if (factor != 1) scale(out, factor, width, out);
  for (int64_t i = 0; i < count; i++, rows += stride) {
    if (weights[i] != 0) scale_add(rows, weights[i], out, width, out);
  }
}

}  // namespace posenc::kernels
