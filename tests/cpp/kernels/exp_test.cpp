#include "posenc/kernels/exp.hpp"

#include <cmath>
#include <limits>

#include "support/compare.hpp"

namespace posenc {
namespace {

using simd::Floats;

template <typename Function>
float lane_of(Function function, float x) {
  alignas(Floats) float lanes[simd::kLanes];
  function(Floats(x)).store_aligned(lanes);
  for (float lane : lanes) CHECK((lane == lanes[0] || std::isnan(lane)));
  return lanes[0];
}

float exp_of(float x) {
  return lane_of([](const Floats& v) { return simd::exp(v); }, x);
}
float tanh_of(float x) {
  return lane_of([](const Floats& v) { return simd::tanh(v); }, x);
}

// In units of the last place of the exact value.
double ulps(float got, double want) {
  const auto rounded = std::abs(static_cast<float>(want));
  const double step = std::nextafter(rounded, std::numeric_limits<float>::infinity()) - rounded;
  return std::abs(static_cast<double>(got) - want) / step;
}

TEST_CASE("exp: within 2 ULP over its domain") {
  double largest = 0;
  for (double x = -87.3365; x <= 88; x += 0.00173) {
    const auto argument = static_cast<float>(x);
    if (argument < simd::kExpLowest) continue;
    largest = std::max(largest, ulps(exp_of(argument), std::exp(static_cast<double>(argument))));
  }
  for (float x = 1e-30F; x < 1; x *= 1.37F) {
    largest = std::max({largest, ulps(exp_of(x), std::exp(static_cast<double>(x))),
                        ulps(exp_of(-x), std::exp(-static_cast<double>(x)))});
  }
  MESSAGE("exp: largest error " << largest << " ULP");
  CHECK(largest <= 2);
}

TEST_CASE("exp: exact values, nothing below its domain, and NaN") {
  CHECK(exp_of(0) == 1);
  CHECK(exp_of(-0.0F) == 1);
  for (float x : {-87.34F, -88.0F, -104.0F, -1000.0F, -1e30F, std::numeric_limits<float>::lowest(),
                  -std::numeric_limits<float>::infinity()}) {
    CAPTURE(x);
    CHECK(exp_of(x) == 0);
    CHECK_FALSE(std::signbit(exp_of(x)));
  }
  CHECK(std::isnan(exp_of(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("tanh: within 4 ULP everywhere and never outside [-1, 1]") {
  double largest = 0;
  for (double x = -12; x <= 12; x += 0.000371) {
    const auto argument = static_cast<float>(x);
    const float got = tanh_of(argument);
    CHECK(std::abs(got) <= 1);
    largest = std::max(largest, ulps(got, std::tanh(static_cast<double>(argument))));
  }
  for (float x = 1e-30F; x < 1; x *= 1.37F)
    largest = std::max(largest, ulps(tanh_of(x), std::tanh(static_cast<double>(x))));
  MESSAGE("tanh: largest error " << largest << " ULP");
  CHECK(largest <= 4);
  for (float x : {20.0F, 100.0F, 1e30F, std::numeric_limits<float>::infinity()}) {
    CHECK(tanh_of(x) == 1);
    CHECK(tanh_of(-x) == -1);
  }
  CHECK(tanh_of(0) == 0);
  CHECK(std::isnan(tanh_of(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace posenc
