#include "posenc/kernels/half.hpp"

#include <cmath>
#include <numeric>

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using Bits = std::vector<uint16_t>;

// The value of a pattern of 5 or 8 bits of exponent and 10 or 7 of fraction, as IEEE 754 says it.
double value_of(uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1),
            fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? static_cast<double>(NAN) : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

struct Format {
  const char* name;
  int exponent_bits;
  decltype(&kernels::widen_f16) widen;
  decltype(&kernels::narrow_f16) narrow;
};
constexpr Format kFormats[] = {{"f16", 5, kernels::widen_f16, kernels::narrow_f16},
                               {"bf16", 8, kernels::widen_bf16, kernels::narrow_bf16}};

TEST_CASE("half: every pattern is widened exactly, and comes back") {
  Bits all(1 << 16), back(all.size());
  std::iota(all.begin(), all.end(), uint16_t{0});
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    std::vector<float> wide(all.size());
    format.widen(all.data(), 1 << 16, wide.data());
    format.narrow(wide.data(), 1 << 16, back.data());
    int wrong = 0;
    for (std::size_t i = 0; i < all.size(); i++) {
      const double want = value_of(all[i], format.exponent_bits);
      if (std::isnan(want)) {
        wrong += !std::isnan(wide[i]) || !std::isnan(value_of(back[i], format.exponent_bits));
      } else {
        wrong +=
            wide[i] != want || std::signbit(wide[i]) != std::signbit(want) || back[i] != all[i];
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("half: what lies between two patterns goes to the nearer, half way to the even one") {
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    int wrong = 0;
    const auto last = static_cast<uint16_t>(((1 << format.exponent_bits) - 1)
                                            << (15 - format.exponent_bits));  // infinity
    for (uint16_t low = 0; low + 1 < last; low++) {
      const auto high = static_cast<uint16_t>(low + 1);
      const auto middle = static_cast<float>(
          (value_of(low, format.exponent_bits) + value_of(high, format.exponent_bits)) / 2);
      const float values[] = {std::nextafter(middle, 0.0F), middle,
                              std::nextafter(middle, HUGE_VALF), -middle};
      uint16_t got[4];
      format.narrow(values, 4, got);
      const uint16_t even = low % 2 == 0 ? low : high;
      wrong += got[0] != low || got[1] != even || got[2] != high || got[3] != (even | 0x8000);
    }
    CHECK(wrong == 0);
  }
  const float large[] = {65504, 65519.996F, 65520, 1e30F};
  uint16_t got[4];
  kernels::narrow_f16(large, 4, got);
  CHECK(Bits(got, got + 4) == Bits{0x7bff, 0x7bff, 0x7c00, 0x7c00});
}

TEST_CASE("half: at every length, and what lies behind stays") {
  for (const Format& format : kFormats) {
    for (int64_t count = 0; count <= 4 * testing::lanes() + 3; count++) {
      const auto size = static_cast<std::size_t>(count);
      const auto x = testing::random_floats(size, 6, -70000, 70000);
      Bits half(size + 1, 0x1234);
      std::vector<float> wide(size + 1, 7);
      format.narrow(x.data(), count, half.data());
      format.widen(half.data(), count, wide.data());
      const double step = std::ldexp(1.0, format.exponent_bits - 16);  // half of a last place
      for (std::size_t i = 0; i < size; i++) {
        if (std::isfinite(wide[i])) CHECK(std::abs(wide[i] - x[i]) <= step * std::abs(x[i]));
      }
      CHECK(half[size] == 0x1234);
      CHECK(wide[size] == 7);
    }
  }
}

}  // namespace
}  // namespace posenc
