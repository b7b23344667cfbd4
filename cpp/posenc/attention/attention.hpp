// Attention over any encodings: tiles of queries x keys with a running softmax, never a q x k
// matrix unless scores are asked for.
//   score = scale · (q·k (rotated) + relative terms) → softcap → + bias encodings + additive mask →
//   hidden keys → softmax → · (v + relative values)
// Relative terms look at queries and keys as they are multiplied, rotated where a rotary encoding
// is in play. Rabe & Staats 2021; Dao et al. 2022, FlashAttention; Milakov & Gimelshein 2018,
// online softmax. For inputs in [-1, 1] and scores up to 8 outputs are within 5e-7 of the exact
// value; with larger scores that grows in proportion, as the distance between neighbouring floats
// does.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/attention/options.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/head_rows.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

class KvCache;

// A mask of rank 1 to 4, broadcast from the right to [batch, heads, q_len, k_len]; rank 3 is
// (heads, q_len, k_len). The last axis may be shorter than k_len and is not broadcast: the keys
// beyond it are hidden.
struct AttentionMask {
  enum class Kind : uint8_t { kNone, kBoolean, kAdditive };
  Kind kind = Kind::kNone;
  const void* data = nullptr;  // uint8_t (1: takes part) or float (-Infinity: hidden)
  Shape shape;
};
inline constexpr const char* kMaskKindNames[] = {"none", "boolean", "additive"};

// What an encoding that reads relations gets: an id for every query and key, [q_len, k_len] for all
// batch rows alike or [batch, q_len, k_len].
struct AttentionRelations {
  const int32_t* ids = nullptr;
  bool each_row = false;
};

struct AttentionInputs {
  int64_t batch = 0, q_len = 0, k_len = 0;
  HeadRows<const float> q;  // [batch, heads, q_len, head_dim]
  HeadRows<const float> k;  // [batch, kv_heads, k_len, head_dim]
  HeadRows<const float> v;  // [batch, kv_heads, k_len, value_dim]
  AttentionMask mask;
  // [batch]: keys from there on are hidden; bottomRight aligns the last query with the last key
  // before it.
  const int32_t* key_lengths = nullptr;
  // [batch]: the place of query 0 among the keys, instead of what `causal` says. Query i stands at
  // place offset + i, which causal and windows compare with the index of the key; it may be
  // negative.
  const int32_t* query_offsets = nullptr;
  const int32_t* query_segments =
      nullptr;  // [batch, q_len]: a query sees keys of its own segment only
  const int32_t* key_segments = nullptr;  // [batch, k_len]
  const float* sinks =
      nullptr;  // [heads]: a learned logit more in the softmax of each row, whose value is 0
  // [batch, q_len] and [batch, k_len] flags: global tokens, which see all and are seen by all that
  // causal and the other masks allow, whatever the window. Either or both.
  const int32_t* query_global = nullptr;
  const int32_t* key_global = nullptr;
  // Positions for the encodings, one entry for all batch rows or one per row. Empty: keys 0, 1, 2,
  // ... and queries from their place among the keys.
  std::span<const Positions> q_positions;
  std::span<const Positions> k_positions;
  // One entry per encoding of the attention, without ids for those that read none; or no entry at
  // all.
  std::span<const AttentionRelations> relations = {};
  const float* logit_scale =
      nullptr;  // [heads], the logarithms of the factors on cosines; null: factors of 1
  // [batch, heads, q_len, head_dim]: what gates of biases read that do not read q.
  HeadRows<const float> gate_input = {};
  bool keys_rotated =
      false;  // k (and v, where values rotate) come from a cache that rotated them on the way in
  // A part of the heads, all of some key/value groups; a count of 0: all. Tensors, lse and the mask
  // then hold these heads alone. Sinks, scales and encodings go by a head's true number, so that
  // parts give the bits of the whole.
  int64_t first_head = 0, head_count = 0;

