#include "posenc/kernels/sincos.hpp"

#include <algorithm>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {

void sincos(const double* angles, int64_t count, float* sin, float* cos) noexcept {
  using simd::Doubles;
  constexpr auto kWide = static_cast<int64_t>(Doubles::size);
  const auto write = [](const double* from, auto lanes, float* its_sin, float* its_cos) {
    const SinCos low = sincos_radians(simd::load(from));
    const SinCos high = sincos_radians(simd::load(from + kWide));
    lanes.store(its_sin, simd::narrow(low.sin, high.sin));
    lanes.store(its_cos, simd::narrow(low.cos, high.cos));
  };
  int64_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) write(angles + i, simd::Whole{}, sin + i, cos + i);
  if (i == count) return;
  double rest[2 * simd::kLanes] = {};
  std::copy(angles + i, angles + count, rest);
  write(rest, simd::Part{count - i}, sin + i, cos + i);
}

}  // namespace posenc::kernels
