// Frequencies of rotary encodings that reach beyond the length they were trained for.
//   default     w_m = base^(-2m/d)
//   linear      w_m / factor                                                    (Chen 2023; kaiokendev 2023)
//   ntk         base · factor^(d/(d-2)) as base                                 (bloc97 2023)
//   dynamic     the same with factor·L/L₀ - (factor - 1), L the length reached  (emozilla 2023)
//   ntkByParts  linear, ntk and default blended by two ramps over the pairs     (bloc97 2023, jquesnelle/yarn)
//   yarn        linear and default blended by one ramp, amplitude on cos, sin   (Peng et al. 2024)
//   longrope    w_m / shortFactor_m, beyond L₀ w_m / longFactor_m               (Ding et al. 2024)
//   llama3      w_m / factor for long waves, w_m for short ones, blended between (Llama 3.1, 2024)
// All in double. d is the rotated width, L₀ the original length.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "posenc/core/fields.hpp"

namespace posenc {

enum class RopeScalingType : uint8_t {
  kDefault, kLinear, kNtk, kNtkByParts, kDynamic, kYarn, kLongrope, kLlama3
};
inline constexpr const char* kRopeScalingTypeNames[] = {"default", "linear", "ntk",      "ntkByParts",
                                                        "dynamic", "yarn",   "longrope", "llama3"};

struct RopeScaling {
  RopeScalingType type = RopeScalingType::kDefault;
  double factor = 1;
  int64_t original_length = 0;
  double beta_fast = 32, beta_slow = 1;
  bool truncate = true;
  std::optional<double> attention_factor;
  std::optional<double> mscale, mscale_all_dim;
  NumberList short_factor, long_factor;
  std::optional<double> short_mscale, long_mscale;
  double low_freq_factor = 1, high_freq_factor = 4;
  double beta_0 = 1.25, beta_1 = 0.75, gamma_0 = 16, gamma_1 = 2;
  double ntk_factor = 1, extrapolation_factor = 1;
};

// What a frequency depends on. `reached` is the length reached, largest position + 1; up to the original
// length, 0 included, `dynamic` and `longrope` are as trained.
struct RopeFrequencyRule {
  const RopeScaling& scaling;
  double base;
  int64_t rotary_dim;

  // The length changes what the members below return.
  bool depends_on_reach() const noexcept;
  // Writes radians per position of the pairs from `first` on.
  void frequencies(double reached, int64_t first, std::span<double> out) const noexcept;
  // What cos and sin are multiplied by; scores get its square.
  double attention_factor(double reached) const noexcept;
};

// What no single field can check: lists of the right length, ranges that are ranges, d = 2.
Status check_rope_scaling(const RopeFrequencyRule& rule) noexcept;

}  // namespace posenc
