// One head at work: its biases, its mask, and how products become the scores that softmax takes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "posenc/attention/call.hpp"
#include "posenc/attention/mask.hpp"
#include "posenc/attention/scratch.hpp"
#include "posenc/core/content_gate.hpp"

namespace posenc::attn {

struct HeadBias {
  const BiasEncoding* encoding;
  int64_t index;  // among the encodings of the attention
  BiasHead head;
  ContentGate gate = {};
  // Of a tile of queries, where there is a gate: the gates and their gradients, and room for a tile
  // of biases.
  float *gates = nullptr, *d_gates = nullptr, *room = nullptr;
};

// The biases of several heads at once.
class HeadBiases {
 public:
  Status allocate(const Attention& attention, int64_t heads) noexcept;
  // As much scratch as the largest row wants.
  void lay_out(Carver& carver, const Attention& attention, const AttentionInputs& inputs,
               bool with_sums, bool every_key) noexcept;
  // Makes the biases of one head ready, in place `slot`.
  std::span<HeadBias> begin(int64_t slot, const CallRow& row, int64_t head) noexcept;
  // Opens the gates of a tile of queries. Those that see nothing, by `lse`, have gates of 0.
  void open_gates(int64_t slot, int64_t batch_row, int64_t first, int64_t queries,
                  const float* lse = nullptr) noexcept;
  // What gates read of these queries: rows of the call's own, or the queries as they were given.
  GateRows gate_rows(const HeadBias& bias, int64_t batch_row, int64_t first,
                     int64_t queries) const noexcept;
  std::span<HeadBias> of_slot(int64_t slot) noexcept;
  float* gate_scratch() const noexcept { return gate_scratch_; }

 private:
  Buffer<HeadBias> biases_;
  const AttentionInputs* inputs_ = nullptr;
  int64_t heads_ = 0;
  int64_t floats_ = 0;  // per head, for values alone
  bool with_sums_ = false;
  float* scratch_ = nullptr;
  float *gates_ = nullptr, *gate_scratch_ = nullptr, *room_ = nullptr;
};

struct HeadScores {
  float softcap = 0;
  float sink = -std::numeric_limits<float>::infinity();  // one more logit in the sum of every row;
                                                         // -inf: none
  HeadMask mask;
  std::span<const HeadBias> biases;

  // The running softmax of `count` rows that have seen nothing but the sink.
  void begin(float* largest, float* sum, int64_t count) const noexcept;

  // The three steps from scale · q·k to the score. hide() is false when nothing was hidden.
  void cap(const ScoreTile& tile, float* scores) const noexcept;
  void add_biases(const ScoreTile& tile, float* scores) const noexcept;
  bool hide(const ScoreTile& tile, TileKind kind, float* scores) const noexcept {
    return kind == TileKind::kPart && mask.apply(tile, scores);
  }
  bool finish(const ScoreTile& tile, TileKind kind, float* scores) const noexcept {
    cap(tile, scores);
    add_biases(tile, scores);
    return hide(tile, kind, scores);
  }
};

HeadScores head_scores(const Attention& attention, const AttentionInputs& inputs,
                       const CallRow& row, int64_t head, std::span<const HeadBias> biases) noexcept;

}  // namespace posenc::attn
