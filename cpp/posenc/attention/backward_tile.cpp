// The backward pass of a tile of scores: its weights made anew, and what their gradient adds to.
#include <algorithm>

#include "posenc/attention/backward_work.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {

using kernels::kTile;

void BackwardWork::count_gates(const CallRow& row, const HeadScores& head, int64_t first,
                               int64_t queries) noexcept {
  for_key_tiles(head.mask.range(first, queries), true, [&](int64_t key) {
    const ScoreTile tile{first, queries, key, std::min(kTile, row.keys - key), kTile};
    multiply(tile, weights);
    relative.count_gates(tile, head.mask, weights);
  });
}

void BackwardWork::take_in(const CallRow& row, const HeadScores& head,
                           const ScoreTile& tile) noexcept {
  const TileKind kind = head.mask.classify(tile);
  if (kind == TileKind::kHidden) return;
  const float* faded = fade_queries(row, tile);
  if (fade.wanted()) query_rows.pack_tile({faded, head_dim}, 0, tile.queries);
  const bool hid = recompute(head, tile, kind);
  const auto by_columns = [&](bool finite) {
    return hid && !finite ? kernels::multiply_tile_transposed_sparse
                          : kernels::multiply_tile_transposed;
  };
  by_columns(d_out_rows.finite(0, tile.queries))(weights, d_out_rows.tile(0), tile.keys, value_dim,
                                                 tile.queries, dv + tile.first_key * value_stride,
                                                 value_stride);
  kernels::multiply(d_out, value_columns.tile(tile.first_key), tile.queries, tile.keys, value_dim,
                    d_scores, kTile);
  relative.take_weights(tile, weights, nullptr);
  relative.add_weight_gradient(tile, d_scores);
  for (int64_t i = 0; i < tile.queries; i++) {
    kernels::softmax_backward(weights + i * kTile, tile.keys, mean[i], d_scores + i * kTile);
  }
  for (const HeadBias& bias : head.biases) {
    const float* d_bias = gradient_of_bias(bias, tile);
    if (parameters.wanted())
      bias.encoding->accumulate(bias.head, tile, d_bias, parameters.part(bias.index));
  }
  add_mask_gradient(head.mask, tile);
  for (int64_t i = 0; head.softcap > 0 && i < tile.queries; i++) {
    kernels::softcap_backward(capped + i * kTile, tile.keys, head.softcap, d_scores + i * kTile);
  }
  const bool sparse = hid && !key_rows.finite(tile.first_key, tile.keys);
  relative.take_score_gradient(
      tile, d_scores,
      {key_rows.tile(tile.first_key), sparse, dk + tile.first_key * head_stride, head_stride});
  const auto by_rows = sparse ? kernels::multiply_tile_sparse : kernels::multiply_tile;
  float* sums = fade.wanted() ? dq_part : dq;
  if (fade.wanted()) std::fill_n(dq_part, kTile * head_stride, 0.0F);
  by_rows(d_scores, key_rows.tile(tile.first_key), tile.queries, head_dim, tile.keys, ones, sums,
          head_stride);
  if (fade.wanted()) fade.add_scaled(dq_part, head_stride, tile.queries, dq, head_stride);
  by_columns(query_rows.finite(0, tile.queries))(d_scores, query_rows.tile(0), tile.keys, head_dim,
                                                 tile.queries, dk + tile.first_key * head_stride,
                                                 head_stride);
}

bool BackwardWork::recompute(const HeadScores& head, const ScoreTile& tile,
                             TileKind kind) noexcept {
  score(head.mask, tile, weights);
  head.cap(tile, weights);
  if (head.softcap > 0) kernels::copy(weights, tile.queries * kTile, capped);
  head.add_biases(tile, weights);
  const bool hid = head.hide(tile, kind, weights);
  for (int64_t i = 0; i < tile.queries; i++)
    kernels::exp_shifted(weights + i * kTile, tile.keys, lse[i]);
  return hid;
}

const float* BackwardWork::gradient_of_bias(const HeadBias& bias, const ScoreTile& tile) noexcept {
  if (bias.gates == nullptr) return d_scores;
  bias.encoding->apply(bias.head, tile, bias.room, true);
  for (int64_t i = 0; i < tile.queries; i++) {
    float* room = bias.room + i * kTile;
    bias.d_gates[i] += kernels::dot(room, d_scores + i * kTile, tile.keys);
    kernels::scale(d_scores + i * kTile, bias.gates[i], tile.keys, room);
  }
  return bias.room;
}

void BackwardWork::add_mask_gradient(const HeadMask& mask, const ScoreTile& tile) noexcept {
  if (gradients.d_mask == nullptr) return;
  const int64_t count = std::min(tile.first_key + tile.keys, mask.keys) - tile.first_key;
  float* target = mask.stride == 0 ? mask_sums : d_mask + tile.first_query * mask.stride;
  for (int64_t i = 0; i < tile.queries; i++) {
    kernels::add(d_scores + i * kTile, count, target + i * mask.stride + tile.first_key);
  }
}

}  // namespace posenc::attn
