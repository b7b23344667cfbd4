// An attention layer: tokens x [batch, seq, dim] with their input encodings added, projected to
// queries, keys and values, attention with its own encodings, and the projection of the heads side
// by side.
//   out = attention(E(x)·Wq + bq, E(c)·Wk + bk, E(c)·Wv + bv) · Wo + bo,  c = x, or the context in
//   cross-attention
// Vaswani et al. 2017, section 3.2.2. For tokens in [-1, 1] and weights as they are initialised
// outputs are within 2e-6 · (1 + |out|) of the exact value, gradients of tokens within 3e-6 of
// their largest, those of weights within 5e-6 of what their sums add up (or of 1, where that is
// less).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/layer/options.hpp"
#include "posenc/layer/weights.hpp"

namespace posenc {

struct LayerInputs {
  const float* x = nullptr;        // [batch, q_len, dim]
  const float* context = nullptr;  // [batch, k_len, context_dim]; null: x, and k_len is q_len
  // Batch, lengths, mask, segments and positions. q, k and v are not read: the layer makes them. In
  // self-attention a token has one position: that of its query holds for its key too, and the other
  // way round.
  AttentionInputs attention;
  // Positions for the input encodings of x and of the context, where these want other ones than
  // attention's encodings.
  std::span<const Positions> x_positions, context_positions;
};

// Outputs must not overlap inputs.
struct LayerOutputs {
  float* out = nullptr;       // [batch, q_len, out_width]
  float* attended = nullptr;  // [batch, q_len, heads · value_dim], for backward(); or null
  float* lse = nullptr;       // [batch, heads, q_len], for backward(); or null
};

// All overwritten; what is null is left out.
struct LayerGradients {
  float* dx = nullptr;
  float* d_context = nullptr;
  float* d_mask = nullptr;
  float* d_logit_scale = nullptr;  // [heads]
  float* d_sinks = nullptr;        // [heads]
  Gradients weights;               // one entry per tensor of parameters()
  std::span<Gradients> of;         // one entry per encoding, in order; or none at all
};

class AttentionLayer {
 public:
  // Encodings are borrowed and must outlive the layer: those of the input family are added to the
  // tokens in their order, the others are the attention's.
  static Result<AttentionLayer> make(LayerOptions options, std::span<Encoding* const> encodings,
                                     uint64_t seed = 0) noexcept;

  const LayerOptions& options() const noexcept { return options_; }  // resolved
  const Attention& attention() const noexcept { return *attention_; }
  std::span<Encoding* const> encodings() const noexcept { return encodings_.span(); }
  ParameterSet& parameters() noexcept { return weights_; }
  const ParameterSet& parameters() const noexcept { return weights_; }
  // dim, or heads · value_dim without the output projection.
  int64_t out_width() const noexcept;

  // Whatever is wrong is found before anything is written.
  Status forward(const LayerInputs& inputs, const LayerOutputs& outputs) const noexcept;
  // Keys and values of the tokens are appended to the cache of attention(); then the queries attend
  // to all that it holds. Positions go on where each row of the cache ends. An error changes
  // nothing.
  Status forward(const LayerInputs& inputs, const LayerOutputs& outputs,
                 KvCache& cache) const noexcept;
  // scores [batch, heads, q_len, k_len] at a stage.
  Status scores(const LayerInputs& inputs, ScoreStage stage, float* scores) const noexcept;
  // From what forward() wrote; queries, keys and values are made anew.
  Status backward(const LayerInputs& inputs, const float* attended, const float* lse,
                  const float* d_out, const LayerGradients& gradients) const noexcept;

 private:
  LayerOptions options_;
  std::unique_ptr<Attention> attention_;  // a stable address, which bindings hand out
  Buffer<Encoding*> encodings_;
  ParameterSet weights_;
};

}  // namespace posenc
