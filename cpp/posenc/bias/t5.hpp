// T5's relative bias: distances fall into buckets, and each bucket has one trained number per head.
//   bias_h(i, j) = table[bucket(j - i), h],  with a gate · gate_h(content of i), see
//   content_gate.hpp
// Raffel et al. 2019, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
// Transformer", §2.1. The bias is a number of the table, bit for bit; buckets are exact at every
// whole distance (buckets.hpp). The gate is WavLM's (Chen et al. 2022, section 3.3); Chi et al.
// 2022, "XLM-E: Cross-lingual Language Model Pre-training via ELECTRA".
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "posenc/bias/buckets.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/content_gate.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

// What the gate looks at: the query as the projection gave it (onnxruntime's operator), or what the
// projection was made from, split into heads (WavLM).
enum class T5Gate : uint8_t { kNone, kQuery, kInput };
inline constexpr const char* kT5GateNames[] = {"none", "query", "input"};

struct T5Options {
  int64_t heads = 0;
  int64_t num_buckets = 32;
  int64_t max_distance = 128;
  bool bidirectional = true;
  T5Gate gate = T5Gate::kNone;
  int64_t head_dim = 0;
  int64_t gate_width = 8;
};

class T5 : public EncodingBase<T5Options> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  void evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept;
  void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                Gradients& gradients) const noexcept;
  const DistanceBuckets& buckets() const noexcept { return buckets_; }
  ContentGate gate() const noexcept;
  Status prepare() noexcept;

 private:
  DistanceBuckets buckets_;
};

// The bucket of each relative position.
Result<OperationResult> t5_buckets(const T5& encoding, const NoArguments&,
                                   OperationTensors inputs) noexcept;

// The gate of each row of content.
Result<OperationResult> t5_gates(const T5& encoding, const NoArguments&,
                                 OperationTensors inputs) noexcept;

inline constexpr Condition kT5Gated = when("gate", T5Gate::kQuery, T5Gate::kInput);

inline constexpr auto kT5Fields = std::to_array<Field>({
    field<&T5Options::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&T5Options::num_buckets>("numBuckets")
        .least(2)
        .most(1 << 20)
        .shown(4, 64)
        .about("number of buckets of distances, both sides together"),
    field<&T5Options::max_distance>("maxDistance")
        .least(2)
        .most(0x1p31)
        .shown(8, 512, true)
        .about("distance from which on all share the last bucket of their side"),
    field<&T5Options::bidirectional>("bidirectional")
        .about("two sides with half of the buckets each (encoders), or one: keys ahead are in "
               "bucket 0 (decoders)"),
    field<&T5Options::gate>("gate")
        .of(kT5GateNames)
        .about("whether attention multiplies the biases of each query by a gate, and what the gate "
               "reads: the query itself, or "
               "the layer's input split into heads (WavLM)"),
    field<&T5Options::head_dim>("headDim").least(1).most(1 << 16).required().only(kT5Gated).about(
        "width of a head, which the gate reads"),
    field<&T5Options::gate_width>("gateWidth")
        .least(2)
        .most(1024)
        .multiple(2)
        .only(kT5Gated)
        .about("outputs of the gate's linear layer, each half of which is summed"),
});

// As torch.nn.Linear begins.
inline void t5_gate_linear(const void* options, std::span<float> out, Random& random) noexcept {
  const double bound =
      1 / std::sqrt(static_cast<double>(static_cast<const T5Options*>(options)->head_dim));
  for (float& value : out) value = static_cast<float>(bound * (2 * random.uniform() - 1));
}

inline constexpr auto kT5Tensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[numBuckets, heads]",
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           const double width =
               64 * static_cast<double>(static_cast<const T5Options*>(options)->heads);
           for (float& value : out) value = static_cast<float>(random.normal() / std::sqrt(width));
         },
     .doc = "bias of each bucket in each head",
     .initial_doc = "normal numbers of deviation 1 / sqrt(64 heads), which is T5's 1 / "
                    "sqrt(d_model) at its 64 per head"},
    {.name = "gateWeight",
     .shape = "[headDim, gateWidth]",
     .present = kT5Gated,
     .initialise = t5_gate_linear,
     .doc = "the gate's linear layer, shared by all heads (gru_rel_pos_linear.weight, transposed)",
     .initial_doc = "uniform in ±1 / sqrt(headDim)"},
    {.name = "gateBias",
     .shape = "[gateWidth]",
     .present = kT5Gated,
     .initialise = t5_gate_linear,
     .doc = "its biases (gru_rel_pos_linear.bias)",
     .initial_doc = "uniform in ±1 / sqrt(headDim)"},
    {.name = "gateScale",
     .shape = "[heads]",
     .present = kT5Gated,
     .initialise = [](const void*, std::span<float> out,
                      Random&) noexcept { std::ranges::fill(out, 1.0F); },
     .doc = "s of each head (gru_rel_pos_const; onnxruntime's eco_a)",
     .initial_doc = "ones"},
});

inline constexpr auto kT5BucketInputs = std::to_array<OperationInput>({
    {.name = "relativePositions",
     .doc = "whole numbers, key position - query position, of any shape"},
});

inline constexpr auto kT5GateInputs = std::to_array<OperationInput>({
    {.name = "content", .doc = "what the gate reads, [.., heads, n, headDim]"},
});

inline constexpr auto kT5Operations = std::to_array<Operation>({
    operation<t5_buckets>("buckets", kT5BucketInputs, {},
                          "the bucket that each relative position falls into",
                          "a bucket per number, in the same shape"),
    operation<t5_gates>("gates", kT5GateInputs, {},
                        "the factor on the biases of each query, where there is a gate",
                        "[.., heads, n]"),
});

inline constexpr Info T5::info = {
    .id = "t5",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kIntegers, .limit = 0x1p52, .axes = 1},
    .fields = kT5Fields,
    .tensors = kT5Tensors,
    .operations = kT5Operations,
    .docs =
        {
            .title = "T5 relative bias",
            .summary = "Sorts distances into buckets, fine ones nearby and coarse ones far away, "
                       "and learns one number for "
                       "each bucket and head, which is added to the score.",
            .paper = "Raffel et al. 2019, Exploring the Limits of Transfer Learning with a Unified "
                     "Text-to-Text "
                     "Transformer, section 2.1",
            .url = "https://arxiv.org/abs/1910.10683",
            .formula = "b_h(i,j) = t_{\\mathrm{bucket}(j-i),\\,h}",
            .kind = "relative",
            .extrapolates =
                "runs at any length: all far distances share the last bucket, so nothing is unseen",
            .models = "T5, mT5, UMT5, ByT5, Flan-T5, LongT5, Switch Transformers, MPNet, "
                      "Pop2Piano; with a gate: WavLM",
            .good = "few parameters, learns which distances matter to each head",
            .bad = "far distances are not told apart; the table has to be trained",
            .tasks = "translation, summarization, text to text",
        },
};

}  // namespace posenc
