// FIRE: a small learned function of the distance relative to how far the query could look back.
//   bias_h(i, j) = f_h( ln(1 + c|i - j|) / (ln(1 + c·max(i, L)) + eps) ),  L = |lMultiplier ·
//   initL|
// where f is a network of one hidden layer. Li et al. 2024, "Functional Interpolation for Relative
// Positions Improves Long Context Transformers", equation 10 and the code in its appendix.
// Logarithms are formed in double; up to the threshold L all queries share one curve, which is
// computed once.
#pragma once

#include <array>
#include <cmath>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/core/math.hpp"

namespace posenc {

struct FireOptions {
  int64_t heads = 0;
  int64_t width = 32;
  double init_c = 0.1;
  double init_l = 512;
  double eps = 1e-6;
};

class Fire : public EncodingBase<FireOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept;
  void begin(const BiasHead& head) const noexcept;
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept;
  void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                Gradients& gradients) const noexcept;
  void finish(const BiasHead& head, Gradients& gradients) const noexcept;

  enum Tensor { kW1, kB1, kW2, kB2, kC, kMultiplier };

 private:
  double c() const noexcept { return std::abs(static_cast<double>(parameters_[kC].values[0])); }
  double threshold() const noexcept {
    return std::abs(static_cast<double>(parameters_[kMultiplier].values[0]) * options_.init_l);
  }
  // 1 / (ln(1 + c · reach) + eps)
  double norm(double reach) const noexcept { return 1 / (math::log1p(c() * reach) + options_.eps); }
  void curve(int64_t head, const float* logs, double norm, int64_t count,
             float* out) const noexcept;
  // The gradient of the biases of one query (or of all below the threshold) at `count` distances.
  void take_in(int64_t head, const double* distances, const float* logs, double position,
               const float* d_bias, int64_t count, Gradients& gradients) const noexcept;
};

inline constexpr auto kFireFields = std::to_array<Field>({
    field<&FireOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&FireOptions::width>("width").least(1).most(4096).shown(1, 64).about(
        "width of the network's hidden layer"),
    field<&FireOptions::init_c>("initC")
        .above(0)
        .most(1e6)
        .shown(0.01, 1, true)
        .about("initial c: how sharply near distances are told apart"),
    field<&FireOptions::init_l>("initL")
        .above(0)
        .most(0x1p31)
        .shown(1, 4096, true)
        .about("threshold on the query's position below which distances are not normalised by it, "
               "times lMultiplier"),
    field<&FireOptions::eps>("eps").least(0).most(1).about("added to the divisor"),
});

// Uniform in ±1/sqrt(inputs), as PyTorch's Linear begins.
inline void fire_linear(double inputs, std::span<float> out, Random& random) noexcept {
  for (float& value : out)
    value = static_cast<float>((2 * random.uniform() - 1) / std::sqrt(inputs));
}
inline double fire_width(const void* options) noexcept {
  return static_cast<double>(static_cast<const FireOptions*>(options)->width);
}

inline constexpr auto kFireTensors = std::to_array<TensorInfo>({
    {.name = "w1",
     .shape = "[width]",
     .initialise = [](const void*, std::span<float> out,
                      Random& random) noexcept { fire_linear(1, out, random); },
     .doc = "weights of the hidden layer, shared by all heads",
     .initial_doc = "uniform in [-1, 1)"},
    {.name = "b1",
     .shape = "[width]",
     .initialise = [](const void*, std::span<float> out,
                      Random& random) noexcept { fire_linear(1, out, random); },
     .doc = "offsets of the hidden layer, shared by all heads",
     .initial_doc = "uniform in [-1, 1)"},
    {.name = "w2",
     .shape = "[heads, width]",
     .initialise = [](const void* options, std::span<float> out,
                      Random& random) noexcept { fire_linear(fire_width(options), out, random); },
     .doc = "weights of each head's output",
     .initial_doc = "uniform in ±1 / sqrt(width)"},
    {.name = "b2",
     .shape = "[heads]",
     .initialise = [](const void* options, std::span<float> out,
                      Random& random) noexcept { fire_linear(fire_width(options), out, random); },
     .doc = "offset of each head's output",
     .initial_doc = "uniform in ±1 / sqrt(width)"},
    {.name = "c",
     .shape = "[1]",
     .initialise =
         [](const void* options, std::span<float> out, Random&) noexcept {
           out[0] = static_cast<float>(static_cast<const FireOptions*>(options)->init_c);
         },
     .doc = "factor on distances inside the logarithm; its magnitude acts",
     .initial_doc = "initC"},
    {.name = "lMultiplier",
     .shape = "[1]",
     .initialise = [](const void*, std::span<float> out, Random&) noexcept { out[0] = 1; },
     .doc = "factor on initL; the magnitude of the product is the threshold L",
     .initial_doc = "1"},
});

inline constexpr Info Fire::info = {
    .id = "fire",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p52, .axes = 1},
    .fields = kFireFields,
    .tensors = kFireTensors,
    .docs =
        {
            .title = "FIRE",
            .summary = "Asks how far back a key is as a share of all that the query could look "
                       "back to, and lets a small "
                       "network turn that share into a number for each head.",
            .paper = "Li et al. 2024, Functional Interpolation for Relative Positions Improves "
                     "Long Context Transformers",
            .url = "https://arxiv.org/abs/2310.04418",
            .formula =
                "b_h(i,j) = f_h\\!\\left(\\frac{\\ln(1+c\\,|i-j|)}{\\ln(1+c\\max(i,L))}\\right)",
            .kind = "relative",
            .extrapolates =
                "yes: the share stays within what training has seen, whatever the length",
            .models = "the paper's models; used in studies of arithmetic and length generalisation",
            .good = "one function for all lengths, can imitate T5, ALiBi and KERPLE",
            .bad = "costs a small network per query and key; the bias of a pair depends on the "
                   "query's position",
            .tasks = "language models, length generalisation, arithmetic",
        },
};

}  // namespace posenc
