// Few queries against many keys: tiles of keys are read once, as they stand, by all heads of their
// group.
#include <algorithm>
#include <limits>

#include "posenc/attention/passes.hpp"
#include "posenc/attention/work.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

// Keys that go into one step of the softmax. Their rows are read in one go, and then those of the
// values: the longer the goes, the less often the processor has to find out anew what to fetch
// ahead.
constexpr int64_t kStretch = 8 * kTile;

// Everything such a pass works with, for some heads of one group at a time. Query rows stand head
// by head.
struct Work : PassWork {
  const AttentionOutputs& outputs;
  Buffer<HeadScores> heads;
  float *query, *key_rows, *value_rows, *scores, *out, *largest, *sum, *factors;

  Work(const Attention& a, const AttentionInputs& i, const AttentionOutputs& o) noexcept
      : PassWork(a, i, RelativePass::Mode::kRows), outputs(o) {}

  void lay_out(Carver& carver) noexcept {
    const int64_t rows = heads.size() * inputs.q_len;
    PassWork::lay_out(carver, inputs.q_len);
    query = carver.take(rows * head_dim);
    key_rows = carver.take(tables.key().changes() ? kTile * head_dim : 0);
    value_rows = carver.take(tables.value().dim > 0 ? kTile * value_dim : 0);
    scores = carver.take(rows * kStretch);
    out = carver.take(rows * value_dim);
    largest = carver.take(rows);
    sum = carver.take(rows);
    factors = carver.take(rows);
  }

  // The rows of a tile, turned where they have to be.
  static RowsIn tile_of(const HeadRows<const float>& x, int64_t batch_row, int64_t kv_head,
                        const ScoreTile& tile, int64_t width, const Rotation& rotation,
                        float* turned) noexcept {
    const float* data = x.row(batch_row, kv_head, tile.first_key);
    if (!rotation.changes()) return {data, x.row_stride};
    turn_rows({data, x.row_stride}, tile.keys, width, rotation, tile.first_key, 1, {turned, width});
    return {turned, width};
  }

  void begin(const CallRow& row, int64_t first_head) noexcept {
    for (int64_t g = 0; g < heads.size(); g++) {
      const int64_t head = first_head + g;
      heads[g] = begin_head(row, head, g);
      biases.open_gates(g, row.batch_row, 0, inputs.q_len);
      turn_queries(row, head, 0, inputs.q_len, query + g * inputs.q_len * head_dim);
      heads[g].begin(largest + g * inputs.q_len, sum + g * inputs.q_len, inputs.q_len);
    }
    std::fill_n(out, heads.size() * inputs.q_len * value_dim, 0.0F);
    relative.begin_queries(query, inputs.q_len);
  }

  // Calls body(tile, its place) for the tiles of a stretch of `count` keys.
  template <typename Body>
  void for_tiles(int64_t first, int64_t count, Body body) const noexcept {
    for (int64_t at = 0; at < count; at += kTile) {
      body(ScoreTile{0, inputs.q_len, first + at, std::min(kTile, count - at), kStretch}, at);
    }
  }

  float* scores_of(int64_t g) const noexcept { return scores + g * inputs.q_len * kStretch; }

  // False where nothing was hidden.
  bool score(int64_t g, TileKind kind, const ScoreTile& tile, const RowsIn& keys,
             float* to) noexcept {
    const float* rows = fade.scaled(query + g * tile.queries * head_dim, tile.queries);
    for (int64_t i = 0; i < tile.queries; i++) {
      kernels::dot_rows(keys.data, keys.stride, tile.keys, rows + i * head_dim, head_dim,
                        to + i * kStretch);
    }
    relative.add_scores(tile, keys, to);
    return heads[g].finish(tile, kind, to);
  }

