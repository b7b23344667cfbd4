// Few queries against many keys: tiles of keys are read once, as they stand, by all heads of their group.
#include <algorithm>

#include "posenc/attention/passes.hpp"
#include "posenc/attention/fade.hpp"
#include "posenc/attention/head.hpp"
#include "posenc/attention/rotation.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

// Everything such a pass works with, for the heads of one group at a time. Query rows stand head by head.
struct Work {
  const Attention& attention;
  const AttentionInputs& inputs;
  const AttentionOutputs& outputs;
  int64_t head_dim, value_dim, group;
  RotaryTables tables;
  HeadBiases biases;
  TileFade fade;
  Buffer<HeadScores> heads;
  float *query, *key_rows, *value_rows, *scores, *out, *largest, *sum, *factors;

  Work(const Attention& a, const AttentionInputs& i, const AttentionOutputs& o, HeadBiases&& b,
       Buffer<HeadScores>&& h) noexcept
      : attention(a), inputs(i), outputs(o), head_dim(a.options().head_dim), value_dim(*a.options().value_dim),
        group(h.size()), tables(a, i), biases(std::move(b)), fade(a), heads(std::move(h)) {}

  void lay_out(Carver& carver) noexcept {
    const int64_t rows = group * inputs.q_len;
    tables.lay_out(carver, inputs.q_len, inputs.k_len);
    biases.lay_out(carver, attention, inputs, false, false);
    fade.lay_out(carver, inputs.q_len);
    query = carver.take(rows * head_dim);
    key_rows = carver.take(tables.key().changes() ? kTile * head_dim : 0);
    value_rows = carver.take(tables.value().dim > 0 ? kTile * value_dim : 0);
    scores = carver.take(inputs.q_len * kTile);
    out = carver.take(rows * value_dim);
    largest = carver.take(rows);
    sum = carver.take(rows);
    factors = carver.take(rows);
  }

  // The rows of a tile, turned where they have to be.
  static RowsIn tile_of(const HeadRows<const float>& x, int64_t batch_row, int64_t kv_head, const ScoreTile& tile,
                         int64_t width, const Rotation& rotation, float* turned) noexcept {
    const float* data = x.row(batch_row, kv_head, tile.first_key);
    if (!rotation.changes()) return {data, x.row_stride};
    turn_rows({data, x.row_stride}, tile.keys, width, rotation, tile.first_key, 1, {turned, width});
    return {turned, width};
  }

  void begin(const CallRow& row, int64_t batch_row, int64_t kv_head) noexcept {
    const AttentionOptions& options = attention.options();
    const int64_t rows = group * inputs.q_len;
    for (int64_t g = 0; g < group; g++) {
      const int64_t head = kv_head * group + g;
      heads[g] = head_scores(attention, inputs, row, batch_row, head, biases.begin(g, row, head));
      biases.open_gates(g, batch_row, 0, inputs.q_len);
      float* its_query = query + g * inputs.q_len * head_dim;
      turn_rows({inputs.q.row(batch_row, head, 0), inputs.q.row_stride}, inputs.q_len, head_dim, tables.query(), 0,
                head_scale(options, inputs, head), {its_query, head_dim});
      scale_by_position(options, row.query, 0, {its_query, head_dim}, inputs.q_len, head_dim);
      heads[g].begin(largest + g * inputs.q_len, sum + g * inputs.q_len, inputs.q_len);
    }
    std::fill_n(out, rows * value_dim, 0.0F);
  }

  void take_in(const HeadScores& head, int64_t first_row, TileKind kind, const ScoreTile& tile, const RowsIn& keys,
               const RowsIn& values) noexcept {
    const float* rows = fade.scaled(query + first_row * head_dim, tile.queries);
    for (int64_t i = 0; i < tile.queries; i++) {
      kernels::dot_rows(keys.data, keys.stride, tile.keys, rows + i * head_dim, head_dim,
                        scores + i * kTile);
    }
    const bool hid = head.finish(tile, kind, scores);
    kernels::softmax_step(scores, kTile, tile.queries, tile.keys,
                          {largest + first_row, sum + first_row, factors + first_row});
    const auto add = hid ? kernels::add_rows_sparse : kernels::add_rows_in_order;
    for (int64_t i = 0; i < tile.queries; i++) {
      add(values.data, values.stride, tile.keys, scores + i * kTile, value_dim, factors[first_row + i],
          out + (first_row + i) * value_dim);
    }
  }

  void finish(int64_t batch_row, int64_t kv_head) const noexcept {
    for (int64_t r = 0; r < group * inputs.q_len; r++) {
      const int64_t head = kv_head * group + r / inputs.q_len, i = r % inputs.q_len;
      kernels::weighted_mean(out + r * value_dim, sum[r], value_dim, outputs.out.row(batch_row, head, i));
      if (outputs.lse == nullptr) continue;
      outputs.lse[inputs.head_index(batch_row, head) * inputs.q_len + i] =
          kernels::log_sum_exp(largest[r], sum[r]);
    }
  }

  void attend(const CallRow& row, int64_t batch_row, int64_t kv_head) noexcept {
    begin(row, batch_row, kv_head);
    const KeyRange seen = heads[0].mask.range(0, inputs.q_len);
    for (int64_t key = seen.begin / kTile * kTile; key < seen.end; key += kTile) {
      const ScoreTile tile{0, inputs.q_len, key, std::min(kTile, row.keys - key), kTile};
      RowsIn keys{}, values{};
      for (int64_t g = 0; g < group; g++) {
        const TileKind kind = heads[g].mask.classify(tile);
        if (kind == TileKind::kHidden) continue;
        if (keys.data == nullptr) {
          fade.make(row, tile);
          keys = tile_of(inputs.k, batch_row, kv_head, tile, head_dim, tables.key(), key_rows);
          values = tile_of(inputs.v, batch_row, kv_head, tile, value_dim, tables.value(), value_rows);
        }
        take_in(heads[g], g * inputs.q_len, kind, tile, keys, values);
      }
    }
    finish(batch_row, kv_head);
  }
};

}  // namespace

Status attend_rows(const Attention& attention, const AttentionInputs& inputs,
                   const AttentionOutputs& outputs) noexcept {
  const AttentionOptions& options = attention.options();
  const int64_t group = options.heads / *options.kv_heads;
  Result<HeadBiases> biases = HeadBiases::make(attention, group);
  if (!biases) return std::unexpected(biases.error());
  Result<Buffer<HeadScores>> heads = Buffer<HeadScores>::make(group, "heads");
  if (!heads) return std::unexpected(heads.error());
  Work work(attention, inputs, outputs, std::move(*biases), std::move(*heads));
  const Result<Buffer<float>> memory = carve("k", [&](Carver& carver) { work.lay_out(carver); });
  if (!memory) return std::unexpected(memory.error());

  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = resolve_row(attention, inputs, b);
    work.tables.make(row);
    const int64_t end = inputs.first_head + inputs.head_count;
    for (int64_t kv_head = inputs.first_head / group; kv_head < end / group; kv_head++) work.attend(row, b, kv_head);
  }
  return {};
}

}  // namespace posenc::attn
