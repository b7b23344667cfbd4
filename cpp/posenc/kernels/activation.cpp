#include "posenc/kernels/activation.hpp"

#include "posenc/kernels/exp.hpp"
#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;

// Not inlined: several of the functions below want it.
[[gnu::noinline]] Floats exponential(const Floats& x) noexcept { return simd::exp(x); }

Floats sigmoid(const Floats& x) noexcept {
  const Floats e = exponential(-simd::abs(x)), one(1);
  const Floats near = one / (one + e);
  return simd::select(x < Floats(0), e * near, near);
}

// Of the normal distribution: the share below x, given bell = exp(-x²/2).
Floats normal_share(const Floats& x, const Floats& bell) noexcept {
  constexpr float kScale = 0.3275911F * 0.70710678F;
  const Floats one(1), t = one / simd::madd(simd::abs(x), Floats(kScale), one);
  Floats p(1.061405429F);
  p = simd::madd(p, t, Floats(-1.453152027F));
  p = simd::madd(p, t, Floats(1.421413741F));
  p = simd::madd(p, t, Floats(-0.284496736F));
  p = simd::madd(p, t, Floats(0.254829592F));
  const Floats tail = Floats(0.5F) * p * t * bell;
  return simd::select(x < Floats(0), tail, one - tail);
}

enum class Part : uint8_t { kValue, kSlope };

// Not inlined: one body for all loops and tails, and the call costs nothing beside an exponential.
[[gnu::noinline]] Floats evaluate(Activation kind, Part part, const Floats& x) noexcept {
  const bool slope = part == Part::kSlope;
  const Floats zero(0), one(1);
  switch (kind) {
    case Activation::kRelu:
      return slope ? simd::select(x > zero, one, zero) : simd::select(x < zero, zero, x);
    case Activation::kGelu: {
      const Floats bell = exponential(Floats(-0.5F) * x * x), share = normal_share(x, bell);
      return slope ? simd::madd(x, bell * Floats(0.39894228F), share) : x * share;
    }
    case Activation::kTanh: {
      const Floats value = simd::tanh(x);
      return slope ? one - value * value : value;
    }
    case Activation::kSilu: {
      const Floats share = sigmoid(x);
      return slope ? share * (one + x * (one - share)) : x * share;
    }
    case Activation::kSigmoid: {
      const Floats value = sigmoid(x);
      return slope ? value * (one - value) : value;
    }
  }
  return x;
}

}  // namespace

void activate(Activation kind, const float* x, int64_t count, float* y) noexcept {
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    lanes.store(y + i, evaluate(kind, Part::kValue, lanes.load(x + i)));
  });
}

void activate_backward(Activation kind, const float* x, int64_t count, float* gradient) noexcept {
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    lanes.store(gradient + i,
                lanes.load(gradient + i) * evaluate(kind, Part::kSlope, lanes.load(x + i)));
  });
}

}  // namespace posenc::kernels
