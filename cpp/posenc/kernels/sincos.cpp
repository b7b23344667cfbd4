#include "posenc/kernels/sincos.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
constexpr auto kWide = static_cast<int64_t>(Doubles::size);

// Not inlined: seldom wanted, and large. One by one, so that no angle depends on its neighbours.
[[gnu::noinline]] void correct_far(const double* angles, float* sin, float* cos) noexcept {
  for (int64_t i = 0; i < simd::kLanes; i++) {
    if (std::abs(angles[i]) <= kNear) continue;
    const SinCos value = sincos_radians(Doubles(angles[i]));
    sin[i] = static_cast<float>(value.sin.get(0));
    cos[i] = static_cast<float>(value.cos.get(0));
  }
}

void write(const double* angles, float* sin, float* cos) noexcept {
  const Doubles a = simd::load(angles), b = simd::load(angles + kWide);
  const SinCos first = sincos_near(a), second = sincos_near(b);
  simd::store(sin, simd::narrow(first.sin, second.sin));
  simd::store(cos, simd::narrow(first.cos, second.cos));
  if (!simd::all(simd::max(simd::abs(a), simd::abs(b)) <= Doubles(kNear))) [[unlikely]]
    correct_far(angles, sin, cos);
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

void project(const double* x, int64_t axes, const double* columns, int64_t count,
             double* angles) noexcept {
  static_assert(kProjections % kWide == 0);
  for (int64_t i = 0; i < count; i += kWide) {
    Doubles sum = Doubles(x[0]) * simd::load(columns + i);
    for (int64_t a = 1; a < axes; a++)
      sum += Doubles(x[a]) * simd::load(columns + a * kProjections + i);
    simd::store(angles + i, sum);
  }
}

}  // namespace posenc::kernels
