// Sizes at which loops over vectors begin and end in every way, for the vectors of the build.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace posenc::testing {

// Floats in a vector.
int64_t lanes();
// 1, lanes - 1, lanes, lanes + 1, 2 · lanes + 3.
std::vector<int64_t> awkward_sizes();
// `more`, and pairs of these sizes, equal and not.
std::vector<std::pair<int64_t, int64_t>> awkward_pairs(
    std::vector<std::pair<int64_t, int64_t>> more = {});

}  // namespace posenc::testing
