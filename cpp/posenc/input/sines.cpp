#include "posenc/input/sines.hpp"

#include <algorithm>

#include "posenc/kernels/angles.hpp"

namespace posenc {

void write_sines(double frequency, const Positions& positions, int axis, float* out,
                 int64_t stride) noexcept {
  constexpr int64_t kChunk = 256;
  float sin[kChunk], cos[kChunk];
  for (int64_t first = 0; first < positions.count; first += kChunk) {
    const int64_t count = std::min(kChunk, positions.count - first);
    kernels::angles_apart({&frequency, 1, positions.slice(first, count), axis}, 1, sin, cos, 1);
    for (int64_t i = 0; i < count; i++) out[(first + i) * stride] = sin[i];
  }
}

}  // namespace posenc
