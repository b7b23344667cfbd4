// The only file that includes xsimd or knows an architecture: the batch alias, loads and stores with their
// tails, and the one fused multiply-add.
#pragma once

#include <cstddef>
#include <cstdint>

#include <xsimd/xsimd.hpp>
#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#endif

namespace posenc::simd {

#if defined(__wasm__) && !defined(__wasm_simd128__)
using Arch = xsimd::emulated<128>;  // the scalar build: xsimd's own loops over four lanes
#else
using Arch = xsimd::default_arch;
#endif

using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;
inline constexpr int64_t kLanes = static_cast<int64_t>(Floats::size);

inline Floats load(const float* p) noexcept { return Floats::load_unaligned(p); }
inline void store(float* p, const Floats& v) noexcept { v.store_unaligned(p); }
inline Doubles load(const double* p) noexcept { return Doubles::load_unaligned(p); }
inline void store(double* p, const Doubles& v) noexcept { v.store_unaligned(p); }

// a·b + c. One rounding where the build has a fused instruction (relaxed SIMD, x86 with FMA, Arm), two
// elsewhere: never where a result depends on exact splitting.
inline Floats madd(const Floats& a, const Floats& b, const Floats& c) noexcept {
#if defined(__wasm_relaxed_simd__)
  return Floats(wasm_f32x4_relaxed_madd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

// How a loop body reads and writes: all lanes, or the first `count` of them (the others read as 0).
struct Whole {
  static Floats load(const float* p) noexcept { return simd::load(p); }
  static void store(float* p, const Floats& v) noexcept { simd::store(p, v); }
};
struct Part {
  int64_t count;
  Floats load(const float* p) const noexcept {
    alignas(Floats) float lanes[kLanes] = {};
    for (int64_t i = 0; i < count; i++) lanes[i] = p[i];
    return Floats::load_aligned(lanes);
  }
  void store(float* p, const Floats& v) const noexcept {
    alignas(Floats) float lanes[kLanes];
    v.store_aligned(lanes);
    for (int64_t i = 0; i < count; i++) p[i] = lanes[i];
  }
};

// Calls body(i, lanes) for i = 0, kLanes, ... below n; the last call may be a Part. The one tail helper.
template <typename Body>
inline void for_lanes(int64_t n, Body&& body) noexcept {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) body(i, Whole{});
  if (i < n) body(i, Part{n - i});
}

}  // namespace posenc::simd
