#include "posenc/kernels/half.hpp"

#include <bit>

namespace posenc::kernels {
namespace {

constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;

// Each conversion is integer arithmetic and selects, without branches, for the compiler to
// vectorise.

// Exponents of binary16 count from 15, of float from 127: multiplying by 2^112 moves them,
// subnormals too.
float widen_one(uint16_t half) noexcept {
  const uint32_t magnitude = (half & 0x7fffU) << 13;
  const auto moved = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const uint32_t special = magnitude >= 0x7c00U << 13 ? kInfinity : 0;
  return std::bit_cast<float>(moved | special | (half & 0x8000U) << 16);
}

uint16_t narrow_one(float value) noexcept {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & ~kSign;
  // Normal results: move the exponent and round the 13 bits that go, ties to even by the lowest
  // that stays.
  const uint32_t normal = (magnitude - (112U << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // Subnormal results: adding 0.5 leaves the value in units of 2^-24 in the low bits, rounded by
  // the addition.
  const auto shifted = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F);
  const uint32_t subnormal = shifted - std::bit_cast<uint32_t>(0.5F);
  const uint32_t special = magnitude > kInfinity ? 0x7e00 : 0x7c00;
  uint32_t half = magnitude < 113U << 23 ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? special : half;  // 65520 and more round to infinity
  return static_cast<uint16_t>(half | (bits & kSign) >> 16);
}

uint16_t narrow_bfloat(float value) noexcept {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const uint32_t quiet = bits >> 16 | 0x40;
  return static_cast<uint16_t>((bits & ~kSign) > kInfinity ? quiet : rounded);
}

}  // namespace

void widen_f16(const uint16_t* x, int64_t count, float* out) noexcept {
  for (int64_t i = 0; i < count; i++) out[i] = widen_one(x[i]);
}

void widen_bf16(const uint16_t* x, int64_t count, float* out) noexcept {
  for (int64_t i = 0; i < count; i++)
    out[i] = std::bit_cast<float>(static_cast<uint32_t>(x[i]) << 16);
}

void narrow_f16(const float* x, int64_t count, uint16_t* out) noexcept {
  for (int64_t i = 0; i < count; i++) out[i] = narrow_one(x[i]);
}

void narrow_bf16(const float* x, int64_t count, uint16_t* out) noexcept {
  for (int64_t i = 0; i < count; i++) out[i] = narrow_bfloat(x[i]);
}

}  // namespace posenc::kernels
