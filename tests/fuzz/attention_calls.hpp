// Attention with encodings of its own, and the inputs of its calls, from a fuzzer's bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "encodings.hpp"
#include "posenc/attention/attention.hpp"

namespace posenc::fuzz {

constexpr int64_t kMost = 1 << 14;  // parameters, scores

// One attention with encodings of its own.
struct DrawnAttention {
  std::vector<std::unique_ptr<Encoding>> owned;
  std::vector<Encoding*> encodings;
  std::unique_ptr<Attention> attention;
  bool is_plain = true;  // no factor in it that could make numbers leave the range of floats
};
// Without attention where something was refused.
DrawnAttention draw_attention(Draw& draw);

// A call's inputs and the memory that they point into.
struct DrawnCall {
  AttentionInputs inputs;
  int64_t keys = 0;  // how many there are, those of a cache too: what each of them has is so long
  std::vector<float> q, k, v, additive, sinks, logit_scale, gate_input;
  std::vector<uint8_t> boolean;
  std::vector<int32_t> lengths, offsets, query_segments, key_segments, query_global, key_global;
  std::vector<DrawnPositions> drawn;
  std::vector<Positions> query_positions, key_positions;
  std::vector<std::vector<int32_t>> ids;
  std::vector<AttentionRelations> relations;
};
// `held`: keys that a cache holds before.
void draw_call(Draw& draw, const DrawnAttention& of, int64_t batch, int64_t q_len, int64_t k_len,
               DrawnCall& call, int64_t held = 0);

}  // namespace posenc::fuzz
