#include "posenc/attention/passes.hpp"

#include <algorithm>

#include "posenc/attention/work.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

// Everything a forward pass works with, for one head at a time.
struct Work : TileWork {
  const AttentionOutputs& outputs;
  int64_t out_stride;
  PackedRows values;
  float *scores, *out, *largest, *sum, *factors;

  Work(const Attention& a, const AttentionInputs& i, const AttentionOutputs& o) noexcept
      : TileWork(a, i, mode_of(o)), outputs(o),
        out_stride(kernels::padded(value_dim, kernels::kPanel)) {}

  static RelativePass::Mode mode_of(const AttentionOutputs& outputs) noexcept {
    return outputs.lse ? RelativePass::Mode::kBeforeBackward : RelativePass::Mode::kForward;
  }

  void lay_out(Carver& carver) noexcept {
    TileWork::lay_out(carver);
    values.lay_out(carver, PackedRows::As::kRows, inputs.k_len, value_dim);
    scores = carver.take(kTile * kTile);
    out = carver.take(kTile * out_stride);
    largest = carver.take(kTile);
    sum = carver.take(kTile);
    factors = carver.take(kTile);
  }

  void pack(const CallRow& row, int64_t kv_head) noexcept {
    pack_head(inputs.k.row(row.batch_row, kv_head, 0), inputs.k.row_stride, row.keys, head_dim,
              tables.key(), rows, keys);
    pack_head(inputs.v.row(row.batch_row, kv_head, 0), inputs.v.row_stride, row.keys, value_dim,
              tables.value(), rows, values);
  }

  // One step of the running softmax: the keys of one tile.
  void take_in(const CallRow& row, const HeadScores& head, const ScoreTile& tile) noexcept {
    const TileKind kind = head.mask.classify(tile);
    if (kind == TileKind::kHidden) return;
    fade_queries(row, tile);
    score(head.mask, tile, scores);
    const bool hid = head.finish(tile, kind, scores);
    kernels::softmax_step(scores, kTile, tile.queries, tile.keys, {largest, sum, factors});
    const bool sparse = hid && !values.finite(tile.first_key, tile.keys);
    const auto add = sparse ? kernels::multiply_tile_sparse : kernels::multiply_tile;
    add(scores, values.tile(tile.first_key), tile.queries, value_dim, tile.keys, factors, out,
        out_stride);
    relative.take_weights(tile, scores, factors);
  }

  void finish(int64_t batch_row, int64_t head, int64_t first, int64_t queries) const noexcept {
    for (int64_t i = 0; i < queries; i++) {
      float* row = outputs.out.row(batch_row, head, first + i);
      kernels::weighted_mean(out + i * out_stride, sum[i], value_dim, row);
      if (outputs.lse == nullptr) continue;
      const int64_t index = inputs.head_index(batch_row, head) * inputs.q_len + first + i;
      outputs.lse[index] = kernels::log_sum_exp(largest[i], sum[i]);
    }
  }

  void attend(const CallRow& row, const HeadScores& head, int64_t head_index,
              int64_t first) noexcept {
    const int64_t queries = std::min(kTile, inputs.q_len - first);
    begin_queries(row, head_index, first, queries);
    head.begin(largest, sum, kTile);
    std::fill_n(factors, kTile, 0.0F);
    std::fill_n(out, kTile * out_stride, 0.0F);
    const KeyRange seen = head.mask.range(first, queries);
    for_key_tiles(seen, relative.right_to_left(), [&](int64_t key) {
      take_in(row, head, {first, queries, key, std::min(kTile, row.keys - key), kTile});
    });
    relative.add_values(queries, out, out_stride);
    finish(row.batch_row, head_index, first, queries);
  }
};

}  // namespace

Status attend_tiles(const Attention& attention, const AttentionInputs& inputs,
                    const AttentionOutputs& outputs) noexcept {
  Work work(attention, inputs, outputs);
  if (Status status = reserve(work, 1); !status) return status;

  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = work.begin_row(b);
    for (int64_t head = inputs.first_head; head < inputs.first_head + inputs.head_count; head++) {
      if (head % work.group == 0) work.pack(row, head / work.group);
      const HeadScores scores = work.begin_head(row, head);
      for (int64_t first = 0; first < inputs.q_len; first += kTile)
        work.attend(row, scores, head, first);
    }
  }
  return {};
}

}  // namespace posenc::attn
