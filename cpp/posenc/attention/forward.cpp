#include "posenc/attention/passes.hpp"

#include <algorithm>

#include "posenc/attention/fade.hpp"
#include "posenc/attention/head.hpp"
#include "posenc/attention/packed.hpp"
#include "posenc/attention/relative.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

// Everything a forward pass works with, for one head at a time.
struct Work {
  const Attention& attention;
  const AttentionInputs& inputs;
  const AttentionOutputs& outputs;
  int64_t head_dim, value_dim, out_stride;
  RotaryTables tables;
  HeadBiases biases;
  RelativePass relative;
  TileFade fade;
  PackedRows keys, values;
  float *rows, *query, *scores, *out, *largest, *sum, *factors;

  Work(const Attention& a, const AttentionInputs& i, const AttentionOutputs& o,
       HeadBiases&& b) noexcept
      : attention(a), inputs(i), outputs(o), head_dim(a.options().head_dim),
        value_dim(*a.options().value_dim), out_stride(kernels::padded(value_dim, kernels::kPanel)),
        tables(a, i), biases(std::move(b)), relative(a, i, mode_of(o)), fade(a) {}

  static RelativePass::Mode mode_of(const AttentionOutputs& outputs) noexcept {
    return outputs.lse ? RelativePass::Mode::kBeforeBackward : RelativePass::Mode::kForward;
  }

  void lay_out(Carver& carver) noexcept {
    tables.lay_out(carver, inputs.q_len, inputs.k_len);
    biases.lay_out(carver, attention, inputs, false, false);
    relative.lay_out(carver);
    fade.lay_out(carver, kTile);
    keys.lay_out(carver, PackedRows::As::kColumns, inputs.k_len, head_dim);
    values.lay_out(carver, PackedRows::As::kRows, inputs.k_len, value_dim);
    rows = carver.take(kTile * std::max(head_dim, value_dim));
    query = carver.take(kTile * head_dim);
    scores = carver.take(kTile * kTile);
    out = carver.take(kTile * out_stride);
    largest = carver.take(kTile);
    sum = carver.take(kTile);
    factors = carver.take(kTile);
  }

  void pack(const CallRow& row, int64_t batch_row, int64_t kv_head) noexcept {
    pack_head(inputs.k.row(batch_row, kv_head, 0), inputs.k.row_stride, row.keys, head_dim,
              tables.key(), rows, keys);
    pack_head(inputs.v.row(batch_row, kv_head, 0), inputs.v.row_stride, row.keys, value_dim,
              tables.value(), rows, values);
  }

  // One step of the running softmax: the keys of one tile.
  void take_in(const CallRow& row, const HeadScores& head, const ScoreTile& tile) noexcept {
    const TileKind kind = head.mask.classify(tile);
    if (kind == TileKind::kHidden) return;
    if (fade.wanted()) {
      fade.make(row, tile);
      kernels::pack_rows(fade.scaled(rows, tile.queries), head_dim, tile.queries, head_dim,
                         kernels::kBundle, query);
    }
    kernels::multiply(query, keys.tile(tile.first_key), tile.queries, tile.keys, head_dim, scores,
                      kTile);
    relative.add_scores(tile, keys.tile(tile.first_key), head.mask, scores);
    const bool hid = head.finish(tile, kind, scores);
    kernels::softmax_step(scores, kTile, tile.queries, tile.keys, {largest, sum, factors});
    const bool sparse = hid && !values.finite(tile.first_key, tile.keys);
    const auto multiply = sparse ? kernels::multiply_tile_sparse : kernels::multiply_tile;
    multiply(scores, values.tile(tile.first_key), tile.queries, value_dim, tile.keys, factors, out,
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

  void attend(const CallRow& row, const HeadScores& head, int64_t batch_row, int64_t head_index,
              int64_t first) noexcept {
    const int64_t queries = std::min(kTile, inputs.q_len - first);
    const double scale = head_scale(attention.options(), inputs, head_index);
    turn_rows({inputs.q.row(batch_row, head_index, first), inputs.q.row_stride}, queries, head_dim,
              tables.query(), first, scale, {rows, head_dim});
    scale_by_position(attention.options(), row.query, first, {rows, head_dim}, queries, head_dim);
    relative.add_offset(rows, queries);
    kernels::pack_rows(rows, head_dim, queries, head_dim, kernels::kBundle, query);
    relative.begin_queries(query, queries);
    biases.open_gates(0, batch_row, first, queries);
    head.begin(largest, sum, kTile);
    std::fill_n(factors, kTile, 0.0F);
    std::fill_n(out, kTile * out_stride, 0.0F);
    const KeyRange seen = head.mask.range(first, queries);
    for_key_tiles(seen, relative.right_to_left(), [&](int64_t key) {
      take_in(row, head, {first, queries, key, std::min(kTile, row.keys - key), kTile});
    });
    relative.add_values(queries, out, out_stride);
    finish(batch_row, head_index, first, queries);
  }
};

}  // namespace

Status attend_tiles(const Attention& attention, const AttentionInputs& inputs,
                    const AttentionOutputs& outputs) noexcept {
  Result<HeadBiases> biases = HeadBiases::make(attention, 1);
  if (!biases) return std::unexpected(biases.error());
  Work work(attention, inputs, outputs, std::move(*biases));
  const Result<Buffer<float>> memory = carve("k", [&](Carver& carver) { work.lay_out(carver); });
  if (!memory) return std::unexpected(memory.error());

  const AttentionOptions& options = attention.options();
  const int64_t group = options.heads / *options.kv_heads;
  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = resolve_row(attention, inputs, b);
    work.tables.make(row);
    work.relative.begin_row(row);
    for (int64_t head = inputs.first_head; head < inputs.first_head + inputs.head_count; head++) {
      if (head % group == 0) work.pack(row, b, head / group);
      const HeadScores scores =
          head_scores(attention, inputs, row, b, head, work.biases.begin(0, row, head));
      work.relative.begin_head(head);
      for (int64_t first = 0; first < inputs.q_len; first += kTile)
        work.attend(row, scores, b, head, first);
    }
  }
  return {};
}

}  // namespace posenc::attn
