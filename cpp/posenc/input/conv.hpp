// Position by convolution: rows are a convolution of x with zeros beyond its edges, rows = f(W ∗ x
// + b), and are added to x. What a token gets depends on how near the edge is, and so, layer by
// layer, on where it stands.
//   grid      depthwise over rows and columns: CPVT's PEG, CvT
//   sequence  in groups of channels, with GELU: wav2vec 2.0 (dim 768, kernel 128, 16 groups)
// Chu et al. 2021, "Conditional Positional Encodings for Vision Transformers"; Wu et al. 2021,
// "CvT"; Baevski et al. 2020, "wav2vec 2.0". Sums in single precision: within 1e-5 relative to the
// size of the sum.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/kernels/activation.hpp"
#include "posenc/kernels/dense.hpp"
#include "posenc/kernels/windows.hpp"

namespace posenc {

enum class ConvActivation : uint8_t { kNone, kGelu };
inline constexpr const char* kConvActivationNames[] = {"none", "gelu"};

// Beyond the edge: zeros, or the other side, where no token knows its place any more.
enum class ConvPadding : uint8_t { kZeros, kCircular };
inline constexpr const char* kConvPaddingNames[] = {"zeros", "circular"};

struct ConvOptions {
  int64_t dim = 0;
  int64_t axes = 2;
  int64_t kernel = 3;
  std::optional<int64_t> groups = {};
  ConvActivation activation = ConvActivation::kNone;
  ConvPadding padding = ConvPadding::kZeros;
  bool bias = true;
};

class Conv : public EncodingBase<ConvOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  // Positions must be all cells of a grid, row by row, or consecutive.
  Status check(const Positions& positions, TextRef parameter) const noexcept;
  void encode(const Positions& positions, const float* x, float* out) const noexcept;
  void backward(const Positions& positions, const float* x, const float* d_out, float* d_x,
                Gradients& gradients) const noexcept;
  static Status resolve(ConvOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  kernels::Windows windows_of(const Positions& positions) const noexcept;
  bool is_depthwise() const noexcept { return *options_.groups == options_.dim; }
  const float* bias_of() const noexcept;
  kernels::Dense layer_of(int64_t group) const noexcept;
  // d times the slope of the activation at `sums`.
  void through_activation(const float* sums, int64_t count, float* d) const noexcept;
  void depthwise_backward(const kernels::Windows& windows, const float* x, const float* d_out,
                          float* d_x, Gradients& gradients) const noexcept;
  void grouped(const kernels::Windows& windows, int64_t group, const float* x,
               float* out) const noexcept;
  void grouped_backward(const kernels::Windows& windows, int64_t group, const float* x,
                        const float* d_out, float* d_x, Gradients& gradients) const noexcept;

  mutable Buffer<float> scratch_;
};

// Uniform in ±1/√(inputs of a filter).
void initialise_filters(const void* options, std::span<float> values, Random& random) noexcept;

inline constexpr auto kConvFields = std::to_array<Field>({
    field<&ConvOptions::dim>("dim").least(1).most(1 << 16).required().shown(2, 256).about(
        "channels d of x and of a row"),
    field<&ConvOptions::axes>("axes").least(1).most(2).about(
        "1: a sequence; 2: a grid of rows and columns"),
    field<&ConvOptions::kernel>("kernel").least(1).most(1024).shown(1, 9).about(
        "extent of a filter along each axis; an even one reaches one further back than ahead"),
    field<&ConvOptions::groups>("groups")
        .least(1)
        .unless_given("dim: one filter per channel")
        .about("groups of channels that are mixed, a divisor of dim (16 in wav2vec 2.0)"),
    field<&ConvOptions::activation>("activation")
        .of(kConvActivationNames)
        .about("after the convolution (gelu in wav2vec 2.0)"),
    field<&ConvOptions::padding>("padding")
        .of(kConvPaddingNames)
        .about("beyond the edge: zeros, which is what carries position, or the other side, which "
               "shows that"),
    field<&ConvOptions::bias>("bias").about("a number per channel added to the sum"),
});

inline constexpr auto kConvTensors = std::to_array<TensorInfo>({
    {.name = "weight",
     .shape = "[dim, dim / groups, kernel ^ axes]",
     .initialise = initialise_filters,
     .doc = "filters, of each the taps row by row",
     .initial_doc = "uniform in ±1/√(dim / groups · kernel^axes)"},
    {.name = "biases",
     .shape = "[dim]",
     .present = when("bias", true),
     .initialise = initialise_filters,
     .doc = "a number per channel",
     .initial_doc = "uniform in ±1/√(dim / groups · kernel^axes)"},
});

inline constexpr Info Conv::info = {
    .id = "conv",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 2},
    .fields = kConvFields,
    .tensors = kConvTensors,
    .docs =
        {
            .title = "Convolution",
            .summary = "A small convolution over the tokens is added to them. The zeros beyond the "
                       "edges tell tokens how far they "
                       "are from it, so that position comes out of the content itself.",
            .paper = "Chu et al. 2021, Conditional Positional Encodings for Vision Transformers",
            .url = "https://arxiv.org/abs/2102.10882",
            .formula = "y_{r,c}=x_{r,c}+f\\Big(b+\\sum_{i,j}W_{i,j}\\,x_{r+i-\\lfloor "
                       "k/2\\rfloor,\\,c+j-\\lfloor k/2\\rfloor}\\Big)",
            .kind = "relative",
            .extrapolates = "yes: any length or grid, the filters stay the same",
            .models = "CPVT, CvT, Twins, wav2vec 2.0, HuBERT, WavLM",
            .good = "any size of image or length of sound, adapts to the content, keeps the "
                    "equivariance to shifts inside",
            .bad = "needs neighbours in a fixed order; absolute place is known near the edges only",
            .tasks = "image classification and detection, speech",
        },
};

}  // namespace posenc
