// xPos: RoPE whose pairs also fade with distance. Queries are multiplied by ζ_m^((p - c)/B) and
// keys by the inverse, so that a score's pair m is RoPE's times ζ_m^((p - q)/B): fast pairs fade
// first.
//   ζ_m = (2m/d + γ) / (1 + γ), m = 0 .. d/2 - 1
// Sun et al. 2022, "A Length-Extrapolatable Transformer". The centre c cancels out in scores.
// A single factor leaves the range of floats far from the centre: tables take positions where it is
// within e^±40. Attention takes any, since it centres every tile of queries and of keys on itself.
// Factors within 4e-7 (relative) of the exact value.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct XposOptions {
  int64_t head_dim = 0;
  std::optional<int64_t> rotary_dim = {};
  double base = 10000;
  PairLayout layout = PairLayout::kInterleaved;
  double scale_base = 512;
  double gamma = 0.4;
  double centre = 0;
};

inline constexpr auto kXposFields = std::to_array<Field>({
    field<&XposOptions::head_dim>("headDim").least(2).most(1 << 16).required().shown(4, 128).about(
        "width of a head"),
    field<&XposOptions::rotary_dim>("rotaryDim")
        .least(2)
        .multiple(2)
        .most("headDim")
        .unless_given("headDim")
        .about(
            "how many of its channels turn and fade, the d of the formulas; the rest pass through"),
    field<&XposOptions::base>("base")
        .least(1)
        .shown(100, 1e6, true)
        .about("base of the frequencies"),
    field<&XposOptions::layout>("layout")
        .of(kPairLayoutNames)
        .about("how channels pair up: 2m with 2m + 1 (interleaved: torchscale) or m with m + d/2 "
               "(half)"),
    field<&XposOptions::scale_base>("scaleBase")
        .least(16)
        .shown(64, 4096, true)
        .about("B, the distance over which pair m fades by ζ_m: larger fades more slowly"),
    field<&XposOptions::gamma>("gamma")
        .least(0.01)
        .shown(0.1, 4, true)
        .about("γ: how much the fastest pair keeps, ζ_0 = γ / (1 + γ)"),
    field<&XposOptions::centre>("centre").about(
        "c, the position whose factor is 1 in apply and table; scores do not depend on it "
        "(torchscale: half the length)"),
});

class Xpos : public EncodingBase<XposOptions> {
 public:
  static const Info info;

  static Status resolve(XposOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t head_dim() const noexcept { return options_.head_dim; }
  int64_t rotary_dim() const noexcept { return *options_.rotary_dim; }
  PairLayout layout() const noexcept { return options_.layout; }
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept;
  PositionDomain table_domain() const noexcept { return {.ranges = &table_range_}; }
  // ζ_m^(distance / B), never above e^80.
  void fade(double distance, float* out) const noexcept;

  double log_fade(int64_t pair) const noexcept { return log_fades_[pair]; }

 private:
  Buffer<double> frequencies_;  // [rotary_dim / 2]
  Buffer<double> log_fades_;    // ln ζ_m / B
  AxisRange table_range_ = {};
};

// [rotaryDim / 2]
Result<OperationResult> xpos_fades(const Xpos& xpos, const NoArguments& arguments,
                                   OperationTensors inputs) noexcept;

inline constexpr auto kXposOperations = std::to_array<Operation>({
    operation<xpos_fades>("fades", {}, {}, "ζ_m, by which pair m fades over scaleBase positions",
                          "[rotaryDim / 2]"),
});

inline constexpr Info Xpos::info = {
    .id = "xpos",
    .family = Family::kRotary,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kXposFields,
    .operations = kXposOperations,
    .docs =
        {
            .title = "xPos",
            .summary = "RoPE with fading: pairs of channels lose weight with distance, the fast "
                       "ones first. Far tokens are compared "
                       "by their slow pairs alone, whose angles are reliable there.",
            .paper = "Sun et al. 2022, A Length-Extrapolatable Transformer",
            .url = "https://arxiv.org/abs/2212.10554",
            .formula = "q\\cdot k\\;\\to\\;\\sum_m \\zeta_m^{(p-q)/B}\\,\\mathrm{Re}\\big(q_m\\bar "
                       "k_m e^{i(p-q)\\theta_m}\\big),"
                       "\\qquad \\zeta_m=\\frac{2m/d+\\gamma}{1+\\gamma}",
            .kind = "relative",
            .extrapolates = "better than RoPE without any scaling, best together with attention in "
                            "windows; causal models only",
            .models = "RetNet, TorchScale's LEX transformers",
            .good = "scores fade smoothly with distance, no parameters, a cache of keys works",
            .bad = "keys ahead of the query would grow instead of fade: for causal attention; "
                   "queries and keys need their sides",
            .tasks = "language models",
        },
};

}  // namespace posenc