  struct Scored {
    bool seen = false, hid = false;
  };
  Scored score_stretch(const CallRow& row, int64_t batch_row, int64_t kv_head, int64_t first,
                       int64_t count) noexcept {
    Scored scored;
    for_tiles(first, count, [&](const ScoreTile& tile, int64_t at) {
      RowsIn keys{};
      for (int64_t g = 0; g < heads.size(); g++) {
        float* to = scores_of(g) + at;
        const TileKind kind = heads[g].mask.classify(tile);
        if (kind == TileKind::kHidden) {
          scored.hid = true;
          for (int64_t i = 0; i < tile.queries; i++) {
            std::fill_n(to + i * kStretch, tile.keys, -std::numeric_limits<float>::infinity());
          }
          continue;
        }
        if (keys.data == nullptr) {
          fade.make(row, tile);
          keys = tile_of(inputs.k, batch_row, kv_head, tile, head_dim, tables.key(), key_rows);
        }
        scored.seen = true;
        scored.hid |= score(g, kind, tile, keys, to);
      }
    });
    return scored;
  }

  // One step of the running softmax.
  void take_in(const CallRow& row, int64_t batch_row, int64_t kv_head, int64_t first,
               int64_t count) noexcept {
    const Scored scored = score_stretch(row, batch_row, kv_head, first, count);
    if (!scored.seen) return;
    const int64_t rows = heads.size() * inputs.q_len;
    kernels::softmax_step(scores, kStretch, rows, count, {largest, sum, factors});
    const auto add = scored.hid ? kernels::add_rows_sparse : kernels::add_rows_in_order;
    for_tiles(first, count, [&](const ScoreTile& tile, int64_t at) {
      const RowsIn values =
          tile_of(inputs.v, batch_row, kv_head, tile, value_dim, tables.value(), value_rows);
      for (int64_t r = 0; r < rows; r++) {
        add(values.data, values.stride, tile.keys, scores + r * kStretch + at, value_dim,
            at == 0 ? factors[r] : 1, out + r * value_dim);
      }
      relative.take_weights(tile, scores + at, at == 0 ? factors : nullptr);
    });
  }

  void finish(int64_t batch_row, int64_t first_head) noexcept {
    relative.add_values(inputs.q_len, out, value_dim);
    for (int64_t r = 0; r < heads.size() * inputs.q_len; r++) {
      const int64_t head = first_head + r / inputs.q_len, i = r % inputs.q_len;
      kernels::weighted_mean(out + r * value_dim, sum[r], value_dim,
                             outputs.out.row(batch_row, head, i));
      if (outputs.lse == nullptr) continue;
      outputs.lse[inputs.head_index(batch_row, head) * inputs.q_len + i] =
          kernels::log_sum_exp(largest[r], sum[r]);
    }
  }

  void attend(const CallRow& row, int64_t first_head) noexcept {
    begin(row, first_head);
    const KeyRange seen = heads[0].mask.range(0, inputs.q_len);
    const int64_t end = std::min(kernels::padded(seen.end, kTile), row.keys);
    for (int64_t key = seen.begin / kTile * kTile; key < seen.end; key += kStretch) {
      take_in(row, row.batch_row, first_head / group, key, std::min(kStretch, end - key));
    }
    finish(row.batch_row, first_head);
  }
};

}  // namespace

Status attend_rows(const Attention& attention, const AttentionInputs& inputs,
                   const AttentionOutputs& outputs) noexcept {
  const AttentionOptions& options = attention.options();
  // Heads of a group read their keys together; relative terms know one head at a time.
  const int64_t together = attention.relative() ? 1 : options.heads / *options.kv_heads;
  Work work(attention, inputs, outputs);
  if (Status status = work.heads.allocate(together, "heads"); !status) return status;
  if (Status status = reserve(work, together); !status) return status;

  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = work.begin_row(b);
    const int64_t end = inputs.first_head + inputs.head_count;
    for (int64_t head = inputs.first_head; head < end; head += together) work.attend(row, head);
  }
  return {};
}

}  // namespace posenc::attn
