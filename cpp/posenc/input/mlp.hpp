// Rows made by a small network of the position: PE(p) = W_out f(W_2 f(W_1 (s·p) + b_1) + b_2) +
// b_out. A network of coordinates, trained or left as it was drawn. Layers are in single precision:
// within 1e-5 relative to the size of the sums.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/network.hpp"

namespace posenc {

struct MlpOptions {
  int64_t dim = 0;
  int64_t axes = 1;
  int64_t hidden = 64;
  int64_t layers = 1;
  kernels::Activation activation = kernels::Activation::kGelu;
  double input_scale = 0.01;
  bool trainable = true;
};

class Mlp : public EncodingBase<MlpOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  Status prepare() noexcept;

 private:
  // Scaled coordinates of some tokens [count, axes], behind the network's own scratch.
  const float* inputs(const Positions& positions, float* out) const noexcept;

  mutable Buffer<float> scratch_;
};

inline constexpr auto kMlpFields = std::to_array<Field>({
    field<&MlpOptions::dim>("dim").least(1).most(1 << 16).required().shown(2, 256).about(
        "width d of a row"),
    field<&MlpOptions::axes>("axes").least(1).most(8).about("coordinates of a position"),
    field<&MlpOptions::hidden>("hidden").least(1).most(1 << 14).shown(4, 256).about(
        "width of the hidden layers"),
    field<&MlpOptions::layers>("layers").least(1).most(3).shown(1, 3).about(
        "number of hidden layers"),
    field<&MlpOptions::activation>("activation")
        .of(kernels::kActivationNames)
        .about("between the layers"),
    field<&MlpOptions::input_scale>("inputScale")
        .least(-1e6)
        .most(1e6)
        .shown(0.001, 1, true)
        .about("what coordinates are multiplied by first: about 1 over the largest keeps the "
               "network's inputs near 1"),
    field<&MlpOptions::trainable>("trainable")
        .about("whether the network has gradients, or stays as it was drawn"),
});

inline constexpr auto kMlpTrained = when("trainable", true);

constexpr TensorInfo mlp_layer(const char* name, const char* shape, Condition present, Doc doc) {
  return {.name = name,
          .shape = shape,
          .present = present,
          .trained = kMlpTrained,
          .initialise = initialise_hidden_layer<MlpOptions>,
          .doc = doc,
          .initial_doc = "uniform in ±1/√hidden"};
}

inline constexpr auto kMlpTensors = std::to_array<TensorInfo>({
    {.name = "weight1",
     .shape = "[hidden, axes]",
     .trained = kMlpTrained,
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           initialise_layer(values, static_cast<const MlpOptions*>(options)->axes, random);
         },
     .doc = "first layer",
     .initial_doc = "uniform in ±1/√axes"},
    {.name = "bias1",
     .shape = "[hidden]",
     .trained = kMlpTrained,
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           initialise_layer(values, static_cast<const MlpOptions*>(options)->axes, random);
         },
     .doc = "bias of the first layer",
     .initial_doc = "uniform in ±1/√axes"},
    mlp_layer("weight2", "[hidden, hidden]", when("layers", 2, 3), "second hidden layer"),
    mlp_layer("bias2", "[hidden]", when("layers", 2, 3), "bias of the second hidden layer"),
    mlp_layer("weight3", "[hidden, hidden]", when("layers", 3), "third hidden layer"),
    mlp_layer("bias3", "[hidden]", when("layers", 3), "bias of the third hidden layer"),
    mlp_layer("weightOut", "[dim, hidden]", {}, "last layer"),
    mlp_layer("biasOut", "[dim]", {}, "bias of the last layer"),
});

inline constexpr Info Mlp::info = {
    .id = "mlp",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kMlpFields,
    .tensors = kMlpTensors,
    .docs =
        {
            .title = "Network of the position",
            .summary = "A small neural network reads the position as a number and writes the row. "
                       "Near positions get near "
                       "rows, and the number of parameters does not depend on the length.",
            .paper = "Li et al. 2021, Learnable Fourier Features for Multi-Dimensional Spatial "
                     "Positional Encoding (compares "
                     "with such networks)",
            .url = "https://arxiv.org/abs/2106.02795",
            .formula = "PE(p)=W_{out}\\,f(W_1\\,s\\,p+b_1)+b_{out}",
            .kind = "absolute",
            .extrapolates = "defined for all real positions; beyond the trained range it goes on "
                            "as the activation does: in "
                            "straight lines, or flat with tanh",
            .models = "point transformers (of 3-D offsets), small studies",
            .good = "real coordinates, few parameters, smooth rows",
            .bad = "networks of bare coordinates learn slow change first: neighbours far out are "
                   "hard to tell apart; use "
                   "Fourier features there",
            .tasks = "points, continuous time",
        },
};

}  // namespace posenc
