#include "posenc/core/pair_tiles.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

// Calls body(row, offset of its first score in the tile).
template <typename Body>
void for_rows(const ScoreTile& tile, Body body) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    for (int64_t j = 0; j < tile.keys; j += kPairChunk) {
      const int64_t count = std::min(kPairChunk, tile.keys - j);
      body(PairRow{tile.first_query + i, tile.first_key + j, count}, i * tile.stride + j);
    }
  }
}

}  // namespace

void pair_apply(const PairFunction& bias, const BiasHead& head, const ScoreTile& tile,
                float* scores, bool assign) noexcept {
  float values[kPairChunk];
  for_rows(tile, [&](const PairRow& row, int64_t offset) {
    bias.evaluate(head, row, assign ? scores + offset : values);
    if (!assign) kernels::add(values, row.count, scores + offset);
  });
}

void pair_accumulate(const PairFunction& bias, const BiasHead& head, const ScoreTile& tile,
                     const float* d_scores, Gradients& gradients) noexcept {
  for_rows(tile, [&](const PairRow& row, int64_t offset) {
    bias.backward(head, row, d_scores + offset, gradients);
  });
}

}  // namespace posenc
