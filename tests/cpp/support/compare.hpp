// Comparing computed values with expected ones, and seeded inputs.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "posenc/core/error.hpp"
#include "posenc/core/random.hpp"

namespace posenc::testing {

inline constexpr double kGoldenBound = 5e-6;

// Largest |a - b| / (1 + |b|); infinities must be equal, a NaN counts as infinitely wrong.
template <typename A, typename B>
double largest_error(const A& got, const B& want) {
  if (got.size() != want.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); i++) {
    const auto a = static_cast<double>(got[i]), b = static_cast<double>(want[i]);
    if (a == b) continue;
    const double error = std::abs(a - b) / (1 + std::abs(b));
    largest = std::isfinite(error) ? std::max(largest, error) : INFINITY;
  }
  return largest;
}

// Fails with the largest error when it is above the bound.
template <typename A, typename B>
void check_close(const A& got, const B& want, double bound, const std::string& what) {
  const double error = largest_error(got, want);
  CHECK_MESSAGE(error <= bound, what << ": largest error " << error << ", allowed " << bound);
}

// The bound for a golden case: its own tolerance, and ours where that is tighter.
inline double golden_bound(double tolerance) { return std::min(tolerance, kGoldenBound); }

inline std::vector<float> random_floats(std::size_t count, uint64_t seed, double low = -1,
                                        double high = 1) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(low + (high - low) * random.uniform());
  return values;
}

// Checks an Error's code and that it names a parameter, what came and what is allowed.
inline void check_error(const Error& error, ErrorCode code, const std::string& parameter) {
  CHECK(kErrorCodeNames[static_cast<std::size_t>(error.code())] ==
        std::string(kErrorCodeNames[static_cast<std::size_t>(code)]));
  CHECK(std::string(error.parameter()) == parameter);
  CHECK_FALSE(error.received().empty());
  CHECK_FALSE(error.allowed().empty());
}

}  // namespace posenc::testing
