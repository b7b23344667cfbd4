// Sinusoidal rows: sines and cosines of the position at geometrically falling frequencies.
//   PE(p, 2i) = sin(p · w_i), PE(p, 2i + 1) = cos(p · w_i), w_i = base^(-2i / d)
// Vaswani et al. 2017, "Attention Is All You Need", §3.5; the other layouts and exponents are those
// of tensor2tensor, fairseq and Marian. Within 3e-8 (half a float's last place at 1) of the exact
// value for |p| ≤ 2^24, never outside [-1, 1]; kernels/angles.hpp.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/padding.hpp"

namespace posenc {

enum class SinusoidalLayout : uint8_t { kInterleaved, kConcat };
inline constexpr const char* kSinusoidalLayoutNames[] = {"interleaved", "concat"};

// paper: 2i / d. tensor2tensor: i / max(d/2 - 1, 1), whose last frequency is exactly 1 / base.
enum class SinusoidalExponent : uint8_t { kPaper, kTensor2Tensor };
inline constexpr const char* kSinusoidalExponentNames[] = {"paper", "tensor2tensor"};

// The last column of an odd width: one more sine, or a column of zeros. In the concat layout the
// extra sine stands at the end of the sines (Marian), in the interleaved one it is the last column.
enum class SinusoidalOdd : uint8_t { kSine, kZero };
inline constexpr const char* kSinusoidalOddNames[] = {"sine", "zero"};

struct SinusoidalOptions {
  int64_t dim = 0;
  double base = 10000;
  SinusoidalLayout layout = SinusoidalLayout::kInterleaved;
  SinusoidalExponent exponent = SinusoidalExponent::kPaper;
  SinusoidalOdd odd = SinusoidalOdd::kSine;
  bool scale_input = false;
  std::optional<int64_t> padding_index = {};
};

class Sinusoidal : public EncodingBase<SinusoidalOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  float input_scale() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  Status prepare() noexcept;

 private:
  Buffer<double> frequencies_;  // one per sine
};

inline constexpr auto kSinusoidalFields = std::to_array<Field>({
    field<&SinusoidalOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&SinusoidalOptions::base>("base")
        .least(1)
        .shown(10, 1e6, true)
        .about("base of the frequencies; larger makes the slow pairs slower"),
    field<&SinusoidalOptions::layout>("layout")
        .of(kSinusoidalLayoutNames)
        .about("sin, cos, sin, cos, ... (interleaved) or all sines and then all cosines (concat)"),
    field<&SinusoidalOptions::exponent>("exponent")
        .of(kSinusoidalExponentNames)
        .about("2i/d as in the paper, or i/max(d/2 - 1, 1) as in tensor2tensor and fairseq"),
    field<&SinusoidalOptions::odd>("odd")
        .of(kSinusoidalOddNames)
        .about("what the odd column of an odd width holds: one more sine, or zeros (tensor2tensor, "
               "fairseq)"),
    field<&SinusoidalOptions::scale_input>("scaleInput")
        .about("multiply the embeddings by sqrt(d) before the rows are added"),
    field<&SinusoidalOptions::padding_index>("paddingIndex")
        .about("the position whose row is zero, as fairseq marks padding"),
});

inline constexpr auto kSinusoidalOperations = std::to_array<Operation>({kTokenPositions});

inline constexpr Info Sinusoidal::info = {
    .id = "sinusoidal",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kSinusoidalFields,
    .operations = kSinusoidalOperations,
    .docs =
        {
            .title = "Sinusoidal",
            .summary =
                "Each position becomes a row of sines and cosines, from fast to slow, like the "
                "hands of many clocks. "
                "Moving by k steps turns every pair by a fixed angle, whatever the position.",
            .paper = "Vaswani et al. 2017, Attention Is All You Need, section 3.5",
            .url = "https://arxiv.org/abs/1706.03762",
            .formula =
                "PE(p,2i)=\\sin\\frac{p}{b^{2i/d}},\\qquad PE(p,2i+1)=\\cos\\frac{p}{b^{2i/d}}",
            .kind = "absolute",
            .extrapolates = "rows exist for every position, but models trained short do poorly on "
                            "rows never seen",
            .models = "Transformer (2017), fairseq and Marian translation models, Whisper's "
                      "encoder, DistilBERT's initial table",
            .good =
                "no parameters, any length, real positions, differences of position are rotations",
            .bad = "weak extrapolation in practice; mixes position and content in one sum",
            .tasks = "translation, speech, classification",
        },
};

}  // namespace posenc
