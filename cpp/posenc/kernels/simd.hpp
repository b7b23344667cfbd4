// The only file that includes xsimd or knows an architecture: the batch alias, loads and stores
// with their tails, and the one fused multiply-add.
#pragma once

#include <cstddef>
#include <cstdint>

#include <xsimd/xsimd.hpp>
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc::simd {

#if defined(__wasm__) && !defined(__wasm_simd128__)
using Arch = xsimd::emulated<128>;  // the scalar build: xsimd's own loops over four lanes
#else
using Arch = xsimd::default_arch;
#endif

// Which build this is, by the names that JavaScript gives the wasm variants.
#if !defined(__wasm__)
inline constexpr const char* kVariant = "native";
#elif defined(__wasm_relaxed_simd__)
inline constexpr const char* kVariant = "relaxed";
#elif defined(__wasm_simd128__)
inline constexpr const char* kVariant = "simd";
#else
inline constexpr const char* kVariant = "scalar";
#endif

using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;
inline constexpr int64_t kLanes = static_cast<int64_t>(Floats::size);

inline Floats load(const float* p) noexcept { return Floats::load_unaligned(p); }
inline void store(float* p, const Floats& v) noexcept { v.store_unaligned(p); }
inline Doubles load(const double* p) noexcept { return Doubles::load_unaligned(p); }
inline void store(double* p, const Doubles& v) noexcept { v.store_unaligned(p); }

// a·b + c. One rounding where the build has a fused instruction (relaxed SIMD, x86 with FMA, Arm),
// two elsewhere: never where a result depends on exact splitting.
inline Floats madd(const Floats& a, const Floats& b, const Floats& c) noexcept {
#if defined(__wasm_relaxed_simd__)
  return Floats(wasm_f32x4_relaxed_madd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

// yes where the lane of `mask` is true, else no.
inline Floats select(const Floats::batch_bool_type& mask, const Floats& yes,
                     const Floats& no) noexcept {
  return xsimd::select(mask, yes, no);
}
// The larger of both; where one is NaN, either.
inline Floats max(const Floats& a, const Floats& b) noexcept { return xsimd::max(a, b); }
inline Floats abs(const Floats& a) noexcept { return xsimd::abs(a); }
inline float reduce_add(const Floats& a) noexcept { return xsimd::reduce_add(a); }
inline float reduce_max(const Floats& a) noexcept { return xsimd::reduce_max(a); }

// Adds n to the exponent of y, where n stands in the low bits of `shifted` = 1.5·2^23 + n.
inline Floats add_to_exponent(const Floats& y, const Floats& shifted) noexcept {
  const auto bits = xsimd::bitwise_cast<int32_t>(y) + (xsimd::bitwise_cast<int32_t>(shifted) << 23);
  return xsimd::bitwise_cast<float>(bits);
}

inline Doubles select(const Doubles::batch_bool_type& mask, const Doubles& yes,
                      const Doubles& no) noexcept {
  return xsimd::select(mask, yes, no);
}
inline Doubles abs(const Doubles& a) noexcept { return xsimd::abs(a); }
// Where one is NaN, either.
inline Doubles max(const Doubles& a, const Doubles& b) noexcept { return xsimd::max(a, b); }
inline bool all(const Doubles::batch_bool_type& mask) noexcept { return xsimd::all(mask); }
inline Doubles log(const Doubles& a) noexcept { return xsimd::log(a); }
// For a < 710. Below -746 it is 0, and xsimd must not see the size: it converts to whole numbers
// first.
inline Doubles exp(const Doubles& a) noexcept { return xsimd::exp(xsimd::max(a, Doubles(-746))); }
// The nearest whole number, halves to even.
inline Doubles nearest(const Doubles& a) noexcept { return xsimd::nearbyint(a); }

// Whole numbers n of magnitude below 2^51, as the bits of 1.5·2^52 + n end with them.
using Wholes = xsimd::batch<int64_t, Arch>;
inline Wholes wholes_of(const Doubles& shifted) noexcept {
  return xsimd::bitwise_cast<int64_t>(shifted);
}
inline Doubles::batch_bool_type is_odd(const Wholes& n) noexcept {
  return xsimd::batch_bool_cast<double>((n & Wholes(1)) == Wholes(1));
}
// -x where n / 2, rounded down, is odd.
inline Doubles negate_by_halves(const Doubles& x, const Wholes& n) noexcept {
  const Wholes sign = (n << 62) & Wholes(INT64_MIN);
  return xsimd::bitwise_cast<double>(xsimd::bitwise_cast<int64_t>(x) ^ sign);
}

// Two batches as the even and odd lanes of one row of twice the length, and back.
struct FloatsPair {
  Floats first, second;
};
inline FloatsPair zip(const Floats& even, const Floats& odd) noexcept {
  return {xsimd::zip_lo(even, odd), xsimd::zip_hi(even, odd)};
}
struct EvenLanes {
  static constexpr uint32_t get(uint32_t i, uint32_t) { return 2 * i; }
};
struct OddLanes {
  static constexpr uint32_t get(uint32_t i, uint32_t) { return 2 * i + 1; }
};
inline FloatsPair unzip(const Floats& low, const Floats& high) noexcept {
#if defined(__wasm_simd128__)  // xsimd would swizzle and select
  return {Floats(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6)),
          Floats(wasm_i32x4_shuffle(low, high, 1, 3, 5, 7))};
#else
  return {xsimd::shuffle(low, high, xsimd::make_batch_constant<uint32_t, Arch, EvenLanes>()),
          xsimd::shuffle(low, high, xsimd::make_batch_constant<uint32_t, Arch, OddLanes>())};
#endif
}

// The lanes of a and then those of b, rounded to float.
inline Floats narrow(const Doubles& a, const Doubles& b) noexcept {
#if defined(__wasm_simd128__)
  return Floats(wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(a), wasm_f32x4_demote_f64x2_zero(b),
                                   0, 1, 4, 5));
#else
  constexpr std::size_t kHalf = Doubles::size;
  alignas(Doubles) double wide[2 * kHalf];
  alignas(Floats) float lanes[2 * kHalf];
  a.store_aligned(wide);
  b.store_aligned(wide + kHalf);
  for (std::size_t i = 0; i < 2 * kHalf; i++) lanes[i] = static_cast<float>(wide[i]);
  return Floats::load_aligned(lanes);
#endif
}
// a0, b0, a1, b1, ..., rounded to float.
inline Floats narrow_zip(const Doubles& a, const Doubles& b) noexcept {
#if defined(__wasm_simd128__)
  return Floats(wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(a), wasm_f32x4_demote_f64x2_zero(b),
                                   0, 4, 1, 5));
#else
  return narrow(xsimd::zip_lo(a, b), xsimd::zip_hi(a, b));
#endif
}

