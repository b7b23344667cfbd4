// NoPE: no positional encoding. Attention without positions is permutation-equivariant; with a
// causal mask it is not, and decoders trained so do learn order (Kazemnejad et al. 2023).
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct NopeOptions {};

class Nope : public EncodingBase<NopeOptions> {
 public:
  static const Info info;
};

inline constexpr Info Nope::info = {
    .id = "nope",
    .family = Family::kNone,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = {},
    .docs =
        {
            .title = "NoPE",
            .summary = "No position at all: what attention can and cannot see without one. A "
                       "causal mask alone "
                       "already tells a decoder something about order.",
            .paper = "Kazemnejad et al. 2023, The Impact of Positional Encoding on Length "
                     "Generalization in Transformers",
            .url = "https://arxiv.org/abs/2305.19466",
            .formula = "s_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d_h}}",
            .kind = "none",
            .extrapolates =
                "nothing to extrapolate; causal models still degrade beyond the trained length",
            .models = "SmolLM3 (every fourth layer), Llama 4 (some layers)",
            .good = "nothing to choose, nothing to compute",
            .bad = "an encoder without a mask cannot tell one order of its tokens from another",
            .tasks = "language models (causal), sets and point clouds",
        },
};

}  // namespace posenc
