// Sandwich: what the dot product of two sinusoidal rows says about their distance, as a bias
// without parameters.
//   bias_h(i, j) = H / (8 (h + 1)) · (Σ_m cos((i - j) · base^(-2m / d)) - d / 2)
// Chi, Fan, Rudnicky & Ramadge 2023, "Dissecting Transformer Length Extrapolation via the Lens of
// Receptive Field Analysis", §5. Subtracting d / 2, the value at distance 0, moves every score
// alike. Cosines are within 3e-8; their sum is taken in double.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct SandwichOptions {
  int64_t heads = 0;
  int64_t dim = 128;
  double base = 10000;
  int64_t first_index = 1;
  bool centered = true;
};

class Sandwich : public EncodingBase<SandwichOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  void evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept;
  Status prepare() noexcept;

 private:
  Buffer<double> frequencies_;
};

inline constexpr auto kSandwichFields = std::to_array<Field>({
    field<&SandwichOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&SandwichOptions::dim>("dim").least(2).most(1 << 16).multiple(2).shown(2, 256).about(
        "width d of the sinusoidal rows whose product is taken: d / 2 cosines"),
    field<&SandwichOptions::base>("base")
        .least(1)
        .shown(10, 1e6, true)
        .about("base of the frequencies"),
    field<&SandwichOptions::first_index>("firstIndex")
        .least(0)
        .most(1)
        .about("m runs from 1 to d/2 as the paper's sum does, or from 0, the frequencies of "
               "sinusoidal rows"),
    field<&SandwichOptions::centered>("centered")
        .about("subtract d/2, so that the bias is 0 at distance 0 and never above"),
});

inline constexpr Info Sandwich::info = {
    .id = "sandwich",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p52, .axes = 1},
    .fields = kSandwichFields,
    .docs =
        {
            .title = "Sandwich",
            .summary = "Takes from sinusoidal rows only what their dot product says about "
                       "distance, and adds that to the "
                       "scores: near keys gain, far ones fade slowly, and nothing is learned.",
            .paper = "Chi, Fan, Rudnicky & Ramadge 2023, Dissecting Transformer Length "
                     "Extrapolation via the Lens of "
                     "Receptive Field Analysis",
            .url = "https://arxiv.org/abs/2212.10356",
            .formula =
                "b_h(i,j) = \\frac{H}{8(h+1)}\\left(\\sum_{m=1}^{d/2}\\cos\\frac{i-j}{b^{2m/d}} - "
                "\\frac d2\\right)",
            .kind = "relative",
            .extrapolates =
                "yes: falls like a logarithm at first and then levels off, at any length",
            .models = "the paper's models",
            .good = "no parameters, uses context beyond the trained length",
            .bad = "not monotonous: far distances rise and fall a little; little used in released "
                   "models",
            .tasks = "language models, long documents",
        },
};

}  // namespace posenc
