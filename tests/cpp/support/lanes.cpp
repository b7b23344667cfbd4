#include "support/lanes.hpp"

#include "posenc/kernels/simd.hpp"

namespace posenc::testing {

int64_t lanes() { return simd::kLanes; }

std::vector<int64_t> awkward_sizes() {
  return {1, lanes() - 1, lanes(), lanes() + 1, 2 * lanes() + 3};
}

std::vector<std::pair<int64_t, int64_t>> awkward_pairs(
    std::vector<std::pair<int64_t, int64_t>> more) {
  const auto sizes = awkward_sizes();
  for (std::size_t i = 0; i < sizes.size(); i++) {
    more.emplace_back(sizes[i], sizes[i]);
    more.emplace_back(sizes[i], sizes[(i + 2) % sizes.size()]);
  }
  return more;
}

}  // namespace posenc::testing
