#include "posenc/attention/work.hpp"

#include <algorithm>

#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {

using kernels::kTile;

PassWork::PassWork(const Attention& a, const AttentionInputs& i, RelativePass::Mode mode,
                   bool every) noexcept
    : attention(a), inputs(i), head_dim(a.options().head_dim), value_dim(*a.options().value_dim),
      group(a.options().heads / *a.options().kv_heads),
      backward(mode == RelativePass::Mode::kBackward), every_key(every), tables(a, i, backward),
      relative(a, i, mode, every), fade(a) {}

void PassWork::lay_out(Carver& carver, int64_t queries) noexcept {
  tables.lay_out(carver, inputs.q_len, inputs.k_len);
  biases.lay_out(carver, attention, inputs, backward, every_key);
  relative.lay_out(carver);
  fade.lay_out(carver, queries);
}

CallRow PassWork::begin_row(int64_t batch_row) noexcept {
  const CallRow row = resolve_row(attention, inputs, batch_row, every_key);
  tables.make(row);
  relative.begin_row(row);
  return row;
}

HeadScores PassWork::begin_head(const CallRow& row, int64_t head, int64_t slot) noexcept {
  relative.begin_head(head);
  return head_scores(attention, inputs, row, head, biases.begin(slot, row, head));
}

void PassWork::turn_queries(const CallRow& row, int64_t head, int64_t first, int64_t queries,
                            float* out) const noexcept {
  const AttentionOptions& options = attention.options();
  turn_rows(queries_of(row, head, first), queries, head_dim, tables.query(), first,
            head_scale(options, inputs, head), {out, head_dim});
  scale_by_position(options, row.query, first, {out, head_dim}, queries, head_dim);
  relative.add_offset(out, queries);
}

void TileWork::lay_out(Carver& carver) noexcept {
  PassWork::lay_out(carver, kTile);
  keys.lay_out(carver, PackedRows::As::kColumns, inputs.k_len, head_dim);
  rows = carver.take(kTile * std::max(head_dim, value_dim));
  query = carver.take(kTile * head_dim);
}

void TileWork::pack_queries(const float* turned, int64_t queries) noexcept {
  kernels::pack_rows(turned, head_dim, queries, head_dim, kernels::kBundle, query);
}

void TileWork::begin_queries(const CallRow& row, int64_t head, int64_t first,
                             int64_t queries) noexcept {
  turn_queries(row, head, first, queries, rows);
  pack_queries(rows, queries);
  relative.begin_queries(query, queries);
  biases.open_gates(0, row.batch_row, first, queries);
}

const float* TileWork::fade_queries(const CallRow& row, const ScoreTile& tile) noexcept {
  fade.make(row, tile);
  const float* faded = fade.scaled(rows, tile.queries);
  if (fade.wanted()) pack_queries(faded, tile.queries);
  return faded;
}

void TileWork::multiply(const ScoreTile& tile, float* scores) const noexcept {
  kernels::multiply(query, keys.tile(tile.first_key), tile.queries, tile.keys, head_dim, scores,
                    kTile);
}

void TileWork::score(const HeadMask& mask, const ScoreTile& tile, float* scores) noexcept {
  multiply(tile, scores);
  relative.add_scores(tile, keys.tile(tile.first_key), mask, scores);
}

}  // namespace posenc::attn
