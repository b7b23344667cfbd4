// The generator behind every `seed`: SplitMix64 (Steele, Lea & Flood 2014) and, for normal numbers,
// the Box-Muller transform in double. The same seed gives the same numbers on every build and
// engine but for the last bit of log and cos.
#pragma once

#include <cmath>
#include <cstdint>

#include "posenc/core/math.hpp"

namespace posenc {

class Random {
 public:
  explicit Random(uint64_t seed) noexcept : state_(seed) {}

  uint64_t next() noexcept {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // In [0, 1), 53 bits.
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Mean 0, deviation 1. Two uniforms make two of them; the second waits for the next call.
  double normal() noexcept {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * math::log1p(-uniform()));
    const auto [sine, cosine] = math::sine_cosine(uniform());
    spare_ = radius * sine;
    has_spare_ = true;
    return radius * cosine;
  }

 private:
  uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace posenc
