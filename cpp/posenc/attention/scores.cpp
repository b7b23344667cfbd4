// Scores written out: the q x k matrix at one of its stages, for pictures and for ONNX's
// qk_matmul_output.
#include <algorithm>
#include <limits>

#include "posenc/attention/fade.hpp"
#include "posenc/attention/head.hpp"
#include "posenc/attention/packed.hpp"
#include "posenc/attention/passes.hpp"
#include "posenc/attention/relative.hpp"
#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

struct Work {
  const Attention& attention;
  const AttentionInputs& inputs;
  ScoreStage stage;
  int64_t head_dim;
  bool every_key;  // the stages before masks show keys that are hidden
  RotaryTables tables;
  HeadBiases biases;
  RelativePass relative;
  TileFade fade;
  PackedRows keys;
  float *rows, *query, *scores;

  Work(const Attention& a, const AttentionInputs& i, ScoreStage s, HeadBiases&& b) noexcept
      : attention(a), inputs(i), stage(s), head_dim(a.options().head_dim),
        every_key(s <= ScoreStage::kCapped), tables(a, i), biases(std::move(b)),
        relative(a, i, RelativePass::Mode::kForward, every_key), fade(a) {}

  void lay_out(Carver& carver) noexcept {
    tables.lay_out(carver, inputs.q_len, inputs.k_len);
    biases.lay_out(carver, attention, inputs, false, every_key);
    relative.lay_out(carver);
    fade.lay_out(carver, kTile);
    keys.lay_out(carver, PackedRows::As::kColumns, inputs.k_len, head_dim);
    rows = carver.take(kTile * head_dim);
    query = carver.take(kTile * head_dim);
    scores = carver.take(kTile * kTile);
  }

  void take_tile(const CallRow& row, const HeadScores& head, const ScoreTile& tile,
                 float* out) noexcept {
    const TileKind kind = every_key ? TileKind::kWhole : head.mask.classify(tile);
    if (kind == TileKind::kHidden) {
      std::fill_n(scores, tile.queries * kTile, -std::numeric_limits<float>::infinity());
    } else {
      fade.make(row, tile);
      if (fade.wanted()) {
        kernels::pack_rows(fade.scaled(rows, tile.queries), head_dim, tile.queries, head_dim,
                           kernels::kBundle, query);
      }
      kernels::multiply(query, keys.tile(tile.first_key), tile.queries, tile.keys, head_dim, scores,
                        kTile);
      relative.add_scores(tile, keys.tile(tile.first_key), head.mask, scores);
      if (stage == ScoreStage::kCapped) head.cap(tile, scores);
      if (!every_key) head.finish(tile, kind, scores);
    }
    for (int64_t i = 0; i < tile.queries; i++) {
      kernels::copy(scores + i * kTile, tile.keys, out + i * inputs.k_len + tile.first_key);
    }
  }

  static void softmax(float* row, int64_t count, float sink) noexcept {
    const float largest = std::max(kernels::largest(row, count), sink);
    const float shift = largest == -std::numeric_limits<float>::infinity() ? 0 : largest;
    const float sum = kernels::exp_shifted(row, count, shift);
    kernels::weighted_mean(row, sum + static_cast<float>(math::exp(sink - shift)), count, row);
  }

  // out [queries, k_len]
  void write(const CallRow& row, const HeadScores& head, const RowsIn& q, double scale,
             int64_t first, int64_t queries, float* out) noexcept {
    turn_rows(q, queries, head_dim, tables.query(), first, scale, {rows, head_dim});
    scale_by_position(attention.options(), row.query, first, {rows, head_dim}, queries, head_dim);
    relative.add_offset(rows, queries);
    kernels::pack_rows(rows, head_dim, queries, head_dim, kernels::kBundle, query);
    relative.begin_queries(query, queries);
    biases.open_gates(0, row.batch_row, first, queries);
    for_key_tiles({0, row.keys}, relative.right_to_left(), [&](int64_t key) {
      take_tile(row, head, {first, queries, key, std::min(kTile, row.keys - key), kTile}, out);
    });
    for (int64_t i = 0; i < queries; i++) {
      float* line = out + i * inputs.k_len;
      std::fill(line + row.keys, line + inputs.k_len, -std::numeric_limits<float>::infinity());
      if (stage == ScoreStage::kWeights) softmax(line, inputs.k_len, head.sink);
    }
  }
};

}  // namespace

Status write_scores(const Attention& attention, const AttentionInputs& inputs, ScoreStage stage,
                    float* scores) noexcept {
  Result<HeadBiases> biases = HeadBiases::make(attention, 1);
  if (!biases) return std::unexpected(biases.error());
  Work work(attention, inputs, stage, std::move(*biases));
  const Result<Buffer<float>> memory = carve("k", [&](Carver& carver) { work.lay_out(carver); });
  if (!memory) return std::unexpected(memory.error());

  const AttentionOptions& options = attention.options();
  const int64_t group = options.heads / *options.kv_heads;
  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = resolve_row(attention, inputs, b, work.every_key);
    work.tables.make(row);
    work.relative.begin_row(row);
    for (int64_t head = inputs.first_head; head < inputs.first_head + inputs.head_count; head++) {
      if (head % group == 0) {
        pack_head(inputs.k.row(b, head / group, 0), inputs.k.row_stride, row.keys, work.head_dim,
                  work.tables.key(), work.rows, work.keys);
      }
      const HeadScores its_scores =
          head_scores(attention, inputs, row, b, head, work.biases.begin(0, row, head));
      work.relative.begin_head(head);
      for (int64_t first = 0; first < inputs.q_len; first += kTile) {
        work.write(row, its_scores, {inputs.q.row(b, head, first), inputs.q.row_stride},
                   head_scale(options, inputs, head), first, std::min(kTile, inputs.q_len - first),
                   scores);
        scores += std::min(kTile, inputs.q_len - first) * inputs.k_len;
      }
    }
  }
  return {};
}

}  // namespace posenc::attn
