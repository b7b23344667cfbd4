// One column of sines: what stands alone where a width is odd or cut off.
#pragma once

#include <cstdint>

#include "posenc/core/positions.hpp"

namespace posenc {

// out[i · stride] = sin(position of token i on `axis` · frequency)
void write_sines(double frequency, const Positions& positions, int axis, float* out,
                 int64_t stride) noexcept;

}  // namespace posenc
