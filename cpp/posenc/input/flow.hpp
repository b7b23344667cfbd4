// Rows that follow learned dynamics: dy/dt = f(y, t), y(0) = start, PE(p) = y(p · delta), where f
// is a network of one hidden layer, f(y, t) = W_out φ(W_1 [y; t] + b_1) + b_out. Steps of the
// classical Runge-Kutta method of order four: `steps` per position, and a shorter one to a position
// in between. Gradients go back through the same steps. Liu et al. 2020, "Learning to Encode
// Position for Transformer with Continuous Dynamical Model" (FLOATER).
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/network.hpp"
#include "posenc/input/state_chain.hpp"

namespace posenc {

struct FlowOptions {
  int64_t dim = 0;
  int64_t max_length = 512;
  int64_t hidden = 64;
  kernels::Activation activation = kernels::Activation::kTanh;
  double delta = 0.1;
  int64_t steps = 1;
};

class Flow : public EncodingBase<FlowOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  Status prepare() noexcept;

 private:
  // A position as whole steps and what is left, a share of one step.
  struct Place {
    int64_t steps;
    double rest;
  };
  Place place_of(double position) const noexcept;
  int64_t last_of(const Positions& positions) const noexcept;
  double step_length() const noexcept {
    return options_.delta / static_cast<double>(options_.steps);
  }
  void reach(int64_t last) const noexcept;
  // One step of length h from the state after n whole ones.
  void step(int64_t n, const float* state, double h, float* next) const noexcept;
  void step_back(int64_t n, const float* state, double h, const float* d_next, float* d_state,
                 const Gradients& gradients) const noexcept;
  // The four points [y; t] at which a step looks at the dynamics, and what it sees there.
  void stages(int64_t n, const float* state, double h) const noexcept;
  float* point(int64_t stage) const noexcept {
    return scratch_.data() + stage * (options_.dim + 1);
  }
  float* slope(int64_t stage) const noexcept { return point(4) + stage * options_.dim; }
  float* network_scratch() const noexcept { return slope(4) + 2 * (options_.dim + 1); }

  AxisRange range_ = {};
  mutable StateChain chain_;
  mutable Buffer<float> scratch_;
};

inline constexpr auto kFlowFields = std::to_array<Field>({
    field<&FlowOptions::dim>("dim").least(1).most(1 << 14).required().shown(2, 128).about(
        "width d of a row"),
    field<&FlowOptions::max_length>("maxLength")
        .least(1)
        .most(0x1p24)
        .shown(4, 1024, true)
        .about("positions are from 0 to maxLength - 1; the states up to them are kept"),
    field<&FlowOptions::hidden>("hidden").least(1).most(1 << 14).about(
        "width of the dynamics' hidden layer"),
    field<&FlowOptions::activation>("activation")
        .of(kernels::kActivationNames)
        .about("of the dynamics' hidden layer"),
    field<&FlowOptions::delta>("delta")
        .above(0)
        .most(1e6)
        .shown(0.01, 1, true)
        .about("time from one position to the next (Δt in the paper)"),
    field<&FlowOptions::steps>("steps").least(1).most(1024).shown(1, 8).about(
        "steps of the solver per position: more are more exact"),
});

constexpr TensorInfo flow_tensor(const char* name, const char* shape, Doc doc, Doc initial,
                                 decltype(TensorInfo::initialise) initialise) {
  return {
      .name = name, .shape = shape, .initialise = initialise, .doc = doc, .initial_doc = initial};
}

// Uniform in ±1/√(dim + 1), and normal with deviation 1.
void initialise_flow_layer(const void* options, std::span<float> values, Random& random) noexcept;
void initialise_flow_start(const void* options, std::span<float> values, Random& random) noexcept;

inline constexpr auto kFlowTensors = std::to_array<TensorInfo>({
    flow_tensor("start", "[dim]", "row of position 0", "normal with deviation 1",
                initialise_flow_start),
    flow_tensor("weight1", "[hidden, dim + 1]",
                "first layer of the dynamics; its last input is time", "uniform in ±1/√(dim + 1)",
                initialise_flow_layer),
    flow_tensor("bias1", "[hidden]", "bias of the first layer", "uniform in ±1/√(dim + 1)",
                initialise_flow_layer),
    flow_tensor("weightOut", "[dim, hidden]", "second layer of the dynamics",
                "uniform in ±1/√hidden", initialise_hidden_layer<FlowOptions>),
    flow_tensor("biasOut", "[dim]", "bias of the second layer", "uniform in ±1/√hidden",
                initialise_hidden_layer<FlowOptions>),
});

inline constexpr Info Flow::info = {
    .id = "flow",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p24, .axes = 1},
    .fields = kFlowFields,
    .tensors = kFlowTensors,
    .docs =
        {
            .title = "Continuous dynamics (FLOATER)",
            .summary = "A learned differential equation moves a point as time goes by; where it is "
                       "after p units of time is the "
                       "row of position p. Between two positions there are all those in between.",
            .paper = "Liu et al. 2020, Learning to Encode Position for Transformer with Continuous "
                     "Dynamical Model",
            .url = "https://arxiv.org/abs/2003.09229",
            .formula = "PE(p)=y(p\\,\\Delta t),\\qquad \\frac{dy}{dt}=f_\\theta(y,t),\\quad y(0)=s",
            .kind = "absolute",
            .extrapolates = "the equation goes on beyond the trained length, as far as what it "
                            "learned holds there",
            .models = "FLOATER",
            .good = "real positions, few parameters, smooth rows, contains sinusoidal rows as a "
                    "special case",
            .bad =
                "rows are made one after the other, and training goes back through all the steps",
            .tasks = "translation, text classification, question answering (FLOATER's "
                     "experiments); uneven times",
        },
};

}  // namespace posenc