  // Of [batch, heads] as such tensors have it.
  int64_t head_index(int64_t batch_row, int64_t head) const noexcept {
    return batch_row * head_count + head - first_head;
  }
};

enum class ScoreStage : uint8_t {
  kRaw,      // scale · q·k + relative terms
  kCapped,   // after softcap
  kBiased,   // after biases and masks (hidden: -inf)
  kWeights,  // after softmax (nothing to see: 0)
};
inline constexpr const char* kScoreStageNames[] = {"raw", "capped", "biased", "weights"};

// Outputs must not overlap inputs.
struct AttentionOutputs {
  HeadRows<float> out;   // [batch, heads, q_len, value_dim]
  float* lse = nullptr;  // [batch, heads, q_len], log of the sum of exp(score); -inf where nothing
                         // is seen; or null
};

// All overwritten; what is null is left out.
struct AttentionGradients {
  HeadRows<float> dq, dk, dv;  // with respect to the inputs as given, before rotation
  HeadRows<float> d_gate_input = {};
  float* d_mask = nullptr;  // of the additive mask's shape; with of_each_head the mask's own rows
                            // for every head
  float* d_logit_scale = nullptr;  // [heads]
  float* d_sinks = nullptr;        // [heads]
  // One entry per encoding of the attention, in order; or none at all.
  std::span<Gradients> of;
  // `of` has batch x heads x encodings entries instead, each the part of one (batch, head), and
  // d_mask is [batch, heads, 1 or q_len, its width]. Their sums in that order are, bit for bit,
  // what is given otherwise: how a split over workers gives the same result.
  bool of_each_head = false;
};

class Attention {
 public:
  // Encodings are borrowed and must outlive the attention: any number of biases, at most one rotary
  // and one relative encoding. Those of the input family belong in front of the projections
  // (unsupported here).
  static Result<Attention> make(const AttentionOptions& options,
                                std::span<Encoding* const> encodings) noexcept;

  const AttentionOptions& options() const noexcept {
    return options_;
  }  // resolved: no optional but windows is empty
  std::span<Encoding* const> encodings() const noexcept { return encodings_.span(); }
  const RotaryEncoding* rotary() const noexcept { return rotary_; }        // or null
  const RelativeEncoding* relative() const noexcept { return relative_; }  // or null
  bool reads_gate_input() const noexcept { return gate_input_; }  // whether calls have to bring it

  // Everything about the inputs is checked, and memory taken, before anything is written. Beside
  // inputs and outputs that is O(q_len + k_len) floats per head width, for one head at a time (rows
  // of a relative encoding: for all heads).
  Status forward(const AttentionInputs& inputs, const AttentionOutputs& outputs) const noexcept;
  // What forward() would refuse of the inputs.
  Status check(const AttentionInputs& inputs) const noexcept;
  // k, v, k_len, k_positions and key_lengths are those of the new keys, which are appended to the
  // cache; then the queries attend to all that it holds, standing where the new keys stand. What
  // else there is for each key (mask, key_segments, key_global, relations) is for all that it then
  // holds. An error changes nothing.
  Status forward(const AttentionInputs& inputs, const AttentionOutputs& outputs,
                 KvCache& cache) const noexcept;
  // scores [batch, heads, q_len, k_len] at a stage: the one call that writes such a matrix. v is
  // not read.
  Status scores(const AttentionInputs& inputs, ScoreStage stage, float* scores) const noexcept;
  // By recomputation from q, k, v, out, lse and d_out.
  Status backward(const AttentionInputs& inputs, HeadRows<const float> out, const float* lse,
                  HeadRows<const float> d_out, const AttentionGradients& gradients) const noexcept;

 private:
  AttentionOptions options_;
  Buffer<Encoding*> encodings_;
  const RotaryEncoding* rotary_ = nullptr;
  const RelativeEncoding* relative_ = nullptr;
  bool gate_input_ = false;
};

}  // namespace posenc
