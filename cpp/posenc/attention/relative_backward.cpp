// The backward pass of relative terms. With dS the gradient of a tile's scores and S its rows,
// summed by distance:
//   query terms  dQ += (Σ dS)·S,  dS += (Σ dS)ᵀ·Q      key terms  dK and dS the same with keys
//   value terms  dP += dO·Sᵀ,  dS += (Σ P)ᵀ·dO
#include <algorithm>

#include "posenc/attention/relative.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc::attn {

using kernels::kTile;

float* RelativePass::d_rows(Term& term, int64_t block) noexcept {
  float* sums = term.d_rows + block * kTile * term.row_floats;
  if (term.d_made[block] == 0) {
    term.d_made[block] = 1;
    std::fill_n(sums, kTile * term.row_floats, 0.0F);
    std::fill_n(term.d_bias + block * kTile, kTile, 0.0F);
  }
  return sums;
}

void RelativePass::add_weight_gradient(const ScoreTile& tile, float* d_weights) noexcept {
  for (Term& term : terms()) {
    if (term.info.side == RelativeSide::kValue) add_query_term(term, tile, d_out_, d_weights);
  }
}

// Through the row's place between two others to the position, from there to the gates of all keys
// from j on, so that sums run from the first key to the last.
void RelativePass::take_contextual(Term& term, const ScoreTile& tile, float* d_scores) noexcept {
  for (int64_t b = 0; b < term.range.blocks(); b++) term.sums.sums(b);
  for (int64_t i = 0; i < tile.queries; i++) {
    for (int64_t j = 0; j < tile.keys; j++) {
      const GateCounter::Place place = gates_.place(i, j);
      float& d_score = d_scores[i * tile.stride + j];
      term.sums.at(i, place.low) += (1 - place.share) * d_score;
      term.sums.at(i, place.high) += place.share * d_score;
      const float slope =
          place.moves ? term.products.at(i, place.high) - term.products.at(i, place.low) : 0;
      d_score += gates_.gradient(i, j, slope * d_score);
    }
  }
}

void RelativePass::take_score_gradient(const ScoreTile& tile, float* d_scores,
                                       const Keys& keys) noexcept {
  for (Term& term : terms()) {
    if (term.info.contextual) continue;
    if (term.info.side == RelativeSide::kQuery) take_by_row(term, tile, d_scores);
    if (term.info.side == RelativeSide::kKey) take_by_key(term, tile, d_scores, keys);
  }
  for (Term& term : terms()) {
    if (term.info.contextual) take_contextual(term, tile, d_scores);
  }
}

// Sums [kTile, keys] by row, which are worked off for each tile.
void RelativePass::take_by_key(Term& term, const ScoreTile& tile, const float* d_scores,
                               const Keys& keys) noexcept {
  term.sums.clear();
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      const float* from = d_scores + i * tile.stride + run.column;
      float* to = term.sums.sums(run.block()) + run.place() * kTile + run.column;
      if (run.step == 0)
        kernels::add(from, run.count, to);
      else
        for (int64_t j = 0; j < run.count; j++) to[j * (kTile + 1)] += from[j];
    }
  }
  const auto by_keys = keys.sparse ? kernels::multiply_tile_sparse : kernels::multiply_tile;
  for (int64_t b = 0; b < term.range.blocks(); b++) {
    if (!term.sums.made(b)) continue;
    const float* sums = term.sums.block(b);
    const int64_t count = term.range.rows_of(b);
    kernels::multiply_tile_transposed(sums, rows(term, b), tile.keys, term.width, count, keys.dk,
                                      keys.dk_stride);
    by_keys(sums, keys.rows, count, term.width, tile.keys, ones_, d_rows(term, b), term.row_floats);
  }
}

void RelativePass::end_queries(int64_t queries, float* dq, int64_t dq_stride,
                               const float* query_rows, const float* d_out_rows) noexcept {
  for (Term& term : terms()) {
    if (term.info.side == RelativeSide::kKey) continue;
    const bool value = term.info.side == RelativeSide::kValue;
    for (int64_t b = 0; b < term.range.blocks(); b++) {
      if (!term.sums.made(b)) continue;
      const float* sums = term.sums.block(b);
      const int64_t count = term.range.rows_of(b);
      if (!value)
        kernels::multiply_tile(sums, rows(term, b), queries, term.width, count, ones_, dq,
                               dq_stride);
      kernels::multiply_tile_transposed(sums, value ? d_out_rows : query_rows, count, term.width,
                                        queries, d_rows(term, b), term.row_floats);
      for (int64_t i = 0; term.bias && i < queries; i++) {
        kernels::add(sums + i * kTile, count, term.d_bias + b * kTile);
      }
    }
  }
  if (encoding_ == nullptr || encoding_->query_offsets() == nullptr) return;
  for (int64_t i = 0; i < queries; i++) {
    kernels::scale_add(dq + i * dq_stride, scale_, d_offset_, attention_.options().head_dim,
                       d_offset_);
  }
}

void RelativePass::hand_back(Term& term, Gradients& gradients) noexcept {
  for (int64_t b = 0; b < term.range.blocks(); b++) {
    if (term.d_made[b] == 0) continue;
    const int64_t count = term.range.rows_of(b);
    const float* sums = d_rows(term, b);
    float* bias = term.d_bias + b * kTile;
    for (int64_t r = 0; r < count; r++) {
      kernels::scale(sums + r * term.row_floats, term.factor, term.width, chunk_ + r * term.width);
    }
    kernels::scale(bias, term.bias_factor, count, bias);
    encoding_->backward({term.index, term.range.low + b * kTile, count}, head_, chunk_, bias,
                        scratch_, gradients);
  }
}

void RelativePass::end_head(Gradients& gradients) noexcept {
  for (Term& term : terms()) hand_back(term, gradients);
  if (encoding_->query_offsets()) encoding_->offset_backward(head_, d_offset_, gradients);
}

}  // namespace posenc::attn
