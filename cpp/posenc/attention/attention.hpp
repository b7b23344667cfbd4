// Attention over any encodings: tiles of queries x keys with a running softmax, never a q x k matrix unless
// scores are asked for.
//   score = scale · q·k (rotated) → softcap → + bias encodings + additive mask → hidden keys → softmax → · v
// Rabe & Staats 2021; Dao et al. 2022, FlashAttention; Milakov & Gimelshein 2018, online softmax.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "posenc/attention/options.hpp"
#include "posenc/core/encoding.hpp"

namespace posenc {

// Rows of a [batch, heads, seq, dim] tensor in any order of axes but the last, which is contiguous.
// Strides in floats. 'heads' layout [batch, heads, seq, dim] and 'packed' [batch, seq, heads · dim] are both this.
template <typename T>
struct HeadRows {
  T* data = nullptr;
  int64_t batch_stride = 0, head_stride = 0, row_stride = 0;

  T* row(int64_t batch, int64_t head, int64_t index) const noexcept {
    return data + batch * batch_stride + head * head_stride + index * row_stride;
  }
};

// A mask of rank 1 to 4, broadcast from the right to [batch, heads, q_len, k_len]; the last axis may be shorter than
// k_len, the keys beyond it are hidden.
struct AttentionMask {
  enum class Kind : uint8_t { kNone, kBoolean, kAdditive };
  Kind kind = Kind::kNone;
  const void* data = nullptr;  // uint8_t (1: takes part) or float
  Shape shape;
};

struct AttentionInputs {
  int64_t batch = 0, q_len = 0, k_len = 0;
  HeadRows<const float> q;  // [batch, heads, q_len, head_dim]
  HeadRows<const float> k;  // [batch, kv_heads, k_len, head_dim]
  HeadRows<const float> v;  // [batch, kv_heads, k_len, value_dim]
  AttentionMask mask;
  const int32_t* key_lengths = nullptr;     // [batch]: keys from there on are hidden; bottomRight aligns with it
  const int32_t* query_offsets = nullptr;   // [batch]: place of query 0 among the keys, instead of the alignment's
  const int32_t* query_segments = nullptr;  // [batch, q_len]: a query sees keys of its own segment only
  const int32_t* key_segments = nullptr;    // [batch, k_len]
  // Positions for encodings, one entry for all batch rows or one per row. Empty: keys 0, 1, 2, ... and queries
  // from their place among the keys.
  std::span<const Positions> q_positions;
  std::span<const Positions> k_positions;
  bool keys_are_rotated = false;  // they come from a cache that rotated them on the way in
};

enum class ScoreStage : uint8_t {
  kRaw,      // scale · q·k + relative terms
  kCapped,   // after softcap
  kBiased,   // after biases and masks (hidden: -inf)
  kWeights,  // after softmax (nothing to see: 0)
};
inline constexpr const char* kScoreStageNames[] = {"raw", "capped", "biased", "weights"};

struct AttentionOutputs {
  HeadRows<float> out;   // [batch, heads, q_len, value_dim]
  float* lse = nullptr;  // [batch, heads, q_len], log of the sum of exp(score); -inf where nothing is seen; or null
};

struct AttentionGradients {
  HeadRows<float> dq, dk, dv;  // overwritten
  float* d_mask = nullptr;     // of the additive mask's shape, overwritten; or null
  std::span<Gradients> of;     // one per encoding of the attention, overwritten; null entries are left out
};

class Attention {
 public:
  // Encodings are borrowed: they must outlive the attention. At most one rotary encoding.
  static Result<Attention> make(AttentionOptions options, std::span<Encoding* const> encodings) noexcept;

  const AttentionOptions& options() const noexcept { return options_; }  // resolved
  std::span<Encoding* const> encodings() const noexcept;

  // Checks everything about the inputs before any work; memory is O(q_len + k_len) per head beside them.
  Status forward(const AttentionInputs& inputs, const AttentionOutputs& outputs) const noexcept;
  // scores [batch, heads, q_len, k_len] at a stage: the one call that writes such a matrix.
  Status scores(const AttentionInputs& inputs, ScoreStage stage, float* scores) const noexcept;
  // By recomputation from q, k, v, out, lse and d_out.
  Status backward(const AttentionInputs& inputs, HeadRows<const float> out, const float* lse,
                  HeadRows<const float> d_out, const AttentionGradients& gradients) const noexcept;

 private:
  AttentionOptions options_;
};

}  // namespace posenc
