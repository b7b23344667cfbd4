#include "posenc/kernels/sincos.hpp"

#include <algorithm>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
constexpr auto kWide = static_cast<int64_t>(Doubles::size);

// Not inlined: this is a hundred instructions, beside which a call is nothing.
[[gnu::noinline]] void evaluate(const double* angles, double* sin, double* cos) noexcept {
  const SinCos both = sincos_radians(simd::load(angles));
  simd::store(sin, both.sin);
  simd::store(cos, both.cos);
}

void write(const double* angles, float* sin, float* cos) noexcept {
  double sines[simd::kLanes], cosines[simd::kLanes];
  evaluate(angles, sines, cosines);
  evaluate(angles + kWide, sines + kWide, cosines + kWide);
  simd::store(sin, simd::narrow(simd::load(sines), simd::load(sines + kWide)));
  simd::store(cos, simd::narrow(simd::load(cosines), simd::load(cosines + kWide)));
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
