#include "posenc/kernels/sincos.hpp"

#include <algorithm>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
constexpr auto kWide = static_cast<int64_t>(Doubles::size);

// Not inlined: this is two hundred instructions, beside which a call is nothing, and it is wanted for tails too.
[[gnu::noinline]] void write(const double* angles, float* sin, float* cos) noexcept {
  SinCos half[2];
  for (int64_t i = 0; i < 2; i++) half[i] = sincos_radians(simd::load(angles + i * kWide));
  simd::store(sin, simd::narrow(half[0].sin, half[1].sin));
  simd::store(cos, simd::narrow(half[0].cos, half[1].cos));
}

}  // namespace

void sincos(const double* angles, int64_t count, float* sin, float* cos) noexcept {
  int64_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) write(angles + i, sin + i, cos + i);
  if (i == count) return;
  double rest[simd::kLanes] = {};
  float sines[simd::kLanes], cosines[simd::kLanes];
  std::copy(angles + i, angles + count, rest);
  write(rest, sines, cosines);
  std::copy_n(sines, count - i, sin + i);
  std::copy_n(cosines, count - i, cos + i);
}

}  // namespace posenc::kernels
