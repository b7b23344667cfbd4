#include "posenc/kernels/softmax.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/exp.hpp"
#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// What -inf - (-inf) would spoil: where nothing is seen any finite shift gives weights of 0.
float finite_shift(float largest) noexcept { return largest == kNothing ? 0 : largest; }

}  // namespace

float largest(const float* x, int64_t count) noexcept {
  Floats most(kNothing);
  int64_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) most = simd::max(most, simd::load(x + i));
  float result = simd::reduce_max(most);
  for (; i < count; i++) result = x[i] > result ? x[i] : result;
  return result;
}

float exp_shifted(float* x, int64_t count, float shift) noexcept {
  const Floats by(shift);
  Floats sum(0);
  int64_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    const Floats e = simd::exp(simd::load(x + i) - by);
    simd::store(x + i, e);
    sum += e;
  }
  float result = simd::reduce_add(sum);
  if (i < count) {
    const simd::Part rest{count - i};
    rest.store(x + i, simd::exp(rest.load(x + i) - by));
    for (; i < count; i++) result += x[i];
  }
  return result;
}

void softmax_step(float* tile, int64_t stride, int64_t rows, int64_t columns,
                  const RunningRows& running) noexcept {
  for (int64_t i = 0; i < rows; i++) {
    float* row = tile + i * stride;
    const float here = largest(row, columns);
    const float before = running.largest[i];
    const float now = here > before ? here : before;
    const float shift = finite_shift(now);
    const float factor = before == now ? 1 : static_cast<float>(math::exp(before - shift));
    running.factors[i] = factor;
    running.largest[i] = now;
    running.sum[i] = running.sum[i] * factor + exp_shifted(row, columns, shift);
  }
}

void weighted_mean(const float* x, float sum, int64_t count, float* out) noexcept {
  if (sum == 0)
    std::fill_n(out, count, 0.0F);
  else
    scale(x, 1 / sum, count, out);
}

float log_sum_exp(float largest, float sum) noexcept {
  return sum == 0 ? kNothing : finite_shift(largest) + static_cast<float>(math::log(sum));
}

void softcap(float* x, int64_t count, float cap) noexcept {
  const Floats outer(cap), inner(1 / cap);
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    lanes.store(x + i, outer * simd::tanh(lanes.load(x + i) * inner));
  });
}

void softcap_backward(const float* capped, int64_t count, float cap, float* gradient) noexcept {
  const Floats inner(1 / cap), one(1), none(0);
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    const Floats t = lanes.load(capped + i) * inner, d = lanes.load(gradient + i);
    lanes.store(gradient + i, simd::select(d == none, none, d * (one - t * t)));
  });
}

void softmax_backward(const float* weights, int64_t count, float mean, float* gradient) noexcept {
  const Floats average(mean), none(0);
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    const Floats weight = lanes.load(weights + i);
    const Floats d = weight * (lanes.load(gradient + i) - average);
    lanes.store(gradient + i, simd::select(weight == none, none, d));
  });
}

bool all_finite(const float* x, int64_t count) noexcept {
  Floats sum(0);  // 0·x is NaN for what is not finite, and 0 else
  simd::for_lanes(count, [&](int64_t i, auto lanes) { sum += lanes.load(x + i) * Floats(0); });
  return simd::reduce_add(sum) == 0;
}

// Four sums, so that one addition need not wait for the one before.
float dot(const float* x, const float* y, int64_t count) noexcept {
  constexpr auto kLanes = static_cast<std::ptrdiff_t>(simd::kLanes);
  Floats a(0), b(0), c(0), d(0);
  const float* end = x + static_cast<std::ptrdiff_t>(count) / (4 * kLanes) * (4 * kLanes);
  for (; x != end; x += 4 * kLanes, y += 4 * kLanes) {
    a = simd::madd(simd::load(x), simd::load(y), a);
    b = simd::madd(simd::load(x + kLanes), simd::load(y + kLanes), b);
    c = simd::madd(simd::load(x + 2 * kLanes), simd::load(y + 2 * kLanes), c);
    d = simd::madd(simd::load(x + 3 * kLanes), simd::load(y + 3 * kLanes), d);
  }
  if (const int64_t left = count % (4 * simd::kLanes); left > 0) {
    simd::for_lanes(left, [&](int64_t i, auto lanes) {
      a = simd::madd(lanes.load(x + i), lanes.load(y + i), a);
    });
  }
  return simd::reduce_add((a + b) + (c + d));
}

}  // namespace posenc::kernels
