// Biases through the interface that attention uses: written out tile by tile, and gradients taken
// back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/adapted.hpp"
#include "support/compare.hpp"
#include "support/numbers.hpp"

namespace posenc::testing {

// The bias [heads, queries, keys].
std::vector<float> written_out(const BiasEncoding& bias, const Positions& query,
                               const Positions& key, int64_t tile_size = 64,
                               Relations relations = {});

// Gradients of the parameters, one vector per tensor, for d_bias [heads, queries, keys].
std::vector<std::vector<float>> taken_back(const BiasEncoding& bias, const Positions& query,
                                           const Positions& key, const std::vector<float>& d_bias,
                                           int64_t tile_size = 64, Relations relations = {});

// Largest |a - b| relative to the largest |b|, at least 1: the error of sums whose terms cancel.
template <typename A, typename B>
void check_sums(const A& got, const B& want, double bound, const std::string& what) {
  REQUIRE(got.size() == want.size());
  double largest = 1, error = 0;
  for (std::size_t i = 0; i < want.size(); i++)
    largest = std::max(largest, std::abs(static_cast<double>(want[i])));
  for (std::size_t i = 0; i < want.size(); i++) {
    error = std::max(
        error, std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i])) / largest);
  }
  CHECK_MESSAGE(error <= bound,
                what << ": largest error of the sums " << error << ", allowed " << bound);
}

}  // namespace posenc::testing
