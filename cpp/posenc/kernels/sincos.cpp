#include "posenc/kernels/sincos.hpp"

#include <algorithm>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels {

void sincos(const double* angles, int64_t count, float* sin, float* cos) noexcept {
  using simd::Doubles;
  constexpr auto kWide = static_cast<int64_t>(Doubles::size);
  double lanes[2 * simd::kLanes];
  for (int64_t i = 0; i < count; i += simd::kLanes) {
    const int64_t part = std::min(simd::kLanes, count - i);
    std::fill(std::copy_n(angles + i, part, lanes), lanes + simd::kLanes, 0.0);
    const SinCos low = sincos_turns(1, turns_of(simd::load(lanes)));
    const SinCos high = sincos_turns(1, turns_of(simd::load(lanes + kWide)));
    const simd::Part tail{part};
    tail.store(sin + i, simd::narrow(low.sin, high.sin));
    tail.store(cos + i, simd::narrow(low.cos, high.cos));
  }
}

}  // namespace posenc::kernels
