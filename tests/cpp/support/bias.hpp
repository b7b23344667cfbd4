// Biases through the interface that attention uses: written out tile by tile, and gradients taken back.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "posenc/core/adapters.hpp"
#include "support/compare.hpp"

namespace posenc::testing {

[[maybe_unused]] static std::vector<double> counted(double start, int64_t count) {
  std::vector<double> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), start);
  return positions;
}

// One encoding as attention sees it.
template <AnyEncoding T>
auto adapted(typename T::Options options, uint64_t seed = 0) {
  using Adapted = typename decltype(adapter_for<T>())::type;
  return Adapted(std::move(*make<T>(std::move(options), seed)));
}

// Calls body(tile, offset in [queries, keys]) over all tiles of tile x tile.
template <typename Body>
void for_tiles(int64_t queries, int64_t keys, int64_t tile_size, Body body) {
  for (int64_t q = 0; q < queries; q += tile_size) {
    for (int64_t k = 0; k < keys; k += tile_size) {
      body(ScoreTile{q, std::min(tile_size, queries - q), k, std::min(tile_size, keys - k), keys}, q * keys + k);
    }
  }
}

// The bias [heads, queries, keys].
[[maybe_unused]] static std::vector<float> written_out(const BiasEncoding& bias, const Positions& query, const Positions& key,
                                      int64_t tile_size = 64, Relations relations = {}) {
  std::vector<float> out(static_cast<std::size_t>(bias.heads() * query.count * key.count));
  std::vector<float> scratch(static_cast<std::size_t>(bias.scratch_floats(query, key)));
  for (int64_t h = 0; h < bias.heads(); h++) {
    const BiasHead head{h, query, key, scratch.data(), nullptr, relations};
    bias.begin(head);
    for_tiles(query.count, key.count, tile_size, [&](const ScoreTile& tile, int64_t offset) {
      float* scores = out.data() + h * query.count * key.count + offset;
      for (int64_t i = 0; i < tile.queries; i++) std::fill_n(scores + i * tile.stride, tile.keys, 1.0F);
      bias.apply(head, tile, scores, true);
    });
  }
  return out;
}

// Gradients of the parameters, one vector per tensor, for d_bias [heads, queries, keys].
[[maybe_unused]] static std::vector<std::vector<float>> taken_back(const BiasEncoding& bias, const Positions& query,
                                                  const Positions& key, const std::vector<float>& d_bias,
                                                  int64_t tile_size = 64, Relations relations = {}) {
  std::vector<std::vector<float>> result;
  Gradients gradients;
  const ParameterSet& parameters = bias.parameters();
  for (int i = 0; i < parameters.count(); i++) {
    result.emplace_back(static_cast<std::size_t>(parameters[i].values.size()));
  }
  for (std::size_t i = 0; i < result.size(); i++) {
    if (parameters[static_cast<int>(i)].trained) gradients.of[i] = result[i].data();
  }
  const auto floats = static_cast<std::size_t>(bias.scratch_floats(query, key));
  std::vector<float> values(floats), sums(floats);
  for (int64_t h = 0; h < bias.heads(); h++) {
    const BiasHead head{h, query, key, values.data(), sums.data(), relations};
    bias.begin(head);
    for_tiles(query.count, key.count, tile_size, [&](const ScoreTile& tile, int64_t offset) {
      bias.accumulate(head, tile, d_bias.data() + h * query.count * key.count + offset, gradients);
    });
    bias.finish(head, gradients);
  }
  return result;
}

// Largest |a - b| relative to the largest |b|, at least 1: the error of sums whose terms cancel.
template <typename A, typename B>
void check_sums(const A& got, const B& want, double bound, const std::string& what) {
  REQUIRE(got.size() == want.size());
  double largest = 1, error = 0;
  for (std::size_t i = 0; i < want.size(); i++) largest = std::max(largest, std::abs(static_cast<double>(want[i])));
  for (std::size_t i = 0; i < want.size(); i++) {
    error = std::max(error, std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i])) / largest);
  }
  CHECK_MESSAGE(error <= bound, what << ": largest error of the sums " << error << ", allowed " << bound);
}

// A reference's gradient of x against central differences of its loss.
[[maybe_unused]] static void check_differences(std::vector<double>& x, const std::vector<double>& gradient,
                              const std::function<double()>& loss, const std::string& what, double step = 1e-5,
                              double bound = 1e-7) {
  REQUIRE(x.size() == gradient.size());
  for (std::size_t i = 0; i < x.size(); i++) {
    const double kept = x[i];
    x[i] = kept + step;
    const double above = loss();
    x[i] = kept - step;
    const double below = loss();
    x[i] = kept;
    const double error = std::abs((above - below) / (2 * step) - gradient[i]) / (1 + std::abs(gradient[i]));
    CHECK_MESSAGE(error <= bound, what << "[" << i << "]: difference " << error << ", allowed " << bound);
  }
}

[[maybe_unused]] static std::vector<double> widened(const std::vector<float>& x) { return {x.begin(), x.end()}; }

[[maybe_unused]] static double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace posenc::testing
