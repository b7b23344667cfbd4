// KERPLE: a penalty on the score that grows with distance by a kernel whose two numbers each head
// learns.
//   log     bias = -p · ln(1 + a · d)
//   power   bias = -a · d^p, p at most 2
// with d = |i - j|. Chi et al. 2022, "KERPLE: Kernelized Relative Positional Embedding for Length
// Extrapolation"; p and a as in the authors' code, kept from below at `minimum`. Formed in double
// and rounded once.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

enum class KerpleKind : uint8_t { kLog, kPower };
inline constexpr const char* kKerpleKindNames[] = {"log", "power"};

// symmetric: |i - j|, the paper's kernel. causal: 0 for keys ahead, as the authors' code writes it.
enum class KerpleSides : uint8_t { kSymmetric, kCausal };
inline constexpr const char* kKerpleSidesNames[] = {"symmetric", "causal"};

struct KerpleOptions {
  int64_t heads = 0;
  KerpleKind kind = KerpleKind::kLog;
  KerpleSides sides = KerpleSides::kSymmetric;
  double minimum = 0.01;
};

class Kerple : public EncodingBase<KerpleOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  void evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept;
  void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                Gradients& gradients) const noexcept;

 private:
  struct Shape {
    double p, a;
  };
  Shape shape(int64_t head) const noexcept;  // inside their bounds
};

inline constexpr auto kKerpleFields = std::to_array<Field>({
    field<&KerpleOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&KerpleOptions::kind>("kind")
        .of(kKerpleKindNames)
        .about(
            "-p ln(1 + a d) (log), the paper's choice for length extrapolation, or -a d^p (power)"),
    field<&KerpleOptions::sides>("sides")
        .of(kKerpleSidesNames)
        .about("the distance |i - j| on both sides, or no bias for keys ahead, where a causal mask "
               "hides them"),
    field<&KerpleOptions::minimum>("minimum").above(0).most(1).about(
        "the least value that p and a act with (the code's eps)"),
});

inline constexpr auto kKerpleTensors = std::to_array<TensorInfo>({
    {.name = "p",
     .shape = "[heads]",
     .initialise =
         [](const void*, std::span<float> out, Random& random) noexcept {
           for (float& value : out) value = static_cast<float>(2 * random.uniform());
         },
     .doc = "factor of the logarithm (r1 in the paper), or exponent of the power (r2)",
     .initial_doc = "uniform from 0 to 2"},
    {.name = "a",
     .shape = "[heads]",
     .initialise =
         [](const void*, std::span<float> out, Random& random) noexcept {
           for (float& value : out) value = static_cast<float>(random.uniform());
         },
     .doc = "factor on the distance inside the logarithm (r2 in the paper), or of the power (r1)",
     .initial_doc = "uniform from 0 to 1"},
});

inline constexpr Info Kerple::info = {
    .id = "kerple",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kKerpleFields,
    .tensors = kKerpleTensors,
    .docs =
        {
            .title = "KERPLE",
            .summary = "Subtracts from each score a number that grows with the logarithm (or a "
                       "power) of the distance; "
                       "each head learns how steeply.",
            .paper = "Chi, Fan, Ramadge & Rudnicky 2022, KERPLE: Kernelized Relative Positional "
                     "Embedding for Length "
                     "Extrapolation",
            .url = "https://arxiv.org/abs/2205.09921",
            .formula =
                "b_h(i,j) = -p_h\\,\\ln(1 + a_h\\,|i-j|) \\quad\\text{or}\\quad -a_h\\,|i-j|^{p_h}",
            .kind = "relative",
            .extrapolates =
                "yes: the logarithm goes on growing slowly, so far keys fade without vanishing",
            .models = "the paper's GPT-NeoX models",
            .good = "two numbers a head, learns its own reach, runs longer than trained",
            .bad = "recency only; little used in released models",
            .tasks = "language models, long documents",
        },
};

}  // namespace posenc
