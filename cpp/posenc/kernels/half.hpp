// 16-bit floats: IEEE 754 binary16 ("f16") and bfloat16 ("bf16"), to float and back. Widening is
// exact; narrowing rounds to nearest, ties to even, overflows to infinity and keeps NaN.
#pragma once

#include <cstdint>

namespace posenc::kernels {

void widen_f16(const uint16_t* x, int64_t count, float* out) noexcept;
void widen_bf16(const uint16_t* x, int64_t count, float* out) noexcept;
void narrow_f16(const float* x, int64_t count, uint16_t* out) noexcept;
void narrow_bf16(const float* x, int64_t count, uint16_t* out) noexcept;

}  // namespace posenc::kernels
