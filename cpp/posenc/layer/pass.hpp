// What forward and backward passes of a layer share: checks, positions, the tokens with their
// encodings, projections.
#pragma once

#include <cstdint>

#include "posenc/attention/scratch.hpp"
#include "posenc/layer/layer.hpp"

namespace posenc {

// One side of the call: x, or the context.
struct LayerTokens {
  const float* data = nullptr;
  int64_t length = 0, width = 0;
  bool encode = false;  // whether anything is made from them with encodings added
  std::span<const Positions>
      positions;  // for the encodings, one entry for all batch rows or one per row
  const char* positions_name = "";
  float* encoded = nullptr;  // [batch, length, width]

  const Positions& row_of(int64_t row) const noexcept {
    return positions[positions.size() == 1 ? 0 : static_cast<std::size_t>(row)];
  }
};

class LayerPass {
 public:
  // Checks everything but what attention itself checks. With a cache positions go on where its rows
  // end.
  Status prepare(const AttentionLayer& layer, const LayerInputs& inputs,
                 const KvCache* cache = nullptr) noexcept;

  const LayerOptions& options() const noexcept { return layer_->options(); }
  const AttentionLayer& layer() const noexcept { return *layer_; }
  // Of the attention, with q, k and v once memory is laid out.
  const AttentionInputs& inputs() const noexcept { return inputs_; }
  int64_t batch() const noexcept { return inputs_.batch; }
  int64_t rows_of(Part part) const noexcept { return batch() * tokens_of(part).length; }
  // Floats of queries, keys, values or of the heads side by side.
  int64_t size_of(Part part) const noexcept;
  // The tokens that a part is made from; those of the context are x in self-attention.
  const LayerTokens& tokens_of(Part part) const noexcept {
    return part == Part::kQuery || part == Part::kOutput || self_ ? x_ : context_;
  }
  LayerTokens& x() noexcept { return x_; }
  LayerTokens& context() noexcept { return context_; }
  bool self() const noexcept { return self_; }
  // Whether a part is made from the tokens with their encodings.
  bool encodes(Part part) const noexcept;
  const float* source_of(Part part) const noexcept {
    return encodes(part) ? tokens_of(part).encoded : tokens_of(part).data;
  }

  // Calls body(encoding, its index among the layer's encodings) for those of the input family.
  template <typename Body>
  void for_input_encodings(Body body) const noexcept {
    for (std::size_t i = 0; i < layer_->encodings().size(); i++) {
      const Encoding& encoding = *layer_->encodings()[i];
      if (encoding.info().family == Family::kInput)
        body(static_cast<const InputEncoding&>(encoding), i);
    }
  }

  void lay_out(attn::Carver& carver, bool with_values = true) noexcept;
  // Adds the encodings and projects; values only where they were laid out.
  void project_inputs() const noexcept;
  // out [batch, q_len, out_width] from the heads side by side.
  void project_output(const float* attended, float* out) const noexcept;
  float* products() const noexcept { return products_; }  // scratch of matmul

 private:
  Status check() const noexcept;
  Status check_tokens(const LayerTokens& tokens, const char* name) const noexcept;
  Status resolve_positions(const KvCache* cache) noexcept;
  void encode(const LayerTokens& tokens) const noexcept;
  void project(Part part, float* out) const noexcept;

  const AttentionLayer* layer_ = nullptr;
  AttentionInputs inputs_;
  bool self_ = false;
  LayerTokens x_, context_;
  Buffer<Positions> default_positions_;
  Buffer<int32_t> offsets_;
  float *q_ = nullptr, *k_ = nullptr, *v_ = nullptr, *rows_ = nullptr, *products_ = nullptr;
};

}  // namespace posenc
