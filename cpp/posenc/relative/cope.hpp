// CoPE: positions counted by the content. A gate per key says whether it counts; a key's position
// is the sum of the gates from it to the query, and its row lies between those of the whole numbers
// around it.
//   g_ij = σ(scale · q_i·k_j),  p_ij = min(Σ_{t ≥ j, visible} g_it, n - 1)
//   score_ij = scale · (q_i·k_j + (1 - w) q_i·e_⌊p⌋ + w q_i·e_⌈p⌉),  w = p - ⌊p⌋
// Golovneva, Wang, Weston & Sukhbaatar 2024, "Contextual Position Encoding: Learning to Count
// What's Important". The paper writes σ(q·k); its code divides by sqrt(headDim) first.
#pragma once

#include <array>

#include "posenc/core/make.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

enum class CopeGates : uint8_t { kScaled, kRaw };
inline constexpr const char* kCopeGatesNames[] = {"scaled", "raw"};

struct CopeOptions {
  int64_t head_dim = 0;
  int64_t max_positions = 0;
  CopeGates gates = CopeGates::kScaled;
};

class Cope : public EncodingBase<CopeOptions> {
 public:
  static const Info info;
  Status prepare() noexcept;

  int64_t heads() const noexcept { return 0; }
  int64_t head_dim() const noexcept { return options_.head_dim; }
  std::span<const RelativeTerm> terms() const noexcept { return terms_; }
  void write(const RelativeRows& rows, float* out, float* bias, float* scratch) const noexcept;
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept;

 private:
  std::array<RelativeTerm, 1> terms_;
};

inline constexpr auto kCopeFields = std::to_array<Field>({
    field<&CopeOptions::head_dim>("headDim").least(1).most(1 << 16).required().shown(2, 128).about(
        "width of a head"),
    field<&CopeOptions::max_positions>("maxPositions")
        .least(1)
        .most(1 << 20)
        .required()
        .shown(2, 64)
        .about("number of positions n; those beyond count as the last"),
    field<&CopeOptions::gates>("gates")
        .of(kCopeGatesNames)
        .about("gates of the scaled product, as the authors' code has them, or of q·k itself, as "
               "the paper writes"),
});

inline constexpr auto kCopeTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[maxPositions, headDim]",
     .doc = "a row per whole position, shared by all heads (pos_emb, transposed)",
     .initial_doc = "zeros"},
});

inline constexpr Info Cope::info = {
    .id = "cope",
    .family = Family::kRelative,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kCopeFields,
    .tensors = kCopeTensors,
    .docs =
        {
            .title = "CoPE: contextual positions",
            .summary = "Each head decides by content which tokens count, and measures distance in "
                       "those: words, sentences or "
                       "section marks instead of tokens. Positions are therefore fractions.",
            .paper = "Golovneva, Wang, Weston & Sukhbaatar 2024, Contextual Position Encoding: "
                     "Learning to Count What's Important",
            .url = "https://arxiv.org/abs/2405.18719",
            .formula = "p_{ij}=\\sum_{t=j}^{i}\\sigma(q_i\\cdot k_t),\\qquad "
                       "s_{ij}=\\frac{q_i\\cdot\\left(k_j+e_{p_{ij}}\\right)}{\\sqrt{d_h}}",
            .kind = "relative",
            .extrapolates = "partly: counted positions grow more slowly than tokens, and those "
                            "beyond the last row share it",
            .models = "research models",
            .good = "counts things, finds the last sentence, copies selectively, where token "
                    "distances fail",
            .bad = "needs the products of a whole row before its positions are known; slower, and "
                   "rarely used",
            .tasks = "language models, counting, code, selective copying",
        },
};

}  // namespace posenc
