// Scores written out: the q x k matrix at one of its stages, for pictures and for ONNX's
// qk_matmul_output.
#include <algorithm>
#include <limits>

#include "posenc/attention/passes.hpp"
#include "posenc/attention/work.hpp"
#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

struct Work : TileWork {
  ScoreStage stage;
  float* scores;

  // The stages before masks show keys that are hidden.
  Work(const Attention& a, const AttentionInputs& i, ScoreStage s) noexcept
      : TileWork(a, i, RelativePass::Mode::kForward, s <= ScoreStage::kCapped), stage(s) {}

  void lay_out(Carver& carver) noexcept {
    TileWork::lay_out(carver);
    scores = carver.take(kTile * kTile);
  }

  void take_tile(const CallRow& row, const HeadScores& head, const ScoreTile& tile,
                 float* out) noexcept {
    const TileKind kind = every_key ? TileKind::kWhole : head.mask.classify(tile);
    if (kind == TileKind::kHidden) {
      std::fill_n(scores, tile.queries * kTile, -std::numeric_limits<float>::infinity());
    } else {
      fade_queries(row, tile);
      score(head.mask, tile, scores);
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
  void write(const CallRow& row, const HeadScores& head, int64_t head_index, int64_t first,
             int64_t queries, float* out) noexcept {
    begin_queries(row, head_index, first, queries);
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
  Work work(attention, inputs, stage);
  if (Status status = reserve(work, 1); !status) return status;

  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = work.begin_row(b);
    for (int64_t head = inputs.first_head; head < inputs.first_head + inputs.head_count; head++) {
      if (head % work.group == 0) {
        pack_head(inputs.k.row(b, head / work.group, 0), inputs.k.row_stride, row.keys,
                  work.head_dim, work.tables.key(), work.rows, work.keys);
      }
      const HeadScores its_scores = work.begin_head(row, head);
      for (int64_t first = 0; first < inputs.q_len; first += kTile) {
        const int64_t queries = std::min(kTile, inputs.q_len - first);
        work.write(row, its_scores, head, first, queries, scores);
        scores += queries * inputs.k_len;
      }
    }
  }
  return {};
}

}  // namespace posenc::attn
