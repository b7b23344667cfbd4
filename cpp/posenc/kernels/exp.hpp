// exp and tanh of a batch, for softmax and softcap.
//   exp(x) = 2^n · exp(r), n = round(x / ln 2), |r| ≤ ln 2 / 2, by a polynomial of degree 6 with
//   the least largest relative error (3.1e-9). Adding 1.5·2^23 rounds x / ln 2 and leaves n in the
//   low bits.
// exp: x ≤ 88, within 2 ULP; below -87.33 (where results stop being normal numbers) exactly 0; NaN
// stays NaN. tanh: every x, within 4 ULP; never outside [-1, 1].
#pragma once

#include "posenc/kernels/simd.hpp"

namespace posenc::simd {

inline constexpr float kExpLowest = -87.33654F;

inline Floats exp(const Floats& x) noexcept {
  const Floats shift(0x1.8p23F);
  const Floats shifted = madd(x, Floats(1.44269504F), shift);
  const Floats n = shifted - shift;
  // ln 2 in two parts; the first has so few bits that n times it is exact.
  const Floats r = madd(n, Floats(2.12194440e-4F), madd(n, Floats(-0.693359375F), x));
  Floats p(1.38145406e-3F);
  p = madd(p, r, Floats(8.36874545e-3F));
  p = madd(p, r, Floats(4.16683890e-2F));
  p = madd(p, r, Floats(1.66665211e-1F));
  p = madd(p, r, Floats(0.499999940F));
  p = madd(p, r, Floats(1));
  p = madd(p, r, Floats(1));
  return select(x < Floats(kExpLowest), Floats(0), add_to_exponent(p, shifted));
}

// Near 0, x + x³·P(x²) keeps the relative accuracy that (1 - e) / (1 + e), e = exp(-2|x|), would
// lose.
inline Floats tanh(const Floats& x) noexcept {
  const Floats magnitude = abs(x), square = x * x;
  Floats p(-5.70498872745e-3F);
  p = madd(p, square, Floats(2.06390887954e-2F));
  p = madd(p, square, Floats(-5.37397155531e-2F));
  p = madd(p, square, Floats(1.33314422036e-1F));
  p = madd(p, square, Floats(-3.33332819422e-1F));
  const Floats near = madd(p * square, x, x);
  const Floats e = exp(Floats(-2) * magnitude);
  const Floats ratio = (Floats(1) - e) / (Floats(1) + e);
  const Floats far = select(x < Floats(0), -ratio, ratio);
  return select(magnitude < Floats(0.625F), near, far);
}

}  // namespace posenc::simd
