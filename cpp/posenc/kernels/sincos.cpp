#include "posenc/kernels/sincos.hpp"

#include <algorithm>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
constexpr auto kWide = static_cast<int64_t>(Doubles::size);

void write(const double* angles, float* sin, float* cos) noexcept {
  const SinCos first = sincos_radians(simd::load(angles));
  const SinCos second = sincos_radians(simd::load(angles + kWide));
  simd::store(sin, simd::narrow(first.sin, second.sin));
  simd::store(cos, simd::narrow(first.cos, second.cos));
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
