// Frequencies of rotary encodings that reach beyond the length they were trained for.
//   default     w_m = base^(-2m/d)
//   linear      w_m / factor                                                    (Chen 2023;
//   kaiokendev 2023) ntk         base · factor^(d/(d-2)) as base (bloc97 2023) dynamic     the same
//   with factor·L/L₀ - (factor - 1), L the length reached  (emozilla 2023) ntkByParts  linear, ntk
//   and default blended by two ramps over the pairs     (bloc97 2023, jquesnelle/yarn) yarn linear
//   and default blended by one ramp, amplitude on cos, sin   (Peng et al. 2024) longrope    w_m /
//   shortFactor_m, beyond L₀ w_m / longFactor_m               (Ding et al. 2024) llama3      w_m /
//   factor for long waves, w_m for short ones, blended between (Llama 3.1, 2024)
// All in double. d is the rotated width, L₀ the original length.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/rotary/rope_options.hpp"

namespace posenc {

// `reached` is the length reached, largest position + 1: up to the original length, 0 included,
// `dynamic` and `longrope` are as trained. The others do not depend on it.
bool scales_by_reach(const RopeScaling& scaling) noexcept;
bool beyond_original(const RopeScaling& scaling, double reached) noexcept;

// Writes radians per position of the pairs from `first` on. `options` are resolved.
void scaled_frequencies(const RopeOptions& options, double reached, int64_t first,
                        std::span<double> out) noexcept;

// What cos and sin are multiplied by; scores get its square.
double rotary_amplitude(const RopeScaling& scaling, double reached) noexcept;

// What no single field can check: lists of the right length, bounds in order, no stretched base
// where d = 2.
Status check_scaling(const RopeOptions& options) noexcept;

}  // namespace posenc
