// Rows that are the states of a recurrent network without input, unrolled over positions: PE(0) =
// start and
//   rnn  PE(p + 1) = tanh(W_n h + b_n),                    h = PE(p)
//   gru  PE(p + 1) = (1 - z) ⊙ n + z ⊙ h,  r = σ(W_r h + b_r), z = σ(W_z h + b_z), n = tanh(b_n + r
//   ⊙ (W_n h + b_g))
// Cho et al. 2014 (GRU, in the form of cuDNN and PyTorch: the sums of its two biases where they
// only add). Gradients by backpropagation through time. Single precision: errors grow or fade with
// the recurrence.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/network.hpp"
#include "posenc/input/state_chain.hpp"

namespace posenc {

enum class RecurrentCell : uint8_t { kGru, kRnn };
inline constexpr const char* kRecurrentCellNames[] = {"gru", "rnn"};

struct RecurrentOptions {
  int64_t dim = 0;
  int64_t max_length = 512;
  RecurrentCell cell = RecurrentCell::kGru;
};

class Recurrent : public EncodingBase<RecurrentOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  Status prepare() noexcept;

 private:
  // What a step computes on the way, [dim] each; r, z and g of the GRU alone.
  struct Step {
    float *reset_sum, *update_sum, *new_sum, *reset, *update, *gated, *fresh;
  };
  Step step_scratch() const noexcept;
  kernels::Dense layer(const char* weight, const char* bias) const noexcept;
  void reach(int64_t last) const noexcept;
  void step(const float* state, float* next) const noexcept;
  void gates(const Step& step, const float* state) const noexcept;
  void step_back(const float* state, const float* d_next, float* d_state,
                 const Gradients& gradients) const noexcept;
  void layer_back(const char* weight, const char* bias, const float* state, const float* d_sum,
                  const Gradients& gradients, float* d_state) const noexcept;

  mutable StateChain chain_;
  mutable Buffer<float> scratch_;
};

inline constexpr auto kRecurrentFields = std::to_array<Field>({
    field<&RecurrentOptions::dim>("dim").least(1).most(1 << 14).required().shown(2, 128).about(
        "width d of a row and of the state"),
    field<&RecurrentOptions::max_length>("maxLength")
        .least(1)
        .most(0x1p24)
        .shown(4, 1024, true)
        .about("number of positions; their states are kept"),
    field<&RecurrentOptions::cell>("cell")
        .of(kRecurrentCellNames)
        .about("gated recurrent unit, or plain tanh network"),
});

inline constexpr auto kGruOnly = when("cell", RecurrentCell::kGru);

// Uniform in ±1/√dim, as PyTorch starts recurrent cells.
void initialise_cell(const void* options, std::span<float> values, Random& random) noexcept;

constexpr TensorInfo recurrent_tensor(const char* name, const char* shape, Condition present,
                                      Doc doc) {
  return {.name = name,
          .shape = shape,
          .present = present,
          .initialise = initialise_cell,
          .doc = doc,
          .initial_doc = "uniform in ±1/√dim"};
}

inline constexpr auto kRecurrentTensors = std::to_array<TensorInfo>({
    {.name = "start",
     .shape = "[dim]",
     .initialise =
         [](const void*, std::span<float> values, Random& random) noexcept {
           for (float& value : values) value = static_cast<float>(2 * random.uniform() - 1);
         },
     .doc = "row of position 0",
     .initial_doc = "uniform in ±1"},
    recurrent_tensor("weightNew", "[dim, dim]", {}, "weights W_n of the new state"),
    recurrent_tensor("biasNew", "[dim]", {}, "bias b_n of the new state"),
    recurrent_tensor("weightReset", "[dim, dim]", kGruOnly, "weights W_r of the reset gate"),
    recurrent_tensor("biasReset", "[dim]", kGruOnly, "bias b_r of the reset gate"),
    recurrent_tensor("weightUpdate", "[dim, dim]", kGruOnly, "weights W_z of the update gate"),
    recurrent_tensor("biasUpdate", "[dim]", kGruOnly, "bias b_z of the update gate"),
    recurrent_tensor("biasGated", "[dim]", kGruOnly, "bias b_g inside the reset gate"),
});

inline constexpr Info Recurrent::info = {
    .id = "recurrent",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p24, .axes = 1},
    .fields = kRecurrentFields,
    .tensors = kRecurrentTensors,
    .docs =
        {
            .title = "Recurrent",
            .summary = "A recurrent network without input runs along the positions; its state "
                       "after p steps is the row of "
                       "position p. Order comes from the order of the steps.",
            .paper =
                "Cho et al. 2014, Learning Phrase Representations using RNN Encoder-Decoder (the "
                "GRU); compare Liu et al. "
                "2020, Learning to Encode Position for Transformer with Continuous Dynamical Model",
            .url = "https://arxiv.org/abs/1406.1078",
            .formula = "PE(0)=s,\\qquad PE(p+1)=\\mathrm{GRU}\\big(PE(p)\\big)",
            .kind = "absolute",
            .extrapolates = "runs on beyond the trained length, but most networks settle at a "
                            "fixed point, where all rows are "
                            "alike",
            .models = "studies",
            .good = "parameters do not grow with the length; learns any regular progression",
            .bad = "rows are made one after the other; gradients fade or grow over many steps",
            .tasks = "studies",
        },
};

}  // namespace posenc
