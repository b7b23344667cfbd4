// Fourier features of coordinates: sines and cosines of projections x ↦ b_j · x.
//   nerf     b are the axes times 2^0 ... 2^(F-1): for each frequency the sines of all axes, then
//   the cosines random   [cos 2πBx | sin 2πBx], B normal with deviation sigma, fixed learned
//   1/√(2F) · [cos Bx | sin Bx], B trained
// Mildenhall et al. 2020 (NeRF; its code has no factor π, its formula (4) has), Tancik et al. 2020,
// "Fourier Features Let Networks Learn High Frequency Functions", Li et al. 2021, "Learnable
// Fourier Features for Multi-Dimensional Spatial Positional Encoding". Angles are formed in double:
// within 0.5 ulp + 1e-15·|angle| of the exact value.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/network.hpp"
#include "posenc/kernels/sincos.hpp"

namespace posenc {

enum class FourierKind : uint8_t { kNerf, kRandom, kLearned };
inline constexpr const char* kFourierKindNames[] = {"nerf", "random", "learned"};

// Frequencies from 1 to 2^maxLog2: equal ratios or equal steps.
enum class FourierSampling : uint8_t { kLog, kLinear };
inline constexpr const char* kFourierSamplingNames[] = {"log", "linear"};

enum class FourierOrder : uint8_t { kCosSin, kSinCos };
inline constexpr const char* kFourierOrderNames[] = {"cosSin", "sinCos"};

struct FourierOptions {
  FourierKind kind = FourierKind::kNerf;
  int64_t axes = 2;
  int64_t frequencies = 0;
  bool include_input = false;
  FourierSampling sampling = FourierSampling::kLog;
  std::optional<double> max_log2 = {};
  bool pi = false;
  double sigma = 1;
  FourierOrder order = FourierOrder::kCosSin;
  bool ffn = false;
  int64_t hidden = 64;
  int64_t dim = 64;
  kernels::Activation activation = kernels::Activation::kGelu;
};

class Fourier : public EncodingBase<FourierOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.ffn ? options_.dim : features_; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(FourierOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  static constexpr int64_t kPart = kernels::kProjections, kMostAxes = 8;  // as the options say
  // Some of the projections, for all tokens: b as a column per axis, and what one token has there.
  struct Part {
    int64_t first, count;
    double columns[kMostAxes * kPart];
    double angles[kPart];
    float sin[kPart], cos[kPart];
  };
  // Where the sine and the cosine of projection j stand in a row.
  struct Columns {
    int64_t sin, cos;
  };

  int64_t projections() const noexcept;
  double amplitude() const noexcept;
  Columns columns_of(int64_t j) const noexcept;
  // Makes the part that begins at projection `first`.
  void begin_part(Part& part, int64_t first) const noexcept;
  void project(const Positions& positions, int64_t token, Part& part) const noexcept;
  void write_axes(const Part& part, float* out) const noexcept;
  void write_features(const Positions& positions, float* out) const noexcept;
  void add_gradient(const Positions& positions, const float* d_features,
                    float* d_matrix) const noexcept;

  int64_t features_ = 0;
  Buffer<double> frequencies_;     // nerf
  mutable Buffer<float> scratch_;  // with the network
};

inline constexpr auto kFourierMatrix = when("kind", FourierKind::kRandom, FourierKind::kLearned);
inline constexpr auto kFourierFfn = when("ffn", true);

inline constexpr auto kFourierFields = std::to_array<Field>({
    field<&FourierOptions::kind>("kind")
        .of(kFourierKindNames)
        .about("powers of two per axis (nerf), a fixed random projection, or a trained one"),
    field<&FourierOptions::axes>("axes").least(1).most(8).about("coordinates of a position"),
    field<&FourierOptions::frequencies>("frequencies")
        .least(1)
        .most(1 << 16)
        .required()
        .shown(1, 64)
        .about("number F of frequencies: per axis for nerf, of projections else"),
    field<&FourierOptions::include_input>("includeInput")
        .about("put the coordinates themselves in front"),
    field<&FourierOptions::sampling>("sampling")
        .of(kFourierSamplingNames)
        .only(when("kind", FourierKind::kNerf))
        .about("frequencies from 1 to 2^maxLog2 in equal ratios or in equal steps"),
    field<&FourierOptions::max_log2>("maxLog2")
        .least(-64)
        .most(64)
        .only(when("kind", FourierKind::kNerf))
        .unless_given("frequencies - 1")
        .about("logarithm of the largest frequency"),
    field<&FourierOptions::pi>("pi")
        .only(when("kind", FourierKind::kNerf))
        .about("multiply the frequencies by π, as formula (4) of the NeRF paper does and its code "
               "does not"),
    field<&FourierOptions::sigma>("sigma")
        .above(0)
        .most(1e6)
        .only(kFourierMatrix)
        .shown(0.1, 30, true)
        .about("deviation of the projection's numbers: larger resolves finer detail (for learned, "
               "1/γ of the paper)"),
    field<&FourierOptions::order>("order")
        .of(kFourierOrderNames)
        .only(kFourierMatrix)
        .about("cosines first as both papers write it, or sines first as the code of Tancik et al. "
               "does"),
    field<&FourierOptions::ffn>("ffn")
        .only(kFourierMatrix)
        .about("a trained network of one hidden layer on top of the features"),
    field<&FourierOptions::hidden>("hidden")
        .least(1)
        .most(1 << 14)
        .only(kFourierFfn)
        .about("width of the network's hidden layer"),
    field<&FourierOptions::dim>("dim")
        .least(1)
        .most(1 << 16)
        .only(kFourierFfn)
        .about("width of a row with the network"),
    field<&FourierOptions::activation>("activation")
        .of(kernels::kActivationNames)
        .only(kFourierFfn)
        .about("the network's activation"),
});

// Uniform in ±1/√inputs for the layer on top of the features.
void initialise_features_layer(const void* options, std::span<float> values,
                               Random& random) noexcept;

inline constexpr auto kFourierTensors = std::to_array<TensorInfo>({
    {.name = "matrix",
     .shape = "[frequencies, axes]",
     .present = kFourierMatrix,
     .trained = when("kind", FourierKind::kLearned),
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           const double sigma = static_cast<const FourierOptions*>(options)->sigma;
           for (float& value : values) value = static_cast<float>(sigma * random.normal());
         },
     .doc = "projection B",
     .initial_doc = "normal with deviation sigma"},
    {.name = "weight1",
     .shape = "[hidden, 2 * frequencies + includeInput * axes]",
     .present = kFourierFfn,
     .initialise = initialise_features_layer,
     .doc = "first layer of the network",
     .initial_doc = "uniform in ±1/√inputs"},
    {.name = "bias1",
     .shape = "[hidden]",
     .present = kFourierFfn,
     .initialise = initialise_features_layer,
     .doc = "bias of the first layer",
     .initial_doc = "uniform in ±1/√inputs"},
    {.name = "weightOut",
     .shape = "[dim, hidden]",
     .present = kFourierFfn,
     .initialise = initialise_hidden_layer<FourierOptions>,
     .doc = "second layer of the network",
     .initial_doc = "uniform in ±1/√hidden"},
    {.name = "biasOut",
     .shape = "[dim]",
     .present = kFourierFfn,
     .initialise = initialise_hidden_layer<FourierOptions>,
     .doc = "bias of the second layer",
     .initial_doc = "uniform in ±1/√hidden"},
});

inline constexpr Info Fourier::info = {
    .id = "fourier",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 2},
    .fields = kFourierFields,
    .tensors = kFourierTensors,
    .docs =
        {
            .title = "Fourier features",
            .summary = "Coordinates become sines and cosines of many projections of them, so that "
                       "a network can tell near "
                       "points apart that the bare numbers would blur. The projections are powers "
                       "of two, random, or learned.",
            .paper = "Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency "
                     "Functions in Low Dimensional Domains",
            .url = "https://arxiv.org/abs/2006.10739",
            .formula = "\\gamma(x)=[\\cos(2\\pi Bx)\\mid\\sin(2\\pi Bx)],\\quad "
                       "B_{jk}\\sim\\mathcal N(0,\\sigma^2)",
            .kind = "absolute",
            .extrapolates = "defined for all real coordinates; a network on top has only seen the "
                            "trained range",
            .models = "NeRF, Fourier feature networks, SAM's prompt encoder, Perceiver (bands of "
                      "its own)",
            .good = "real coordinates of any number of axes; detail is set by one number",
            .bad = "sigma or the number of bands has to be tuned to the range of the coordinates",
            .tasks = "points, fields and scenes, boxes and prompts, time series at uneven times",
        },
};

}  // namespace posenc
