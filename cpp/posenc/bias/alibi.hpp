// ALiBi: a penalty on the score that grows linearly with distance, with one slope per head.
//   causal     bias = -slope_h * (i - j), also for keys ahead, where the causal mask hides them
//   symmetric  bias = -slope_h * |i - j|
//   two        bias = -slope_h * (i - j) behind, -slopeAhead_h * (j - i) ahead
// Press, Smith & Lewis 2022, "Train Short, Test Long". The product is formed in double and rounded
// once.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

enum class AlibiSides : uint8_t { kCausal, kSymmetric, kTwo };
inline constexpr const char* kAlibiSidesNames[] = {"causal", "symmetric", "two"};

// Slopes for head counts that are no power of two. `press`: those of the power below, then every
// other one of twice that power. `power`: 2^(-biasMax (h + 1) / heads). `mpt`: every other one of
// the power above, odd places first; the same as `press` where biasMax is 8.
enum class AlibiSlopes : uint8_t { kPress, kPower, kMpt };
inline constexpr const char* kAlibiSlopesNames[] = {"press", "power", "mpt"};

struct AlibiOptions {
  int64_t heads = 0;
  AlibiSides sides = AlibiSides::kCausal;
  AlibiSlopes slopes = AlibiSlopes::kPress;
  double bias_max = 8;
  bool trainable = false;
};

// Writes heads slopes by the rule of `options`.
void alibi_slopes(const AlibiOptions& options, std::span<float> out) noexcept;

class Alibi : public EncodingBase<AlibiOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  void evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept;
  void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                Gradients& gradients) const noexcept;
};

inline constexpr auto kAlibiFields = std::to_array<Field>({
    field<&AlibiOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&AlibiOptions::sides>("sides")
        .of(kAlibiSidesNames)
        .about("distance behind only (causal), on both sides alike (symmetric), or with slopes of "
               "their own (two)"),
    field<&AlibiOptions::slopes>("slopeRule")
        .of(kAlibiSlopesNames)
        .about("slopes where the number of heads is no power of two: the paper's code, the plain "
               "power formula, or MPT's order"),
    field<&AlibiOptions::bias_max>("biasMax").above(0).most(64).shown(1, 16).about(
        "the last slope is 2^-biasMax (8 in the paper; MPT's alibi_bias_max)"),
    field<&AlibiOptions::trainable>("trainable").about("whether the slopes have gradients"),
});

inline constexpr auto kAlibiTensors = std::to_array<TensorInfo>({
    {.name = "slopes",
     .shape = "[heads]",
     .trained = when("trainable", true),
     .initialise =
         [](const void* options, std::span<float> out, Random&) noexcept {
           alibi_slopes(*static_cast<const AlibiOptions*>(options), out);
         },
     .doc = "slope per head, for keys behind the query",
     .initial_doc = "by slopeRule"},
    {.name = "slopesAhead",
     .shape = "[heads]",
     .present = when("sides", AlibiSides::kTwo),
     .trained = when("trainable", true),
     .initialise =
         [](const void* options, std::span<float> out, Random&) noexcept {
           alibi_slopes(*static_cast<const AlibiOptions*>(options), out);
         },
     .doc = "slope per head, for keys ahead of the query",
     .initial_doc = "by slopeRule"},
});

inline constexpr Info Alibi::info = {
    .id = "alibi",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kAlibiFields,
    .tensors = kAlibiTensors,
    .docs =
        {
            .title = "ALiBi",
            .summary = "Subtracts from each score a number proportional to how far the key is from "
                       "the query; every head "
                       "has its own slope, so some heads look near and some look far.",
            .paper =
                "Press, Smith & Lewis 2022, Train Short, Test Long: Attention with Linear Biases",
            .url = "https://arxiv.org/abs/2108.12409",
            .formula = "b_h(i,j) = -m_h\\,(i-j), \\qquad m_h = 2^{-8(h+1)/H}",
            .kind = "relative",
            .extrapolates = "yes: the penalty goes on growing, so far keys fade out instead of "
                            "surprising the model",
            .models = "BLOOM, MPT, Baichuan-13B, Falcon-RW",
            .good = "no parameters, no cost in the embedding, trains short and runs longer",
            .bad = "favours recency: content far back is hard to reach in heads with steep slopes",
            .tasks = "language models, long documents",
        },
};

}  // namespace posenc
