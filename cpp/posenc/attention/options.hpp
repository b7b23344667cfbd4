// What an attention is: head counts, widths, scale and which keys a query may see by its place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "posenc/core/fields.hpp"

namespace posenc {

// Which keys are hidden because they come later, and where the queries stand among the keys: query i at place
// offset + i. bottomRight: offset = keys - queries, so the last query sees all keys (decoding with a cache).
// topLeft and off: offset = 0. Windows and the positions that are not given go by that place too.
enum class Causal : uint8_t { kOff, kBottomRight, kTopLeft };
inline constexpr const char* kCausalNames[] = {"off", "bottomRight", "topLeft"};

// dot: products q · k. cosine: q · k / (|q| |k|), which each head multiplies with a learned factor (Swin v2).
enum class Logits : uint8_t { kDot, kCosine };
inline constexpr const char* kLogitsNames[] = {"dot", "cosine"};
// The learned factor is exp(min(logit_scale, ln 100)).
inline constexpr double kLargestLogitScale = 4.605170185988092;

struct AttentionOptions {
  int64_t heads = 0;
  std::optional<int64_t> kv_heads = {};
  int64_t head_dim = 0;
  std::optional<int64_t> value_dim = {};
  Causal causal = Causal::kOff;
  std::optional<double> scale = {};
  double softcap = 0;
  std::optional<int64_t> window_left = {};
  std::optional<int64_t> window_right = {};
  Logits logits = Logits::kDot;
};

inline constexpr auto kAttentionFields = std::to_array<Field>({
    field<&AttentionOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of query heads"),
    field<&AttentionOptions::kv_heads>("kvHeads").least(1).most("heads").unless_given("heads").about(
        "number of key/value heads; query head h reads key/value head floor(h / (heads / kvHeads))"),
    field<&AttentionOptions::head_dim>("headDim").least(1).most(1 << 16).required().shown(2, 256).about(
        "width of a query and key head"),
    field<&AttentionOptions::value_dim>("valueDim").least(1).most(1 << 16).unless_given("headDim").about(
        "width of a value head"),
    field<&AttentionOptions::causal>("causal").of(kCausalNames).about(
        "hide keys that come after the query: true or 'bottomRight' aligns the last query with the last key, "
        "'topLeft' the first with the first"),
    field<&AttentionOptions::scale>("scale").unless_given("1 / sqrt(headDim), by DeBERTa 1 / sqrt(headDim * terms), 1 for cosines").about(
        "factor on q·k; any finite number, 1 for T5"),
    field<&AttentionOptions::softcap>("softcap").least(0).about(
        "softcap·tanh(score / softcap) before biases and masks; 0: none (Gemma 2)"),
    field<&AttentionOptions::window_left>("window.left").least(0).most(kMaxElements).unless_given("no bound").about(
        "sliding window: how many keys before its own place a query sees"),
    field<&AttentionOptions::window_right>("window.right").least(0).most(kMaxElements).unless_given("no bound").about(
        "how many keys after its own place a query sees"),
    field<&AttentionOptions::logits>("logits").of(kLogitsNames).about(
        "products of queries and keys (dot), or their cosines, times exp(min(logitScale, ln 100)) of the call (cosine)"),
});

}  // namespace posenc
