#include "support/bias.hpp"

#include <algorithm>

namespace posenc::testing {
namespace {

// Calls body(tile, offset in [queries, keys]) over all tiles of tile x tile.
template <typename Body>
void for_tiles(int64_t queries, int64_t keys, int64_t tile_size, Body body) {
  for (int64_t q = 0; q < queries; q += tile_size) {
    for (int64_t k = 0; k < keys; k += tile_size) {
      body(ScoreTile{q, std::min(tile_size, queries - q), k, std::min(tile_size, keys - k), keys},
           q * keys + k);
    }
  }
}

}  // namespace

std::vector<float> written_out(const BiasEncoding& bias, const Positions& query,
                               const Positions& key, int64_t tile_size, Relations relations) {
  std::vector<float> out(static_cast<std::size_t>(bias.heads() * query.count * key.count));
  std::vector<float> scratch(static_cast<std::size_t>(bias.scratch_floats(query, key)));
  for (int64_t h = 0; h < bias.heads(); h++) {
    const BiasHead head{h, query, key, scratch.data(), nullptr, relations};
    bias.begin(head);
    for_tiles(query.count, key.count, tile_size, [&](const ScoreTile& tile, int64_t offset) {
      float* scores = out.data() + h * query.count * key.count + offset;
      for (int64_t i = 0; i < tile.queries; i++)
        std::fill_n(scores + i * tile.stride, tile.keys, 1.0F);
      bias.apply(head, tile, scores, true);
    });
  }
  return out;
}

std::vector<std::vector<float>> taken_back(const BiasEncoding& bias, const Positions& query,
                                           const Positions& key, const std::vector<float>& d_bias,
                                           int64_t tile_size, Relations relations) {
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

}  // namespace posenc::testing
