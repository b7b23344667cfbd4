#include "posenc/kernels/hinges.hpp"

#include <algorithm>

#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {

using simd::Floats;

void hinges(const Hinges& line, const float* x, int64_t count, float* y) noexcept {
  const Floats zero(0);
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    const Floats here = lanes.load(x + i);
    Floats sum(line.offset);
    for (int64_t u = 0; u < line.width; u++) {
      const Floats bent =
          simd::max(simd::madd(Floats(line.slopes[u]), here, Floats(line.starts[u])), zero);
      sum = simd::madd(Floats(line.outs[u]), bent, sum);
    }
    lanes.store(y + i, sum);
  });
}

void hinges_backward(const Hinges& line, const float* x, int64_t count, const float* d_y,
                     const HingeGradients& gradients, float* d_x) noexcept {
  const Floats zero(0);
  std::fill_n(d_x, count, 0.0F);
  for (int64_t u = 0; u < line.width; u++) {
    const Floats slope(line.slopes[u]), start(line.starts[u]),
        through(line.slopes[u] * line.outs[u]);
    Floats bent_sum(0), sum(0), x_sum(0);
    simd::for_lanes(count, [&](int64_t i, auto lanes) {
      const Floats here = lanes.load(x + i), bent = simd::madd(slope, here, start);
      const Floats d = simd::select(bent > zero, lanes.load(d_y + i), zero);
      bent_sum = simd::madd(d, bent, bent_sum);
      sum = sum + d;
      x_sum = simd::madd(d, here, x_sum);
      lanes.store(d_x + i, simd::madd(d, through, lanes.load(d_x + i)));
    });
    if (gradients.slopes) gradients.slopes[u] += line.outs[u] * simd::reduce_add(x_sum);
    if (gradients.starts) gradients.starts[u] += line.outs[u] * simd::reduce_add(sum);
    if (gradients.outs) gradients.outs[u] += simd::reduce_add(bent_sum);
  }
}

}  // namespace posenc::kernels
