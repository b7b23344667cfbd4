#include "posenc/core/math.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "posenc/core/random.hpp"

namespace posenc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In units of the last place of the result.
double ulps(double got, long double want) {
  const double rounded = std::abs(static_cast<double>(want));
  const double unit = std::nextafter(rounded, kInfinity) - rounded;
  return static_cast<double>(
      std::abs((static_cast<long double>(got) - want) / static_cast<long double>(unit)));
}

struct Worst {
  double value = 0;
  void operator()(double got, long double want) { value = std::max(value, ulps(got, want)); }
};

TEST_CASE("math: logarithms, powers and tanh keep their ulps over the range of doubles") {
  Random random(5);
  const auto between = [&](double low, double high) {
    return low + (high - low) * random.uniform();
  };
  Worst log, log2, log1p, exp, exp2, power, tanh;
  for (int i = 0; i < 100000; i++) {
    const double wide = std::exp(between(-700, 700)), near = std::exp(between(-0.1, 0.1));
    log(math::log(wide), std::log(static_cast<long double>(wide)));
    log(math::log(near), std::log(static_cast<long double>(near)));
    log2(math::log2(wide), std::log2(static_cast<long double>(wide)));
    const double small = between(-1, 1) * std::pow(10, between(-9, 0)), large = between(0, 1e6);
    log1p(math::log1p(small), std::log1p(static_cast<long double>(small)));
    log1p(math::log1p(large), std::log1p(static_cast<long double>(large)));
    const double exponent = between(-700, 700);
    exp(math::exp(exponent), std::exp(static_cast<long double>(exponent)));
    exp2(math::exp2(exponent), std::exp2(static_cast<long double>(exponent)));
    const double base = std::exp(between(0, 20)), share = between(-2, 2);
    power(math::power(base, share),
          std::pow(static_cast<long double>(base), static_cast<long double>(share)));
    tanh(math::tanh(small), std::tanh(static_cast<long double>(small)));
    tanh(math::tanh(10 * small), std::tanh(static_cast<long double>(10 * small)));
  }
  MESSAGE("worst ulp: log " << log.value << ", log2 " << log2.value << ", log1p " << log1p.value
                            << ", exp " << exp.value << ", exp2 " << exp2.value << ", power "
                            << power.value << ", tanh " << tanh.value);
  // WebAssembly's long double has 113 bits, but its C library works such functions out as doubles.
  const long double one = std::log(3.0L);
  const double slack = one == static_cast<double>(one) ? 1 : 0;  // the other side's own error
  for (const Worst& worst : {log, log2, exp, exp2, power}) CHECK(worst.value < 1.5 + slack);
  for (const Worst& worst : {log1p, tanh}) CHECK(worst.value < 4 + slack);
}

TEST_CASE("math: what can be exact is, and the ends of the range are those of the C library") {
  for (int n = -1074; n <= 1023; n++) CHECK(math::exp2(n) == std::ldexp(1.0, n));
  CHECK(math::power(10, 15) == 1e15);
  CHECK(math::power(3, 33) == 5559060566555523.0);
  CHECK(math::power(-2, 3) == -8);
  CHECK(math::power(7, 0) == 1);
  CHECK(math::power(1, -0.3) == 1);
  CHECK(math::power(0, 0.5) == 0);
  CHECK(math::power(0, -0.5) == kInfinity);
  CHECK(std::isnan(math::power(-2, 0.5)));
  CHECK(math::log(1) == 0);
  CHECK(math::log(0) == -kInfinity);
  CHECK(math::log(kInfinity) == kInfinity);
  CHECK(std::isnan(math::log(-1)));
  CHECK(math::log1p(-1) == -kInfinity);
  CHECK(math::log1p(1e-300) == 1e-300);
  CHECK(math::exp(0) == 1);
  CHECK(math::exp(710) == kInfinity);
  CHECK(math::exp(-746) == 0);
  CHECK(math::exp(-740) == std::exp(-740.0));
  CHECK(std::isnan(math::exp(NAN)));
  CHECK(math::tanh(1e-300) == 1e-300);
  CHECK(math::tanh(-50) == -1);
}

TEST_CASE("math: sine and cosine of turns, whole ones taken off exactly") {
  Random random(6);
  double worst = 0;
  for (int i = 0; i < 100000; i++) {
    const double turns = 2 * random.uniform() - 1;
    const long double angle = 2 * std::numbers::pi_v<long double> * turns;
    const math::SineCosine wave = math::sine_cosine(turns);
    worst = std::max({worst, std::abs(wave.sine - static_cast<double>(std::sin(angle))),
                      std::abs(wave.cosine - static_cast<double>(std::cos(angle)))});
  }
  MESSAGE("largest error of sine and cosine: " << worst);
  CHECK(worst < 0x1p-51);
  CHECK(math::sine_cosine(0.25).sine == 1);
  CHECK(math::sine_cosine(0.5).cosine == -1);
  CHECK(math::sine_cosine(0x1p40 + 0.125).sine == math::sine_cosine(0.125).sine);
}

}  // namespace
}  // namespace posenc
