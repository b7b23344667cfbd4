// Activations of small networks, and their slopes.
//   gelu(x) = x·Φ(x), the exact one; Φ by Abramowitz & Stegun 7.1.26, within 2e-7 absolute
//   silu(x) = x·σ(x)
// The others are within a few ULP.
#pragma once

#include <cstdint>

namespace posenc::kernels {

enum class Activation : uint8_t { kRelu, kGelu, kTanh, kSilu, kSigmoid };
// What encodings offer; kSigmoid is for gates.
inline constexpr const char* kActivationNames[] = {"relu", "gelu", "tanh", "silu"};

// y = f(x); y may be x.
void activate(Activation kind, const float* x, int64_t count, float* y) noexcept;
// gradient *= f'(x)
void activate_backward(Activation kind, const float* x, int64_t count, float* gradient) noexcept;

}  // namespace posenc::kernels
