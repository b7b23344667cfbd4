// Rotary position embedding: pair m of a head's channels turns by p · w_m, w_m = base^(-2m/d), d =
// rotaryDim.
//   (a, b) → (a cos(p w) - b sin(p w), b cos(p w) + a sin(p w)), cos and sin times the amplitude of
//   the scaling
// Su et al. 2021, "RoFormer". Scores of rotated q and k depend on the difference of their positions
// alone. Factors within 2e-7 · amplitude of the exact value for |p| ≤ 2^24, never outside
// [-amplitude, amplitude].
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/rotary/rope_frequencies.hpp"
#include "posenc/rotary/rope_options.hpp"

namespace posenc {

// Fills in rotary_dim and checks what no single field can.
Status resolve_rope(RopeOptions& options) noexcept;

class Rope : public EncodingBase<RopeOptions> {
 public:
  static const Info info;

  static Status resolve(RopeOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t head_dim() const noexcept { return options_.head_dim; }
  int64_t rotary_dim() const noexcept { return *options_.rotary_dim; }
  PairLayout layout() const noexcept { return options_.layout; }
  bool rotates_values() const noexcept { return options_.values; }
  bool depends_on_reach() const noexcept;
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept;

 private:
  RopeFrequencies frequencies_;
};

// [rotary_dim / 2] radians per position, and [1], the amplitude, of options that are resolved.
Result<OperationResult> frequency_tensor(const RopeOptions& options, double reached) noexcept;
Result<OperationResult> amplitude_tensor(const RopeOptions& options, double reached) noexcept;

struct RopeReachArguments {
  double reached = 0;
};
inline constexpr auto kRopeReachFields = std::to_array<Field>({
    field<&RopeReachArguments::reached>("reached").least(0).about(
        "length reached, largest position + 1; counts for dynamic and longrope alone"),
});
// [rotaryDim / 2] radians per position.
Result<OperationResult> rope_frequencies(const Rope& rope, const RopeReachArguments& arguments,
                                         OperationTensors inputs) noexcept;
// [1], the amplitude of cos and sin.
Result<OperationResult> rope_attention_factor(const Rope& rope, const RopeReachArguments& arguments,
                                              OperationTensors inputs) noexcept;

struct PermuteArguments {
  int64_t heads = 0;
  PairLayout to = PairLayout::kHalf;
  std::optional<int64_t> rotary_dim = {};
};
inline constexpr auto kPermuteFields = std::to_array<Field>({
    field<&PermuteArguments::heads>("heads").least(1).required().about(
        "number of heads whose rows the weights hold"),
    field<&PermuteArguments::to>("to")
        .of(kPairLayoutNames)
        .about("the layout wanted; the weights come in the other"),
    field<&PermuteArguments::rotary_dim>("rotaryDim")
        .least(2)
        .multiple(2)
        .unless_given("the width of a head")
        .about("rows of a head that turn; the rest keep their places"),
});
inline constexpr auto kPermuteInputs = std::to_array<OperationInput>({
    {.name = "weights",
     .doc =
         "[heads * headDim, n], or [heads * headDim] for a bias: a projection's output channels"},
});
// Rows moved so that rotating in layout `to` does what rotating in the other did before.
Result<OperationResult> permute_weights(const PermuteArguments& arguments,
                                        OperationTensors inputs) noexcept;

inline constexpr auto kRopeOperations = std::to_array<Operation>({
    operation<rope_frequencies>("frequencies", {}, kRopeReachFields,
                                "inverse frequencies after scaling",
                                "[rotaryDim / 2], in radians per position"),
    operation<rope_attention_factor>("attentionFactor", {}, kRopeReachFields,
                                     "what cos and sin are multiplied with", "[1]"),
    operation<permute_weights>(
        "permuteWeights", kPermuteInputs, kPermuteFields,
        "moves a checkpoint's query or key weights from one channel layout to the other",
        "weights of the same shape"),
});

inline constexpr Info Rope::info = {
    .id = "rope",
    .family = Family::kRotary,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kRopeFields,
    .operations = kRopeOperations,
    .docs =
        {
            .title = "RoPE",
            .summary = "Turns pairs of channels of queries and keys by angles that grow with the "
                       "position, fast pairs for near "
                       "tokens and slow ones for far. What is left in a score is the difference of "
                       "the two positions.",
            .paper =
                "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding",
            .url = "https://arxiv.org/abs/2104.09864",
            .formula = "\\begin{pmatrix}u\\\\v\\end{pmatrix}\\mapsto\\begin{pmatrix}\\cos "
                       "p\\theta_m&-\\sin p\\theta_m\\\\"
                       "\\sin p\\theta_m&\\cos "
                       "p\\theta_m\\end{pmatrix}\\begin{pmatrix}u\\\\v\\end{pmatrix},"
                       "\\qquad \\theta_m=b^{-2m/d}",
            .kind = "relative",
            .extrapolates = "not by itself: slow pairs meet angles never trained; a scaling "
                            "(linear, NTK, YaRN, LongRoPE, "
                            "llama3) stretches them",
            .models = "LLaMA, Mistral, Qwen, Gemma, Phi, GPT-NeoX, GPT-J, DeepSeek, gpt-oss, "
                      "ModernBERT, ESM-2",
            .good = "relative without a bias matrix, no parameters, works with any fast attention "
                    "and with a cache of keys",
            .bad = "needs a scaling beyond the trained length; two incompatible channel layouts "
                   "are in use",
            .tasks = "language models, long documents, speech, protein and DNA",
        },
};

}  // namespace posenc
