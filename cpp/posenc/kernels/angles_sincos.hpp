// Sine and cosine in double of position · frequency, for SIMD lanes of frequencies and one
// position. The angle is kept in turns (frequency / 2π as an unevaluated sum of three doubles), so
// that taking out whole turns is exact: products are split by Dekker's method, only multiplied and
// added, never fused, and every build gives the same bits. Error below 1e-15 for |position ·
// frequency| < 2^52, whatever the position; modulus 1 to the same accuracy beyond. Dekker 1971, "A
// floating-point technique for extending the available precision".
#pragma once

#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {

// A double as the sum of two that have at most 26 significant bits each: their products are exact.
template <typename T>
struct Halves {
  T high, low;
};
template <typename T>
inline Halves<T> halves(const T& x) noexcept {
  const T scaled = x * T(0x1p27 + 1);
  const T high = scaled - (scaled - x);
  return {high, x - high};
}

// The rounding error of `product` = a · b.
template <typename A, typename B, typename T>
inline T product_error(const Halves<A>& a, const Halves<B>& b, const T& product) noexcept {
  return ((T(a.high) * b.high - product) + T(a.high) * b.low + T(a.low) * b.high) +
         T(a.low) * b.low;
}

// Frequency in turns per position: high + low, and high again as its two halves.
struct Turns {
  simd::Doubles high, low;
  Halves<simd::Doubles> split;
};

inline Turns turns_of(const simd::Doubles& frequency) noexcept {
  using simd::Doubles;
  constexpr double kPerRadian = 0x1.45f306dc9c883p-3;  // 1 / 2π, and what it lacks
  constexpr double kPerRadianRest = -0x1.6b01ec5417056p-57;
  const Doubles product = frequency * Doubles(kPerRadian);
  const Doubles rest = product_error(halves(frequency), halves(Doubles(kPerRadian)), product) +
                       frequency * Doubles(kPerRadianRest);
  const Doubles high = product + rest;
  return {high, rest - (high - product), halves(high)};
}

struct SinCos {
  simd::Doubles sin, cos;
};

// Of an angle of -1/8 to 1/8 turn: minimax polynomials, 3e-17 (sine) and 2e-16 (cosine) off.
inline SinCos sincos_octant(const simd::Doubles& turns) noexcept {
  using simd::Doubles;
  const Doubles square = turns * turns;
  Doubles sin = square * Doubles(3.780868955412745) + Doubles(-15.093804209819975);
  sin = sin * square + Doubles(42.05868502015822);
  sin = sin * square + Doubles(-76.70585970427453);
  sin = sin * square + Doubles(81.60524927594804);
  sin = sin * square + Doubles(-41.341702240399634);
  sin = sin * square + Doubles(6.283185307179586);
  Doubles cos = square * Doubles(7.823560397883081) + Doubles(-26.424853147626813);
  cos = cos * square + Doubles(60.24463000814047);
  cos = cos * square + Doubles(-85.4568171650944);
  cos = cos * square + Doubles(64.93939402261259);
  cos = cos * square + Doubles(-19.739208802178705);
  return {sin * turns, cos * square + Doubles(1.0)};
}

// Of any angle that is a small number of turns.
inline SinCos sincos_part(const simd::Doubles& some) noexcept {
  using simd::Doubles;
  const Doubles turns = some - simd::nearest(some);
  const Doubles quarter = simd::nearest(turns * Doubles(4.0));  // -2 to 2
  const SinCos part = sincos_octant(turns - quarter * Doubles(0.25));
  const auto odd = simd::abs(quarter) == Doubles(1.0);
  const Doubles sin = simd::select(odd, part.cos, part.sin);
  const Doubles cos = simd::select(odd, part.sin, part.cos);
  const auto sin_below = (quarter < Doubles(-0.5)) || (quarter > Doubles(1.5));
  const auto cos_below = (quarter > Doubles(0.5)) || (quarter < Doubles(-1.5));
  return {simd::select(sin_below, -sin, sin), simd::select(cos_below, -cos, cos)};
}

inline SinCos sincos_turns(double position, const Turns& frequency) noexcept {
  using simd::Doubles;
  const Doubles product = Doubles(position) * frequency.high;
  const Doubles error = product_error(halves(position), frequency.split, product);
  return sincos_part((product - simd::nearest(product)) +
                     (error + Doubles(position) * frequency.low));
}

// Of angles in radians up to kNear: quarters of a turn are taken off in two steps, n · high being
// exact. That takes less than half the time that angles of any size do, and errors are as of these.
inline constexpr double kNear = 0x1p20;
inline SinCos sincos_near(const simd::Doubles& angle) noexcept {
  using simd::Doubles;
  constexpr double kHigh = 0x1.921fb544p0, kLow = 0x1.0b4611a626331p-34;  // of π/2
  const Doubles shift(0x1.8p52);  // rounds to whole numbers, which the bits end with
  const Doubles shifted = angle * Doubles(0x1.45f306dc9c883p-1) + shift;
  const Doubles quarters = shifted - shift;
  const Doubles rest = (angle - quarters * Doubles(kHigh)) - quarters * Doubles(kLow);
  const SinCos part = sincos_octant(rest * Doubles(0x1.45f306dc9c883p-3));
  const simd::Wholes n = simd::wholes_of(shifted);
  const auto odd = simd::is_odd(n);
  const Doubles sin = simd::select(odd, part.cos, part.sin);
  const Doubles cos = simd::select(odd, part.sin, part.cos);
  return {simd::negate_by_halves(sin, n), simd::negate_by_halves(cos, n + simd::Wholes(1))};
}

// Of angles in radians, of any size.
inline SinCos sincos_radians(const simd::Doubles& angle) noexcept {
  const Turns turns = turns_of(angle);
  return sincos_part((turns.high - simd::nearest(turns.high)) + turns.low);
}

}  // namespace posenc::kernels
