// What an attention is: head counts, widths, scale and which keys a query may see by its place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "posenc/core/fields.hpp"

namespace posenc {

// Which keys are hidden because they come later, and where the queries stand among the keys: query
// i at place offset + i. bottomRight: offset = keys - queries, so the last query sees all keys
// (decoding with a cache). topLeft and off: offset = 0. Windows and the positions that are not
// given go by that place too.
enum class Causal : uint8_t { kOff, kBottomRight, kTopLeft };
inline constexpr const char* kCausalNames[] = {"off", "bottomRight", "topLeft"};

// dot: products q · k. cosine: q · k / (|q| |k|), which each head multiplies with a learned factor
// (Swin v2).
enum class Logits : uint8_t { kDot, kCosine };
inline constexpr const char* kLogitsNames[] = {"dot", "cosine"};
// The learned factor is exp(min(logit_scale, ln 100)).
inline constexpr double kLargestLogitScale = 4.605170185988092;
// What queries are multiplied by beside the scale, p their position.
//   llama4  1 + weight · ln(1 + floor((p + 1) / floorScale))       (Llama 4's attention
//   temperature) logN    ln(p + 1) / ln(length), and 1 up to there               (Su 2021; Qwen's
//   use_logn_attn)
enum class QueryTemperature : uint8_t { kNone, kLlama4, kLogN };
inline constexpr const char* kQueryTemperatureNames[] = {"none", "llama4", "logN"};

struct TemperatureOptions {
  QueryTemperature type = QueryTemperature::kNone;
  double floor_scale = 8192, weight = 0.1;
  double length = 0;
};

// BigBird's pattern; see attention/sparse.hpp.
struct BlockSparseOptions {
  int64_t size = 0;
  int64_t window = 1, global = 1, random = 3;
  int64_t seed = 0;
};

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
  std::optional<int64_t> chunk = {};
  BlockSparseOptions blocks = {};
  TemperatureOptions temperature = {};
};

inline constexpr auto kAttentionFields = std::to_array<Field>({
    field<&AttentionOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of query heads"),
    field<&AttentionOptions::kv_heads>("kvHeads")
        .least(1)
        .most("heads")
        .unless_given("heads")
        .about("number of key/value heads; query head h reads key/value head floor(h / (heads / "
               "kvHeads))"),
    field<&AttentionOptions::head_dim>("headDim")
        .least(1)
        .most(1 << 16)
        .required()
        .shown(2, 256)
        .about("width of a query and key head"),
    field<&AttentionOptions::value_dim>("valueDim")
        .least(1)
        .most(1 << 16)
        .unless_given("headDim")
        .about("width of a value head"),
    field<&AttentionOptions::causal>("causal")
        .of(kCausalNames)
        .about("hide keys that come after the query: true or 'bottomRight' aligns the last query "
               "with the last key, "
               "'topLeft' the first with the first"),
    field<&AttentionOptions::scale>("scale")
        .unless_given("1 / sqrt(headDim), by DeBERTa 1 / sqrt(headDim * terms), 1 for cosines")
        .about("factor on q·k; any finite number, 1 for T5"),
    field<&AttentionOptions::softcap>("softcap").least(0).about(
        "softcap·tanh(score / softcap) before biases and masks; 0: none (Gemma 2)"),
    field<&AttentionOptions::window_left>("window.left")
        .least(0)
        .most(kMaxElements)
        .unless_given("no bound")
        .about("sliding window: how many keys before its own place a query sees"),
    field<&AttentionOptions::window_right>("window.right")
        .least(0)
        .most(kMaxElements)
        .unless_given("no bound")
        .about("how many keys after its own place a query sees"),
    field<&AttentionOptions::logits>("logits")
        .of(kLogitsNames)
        .about("products of queries and keys (dot), or their cosines, times exp(min(logitScale, ln "
               "100)) of the call (cosine)"),
    field<&AttentionOptions::chunk>("chunk")
        .least(1)
        .most(kMaxElements)
        .unless_given("no bound")
        .about("a query sees keys of its own chunk only: those with the same floor(place / chunk) "
               "(Llama 4)"),
    field<&AttentionOptions::blocks, &BlockSparseOptions::size>("blocks.size")
        .least(0)
        .most(1 << 20)
        .about("BigBird's pattern over blocks of so many places: near ones, the first and last, "
               "and some drawn at random; 0: none"),
    field<&AttentionOptions::blocks, &BlockSparseOptions::window>("blocks.window")
        .least(0)
        .most(1 << 20)
        .about("how many blocks on each side of its own a query sees"),
    field<&AttentionOptions::blocks, &BlockSparseOptions::global>("blocks.global")
        .least(0)
        .most(1 << 20)
        .about("how many blocks at each end, with causal at the beginning alone, see all and are "
               "seen by all"),
    field<&AttentionOptions::blocks, &BlockSparseOptions::random>("blocks.random")
        .least(0)
        .most(16)
        .about("how many other blocks each block of queries sees, drawn for each head"),
    field<&AttentionOptions::blocks, &BlockSparseOptions::seed>("blocks.seed")
        .least(0)
        .most(0x1p53)
        .about("what they are drawn from"),
    field<&AttentionOptions::temperature, &TemperatureOptions::type>("temperature.type")
        .of(kQueryTemperatureNames)
        .about("a factor on queries that grows with their position (llama4, logN)"),
    field<&AttentionOptions::temperature, &TemperatureOptions::floor_scale>(
        "temperature.floorScale")
        .above(0)
        .only(when("temperature.type", QueryTemperature::kLlama4))
        .about("positions per step (floor_scale)"),
    field<&AttentionOptions::temperature, &TemperatureOptions::weight>("temperature.weight")
        .least(0)
        .only(when("temperature.type", QueryTemperature::kLlama4))
        .about("weight of the logarithm (attn_scale)"),
    field<&AttentionOptions::temperature, &TemperatureOptions::length>("temperature.length")
        .above(1)
        .required()
        .only(when("temperature.type", QueryTemperature::kLogN))
        .about("length of the training, in tokens, up to which the factor is 1"),
});

}  // namespace posenc
