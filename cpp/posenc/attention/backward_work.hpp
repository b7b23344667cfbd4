// What the backward pass keeps and does for one head after the other. A group of heads shares keys
// and values, whose gradients are summed over it; a head goes through tiles of queries, and each of
// these through the tiles of keys that it sees.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/attention/parameter_gradients.hpp"
#include "posenc/attention/passes.hpp"
#include "posenc/attention/work.hpp"

namespace posenc::attn {

struct Upstream {
  const HeadRows<const float>& out;
  const float* lse;
  const HeadRows<const float>& d_out;
};

struct BackwardWork : TileWork {
  const Upstream& upstream;
  const AttentionGradients& gradients;
  int64_t head_stride, value_stride;  // of sums, padded to whole panels
  ParameterGradients parameters;
  // Of the whole head: V as columns and K as rows to multiply with, sums for the group.
  PackedRows value_columns, key_rows;
  float *dk, *dv;
  // Of a tile of queries: dO as bundles to multiply, Q and dO as rows to multiply with.
  PackedRows query_rows, d_out_rows;
  float *d_out, *lse, *mean, *dq, *dq_part;
  // Of a tile of scores.
  float *weights, *d_scores, *capped, *ones;
  float* mask_sums;         // of a mask that all queries share
  float* d_mask = nullptr;  // of the head
  float logit_sum = 0;      // of a head, for the logarithm of its factor
  float sink_sum = 0;

  BackwardWork(const Attention& a, const AttentionInputs& i, const Upstream& u,
               const AttentionGradients& g, std::span<Gradients> parts) noexcept
      : TileWork(a, i, RelativePass::Mode::kBackward), upstream(u), gradients(g),
        head_stride(kernels::padded(head_dim, kernels::kPanel)),
        value_stride(kernels::padded(value_dim, kernels::kPanel)), parameters(a, g, parts) {}

  void lay_out(Carver& carver) noexcept;
  void begin_group(const CallRow& row, int64_t kv_head) noexcept;
  void end_group(const CallRow& row, int64_t kv_head) noexcept;
  // Computes the gradients of a head: of its queries, and into the sums of the group.
  void differentiate(const CallRow& row, int64_t head_index) noexcept;

  // Of a tile of queries. A query that sees nothing has weights of 0 and takes no part, whatever
  // stands in its rows.
  void begin_queries(const CallRow& row, int64_t head, int64_t first, int64_t queries) noexcept;
  // A sink takes part in the softmax with a value of 0, so that the gradient of its weight is 0.
  void add_sink_gradient(const HeadScores& head, int64_t queries) noexcept;
  void end_queries(const CallRow& row, int64_t head, int64_t first, int64_t queries) noexcept;
  void take_back_gates(int64_t batch_row, int64_t head, int64_t first, int64_t queries) noexcept;

  // Of a tile of scores. The gates of all tiles that the queries see, from the last to the first.
  void count_gates(const CallRow& row, const HeadScores& head, int64_t first,
                   int64_t queries) noexcept;
  void take_in(const CallRow& row, const HeadScores& head, const ScoreTile& tile) noexcept;
  // The weights of a tile; false when nothing in it was hidden.
  bool recompute(const HeadScores& head, const ScoreTile& tile, TileKind kind) noexcept;
  // The gradient of a tile's scores as the bias itself has it: by way of the gates, which take
  // their part.
  const float* gradient_of_bias(const HeadBias& bias, const ScoreTile& tile) noexcept;
  void add_mask_gradient(const HeadMask& mask, const ScoreTile& tile) noexcept;

  // That of the relative encoding, among all.
  int64_t relative_index() const noexcept;
};

}  // namespace posenc::attn
