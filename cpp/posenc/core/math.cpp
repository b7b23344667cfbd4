#include "posenc/core/math.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace posenc::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2High = 0x1.62e42feep-1;  // 33 bits: times an exponent it is exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// A value as an unevaluated sum.
struct Parts {
  double high, low;
};

// The leading 26 bits: products of two such are exact.
double leading(double x) noexcept {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~((uint64_t{1} << 27) - 1));
}
// 2^k for normal results.
double power_of_two(int64_t k) noexcept {
  return std::bit_cast<double>(static_cast<uint64_t>(k + 1023) << 52);
}

double polynomial(std::span<const double> factors, double x) noexcept {
  double sum = 0;
  for (double factor : factors) sum = sum * x + factor;
  return sum;
}

// 1/21, 1/19, ..., 1/3: (artanh(s)/s - 1) / s² in s²
constexpr auto kOddShares = [] {
  std::array<double, 10> shares = {};
  for (int i = 0; i < 10; i++) shares[static_cast<std::size_t>(i)] = 1.0 / (21 - 2 * i);
  return shares;
}();
// 1/n! for every Step-th n, down to First; alternating in sign where Step is 2.
template <int Count, int First, int Step>
constexpr auto kFactorials = [] {
  std::array<double, Count> values = {};
  double factorial = 1;
  for (int n = 2; n <= First; n++) factorial *= n;
  for (int i = 0; i < Count; i++) {
    const double sign = Step == 2 && i % 2 == 0 ? -1 : 1;
    values[static_cast<std::size_t>(Count - 1 - i)] = sign / factorial;
    for (int n = First + Step * i + 1; n <= First + Step * (i + 1); n++) factorial *= n;
  }
  return values;
}();

// ln x = k ln 2 + 2 artanh(s), s = (m - 1) / (m + 1), where x = 2^k m and m is from √½ to √2; for
// finite x above 0.
Parts log_parts(double x) noexcept {
  int64_t k = 0;
  if (x < 0x1p-1022) x *= 0x1p54, k = -54;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  k += static_cast<int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & ((uint64_t{1} << 52) - 1)) | (uint64_t{1023} << 52));
  if (m > std::numbers::sqrt2) m /= 2, k++;

  const double f = m - 1, sum = m + 1, s = f / sum;
  const double s_high = leading(s), sum_high = leading(sum);
  const double s_low = ((f - s_high * sum_high) - s_high * (m - (sum_high - 1))) / sum;
  const double square = s * s;
  const double tail = 2 * s * square * polynomial(kOddShares, square);

  const auto exponent = static_cast<double>(k);
  const double whole = exponent * kLn2High, high = whole + 2 * s_high;
  return {high, (2 * s_high - (high - whole)) + (2 * s_low + tail + exponent * kLn2Low)};
}

// e^(high + low) = 2^k e^r with |r| up to about ln 2 / 2, by Taylor's series.
double exp_parts(Parts x) noexcept {
  if (!(x.high < 710)) return x.high > 0 ? kInfinity : kNaN;
  if (x.high < -750) return 0;
  const double k = std::nearbyint(x.high * std::numbers::log2e);
  const double near = x.high - k * kLn2High, rest = x.low - k * kLn2Low, r = near + rest;
  const double lost = rest - (r - near);
  const double value = 1 + (r + (lost + r * r * polynomial(kFactorials<13, 2, 1>, r)));
  const auto half = static_cast<int64_t>(k) / 2;  // in two steps, for results below the normal ones
  return value * power_of_two(half) * power_of_two(static_cast<int64_t>(k) - half);
}

// x^n as repeated squares.
double whole_power(double x, uint64_t n) noexcept {
  double result = 1;
  for (; n != 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) result *= x;
  }
  return result;
}

}  // namespace

double log(double x) noexcept {
  if (!(x > 0)) return x == 0 ? -kInfinity : kNaN;
  if (x == kInfinity) return x;
  const Parts parts = log_parts(x);
  return parts.high + parts.low;
}

// ln(1 + x): what 1 + x loses of x is put back (Kahan).
double log1p(double x) noexcept {
  const double sum = 1 + x;
  if (sum == 1 || sum == kInfinity) return x;
  return log(sum) * (x / (sum - 1));
}

double log2(double x) noexcept { return log(x) * std::numbers::log2e; }

double exp(double x) noexcept { return exp_parts({x, 0}); }

double exp2(double x) noexcept {
  if (!(x < 1025)) return x > 0 ? kInfinity : kNaN;
  if (x < -1080) return 0;
  const double k = std::nearbyint(x);
  const auto half = static_cast<int64_t>(k) / 2;
  return exp((x - k) * std::numbers::ln2) * power_of_two(half) *
         power_of_two(static_cast<int64_t>(k) - half);
}

double power(double x, double y) noexcept {
  if (y >= 0 && y <= 64 && x == std::floor(x) && y == std::floor(y))
    return whole_power(x, static_cast<uint64_t>(y));
  if (!(x > 0)) return x == 0 ? (y > 0 ? 0 : kInfinity) : kNaN;
  if (x == kInfinity) return y > 0 ? x : 0;
  const Parts logarithm = log_parts(x);
  const double high = leading(logarithm.high), low = (logarithm.high - high) + logarithm.low,
               y_high = leading(y);
  return exp_parts({y_high * high, (y - y_high) * high + y * low});
}

// (e^2x - 1) / (e^2x + 1), with e^2x - 1 by Kahan's correction.
double tanh(double x) noexcept {
  const double twice = 2 * std::abs(x);
  if (!(twice < 50)) return x != x ? x : std::copysign(1.0, x);
  const double e = exp(twice), less = e == 1 ? twice : (e - 1) * (twice / log(e));
  return std::copysign(less / (less + 2), x);
}

SineCosine sine_cosine(double turns) noexcept {
  const double quarters = std::nearbyint(4 * turns),
               x = 2 * std::numbers::pi * (turns - quarters / 4);
  const double square = x * x;
  const double sine = x + x * square * polynomial(kFactorials<9, 3, 2>, square);
  const double cosine = 1 + square * polynomial(kFactorials<9, 2, 2>, square);
  switch (static_cast<int64_t>(quarters) & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

}  // namespace posenc::math