// How a loop body reads and writes: all lanes, or the first `count` of them (the others read as 0).
struct Whole {
  static Floats load(const float* p) noexcept { return simd::load(p); }
  static void store(float* p, const Floats& v) noexcept { simd::store(p, v); }
};
// Not inlined: there are hundreds of tails, and as loops they would become calls of memcpy.
[[gnu::noinline]] inline Floats load_part(const float* p, int64_t count) noexcept {
  alignas(Floats) float lanes[kLanes] = {};
  if constexpr (kLanes == 4) {
    if (count > 0) lanes[0] = p[0];
    if (count > 1) lanes[1] = p[1];
    if (count > 2) lanes[2] = p[2];
  } else {
    for (int64_t i = 0; i < count; i++) lanes[i] = p[i];
  }
  return Floats::load_aligned(lanes);
}
[[gnu::noinline]] inline void store_part(float* p, Floats v, int64_t count) noexcept {
  alignas(Floats) float lanes[kLanes];
  v.store_aligned(lanes);
  if constexpr (kLanes == 4) {
    if (count > 0) p[0] = lanes[0];
    if (count > 1) p[1] = lanes[1];
    if (count > 2) p[2] = lanes[2];
  } else {
    for (int64_t i = 0; i < count; i++) p[i] = lanes[i];
  }
}
struct Part {
  int64_t count;  // below kLanes
  Floats load(const float* p) const noexcept { return load_part(p, count); }
  void store(float* p, const Floats& v) const noexcept { store_part(p, v, count); }
};

// Calls body(i, lanes) for i = 0, kLanes, ... below n; the last call may be a Part. The one tail
// helper. Counting in the width of a pointer spares wasm a conversion for every address.
template <typename Body>
inline void for_lanes(int64_t n, Body&& body) noexcept {
  constexpr auto kStep = static_cast<std::ptrdiff_t>(kLanes);
  const auto whole = static_cast<std::ptrdiff_t>(n - n % kLanes);
  std::ptrdiff_t i = 0;
  for (; i < whole; i += kStep) body(i, Whole{});
  if (i < n) body(i, Part{n - i});
}

}  // namespace posenc::simd
