// What tests of xPos share.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "posenc/core/adapters.hpp"
#include "posenc/rotary/xpos.hpp"

namespace posenc::testing {

inline RotaryAdapter<Xpos> adapted_xpos(XposOptions options) {
  return RotaryAdapter<Xpos>(std::move(*make<Xpos>(options)));
}

inline std::vector<double> positions_from(double first, int64_t count) {
  std::vector<double> positions;
  for (int64_t i = 0; i < count; i++) positions.push_back(first + static_cast<double>(i));
  return positions;
}

}  // namespace posenc::testing
