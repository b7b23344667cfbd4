// T5's relative bias: distances fall into buckets, and each bucket has one trained number per head.
//   bias_h(i, j) = table[bucket(j - i), h]
// Raffel et al. 2019, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", §2.1. The
// bias is a number of the table, bit for bit; buckets are exact at every whole distance (buckets.hpp).
#pragma once

#include <array>
#include <cmath>

#include "posenc/bias/buckets.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct T5Options {
  int64_t heads = 0;
  int64_t num_buckets = 32;
  int64_t max_distance = 128;
  bool bidirectional = true;
};

class T5 : public EncodingBase<T5Options> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  void evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept;
  void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                Gradients& gradients) const noexcept;
  const DistanceBuckets& buckets() const noexcept { return buckets_; }
  Status prepare() noexcept;

 private:
  DistanceBuckets buckets_;
};

// The bucket of each relative position.
Result<OperationResult> t5_buckets(const T5& encoding, const NoArguments&, OperationTensors inputs) noexcept;

inline constexpr auto kT5Fields = std::to_array<Field>({
    field<&T5Options::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&T5Options::num_buckets>("numBuckets").least(2).most(1 << 20).shown(4, 64).about(
        "number of buckets of distances, both sides together"),
    field<&T5Options::max_distance>("maxDistance").least(2).most(0x1p31).shown(8, 512, true).about(
        "distance from which on all share the last bucket of their side"),
    field<&T5Options::bidirectional>("bidirectional").about(
        "two sides with half of the buckets each (encoders), or one: keys ahead are in bucket 0 (decoders)"),
});

inline constexpr auto kT5Tensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[numBuckets, heads]",
     .initialise = [](const void* options, std::span<float> out, Random& random) noexcept {
       const double width = 64 * static_cast<double>(static_cast<const T5Options*>(options)->heads);
       for (float& value : out) value = static_cast<float>(random.normal() / std::sqrt(width));
     },
     .doc = "bias of each bucket in each head",
     .initial_doc = "normal numbers of deviation 1 / sqrt(64 heads), which is T5's 1 / sqrt(d_model) at its 64 per head"},
});

inline constexpr auto kT5BucketInputs = std::to_array<OperationInput>({
    {.name = "relativePositions", .doc = "whole numbers, key position - query position, of any shape"},
});

inline constexpr auto kT5Operations = std::to_array<Operation>({
    operation<t5_buckets>("buckets", kT5BucketInputs, {}, "the bucket that each relative position falls into",
                          "a bucket per number, in the same shape"),
});

inline constexpr Info T5::info = {
    .id = "t5",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kIntegers, .limit = 0x1p52, .axes = 1},
    .fields = kT5Fields,
    .tensors = kT5Tensors,
    .operations = kT5Operations,
    .docs = {
        .title = "T5 relative bias",
        .summary = "Sorts distances into buckets, fine ones nearby and coarse ones far away, and learns one number for "
                   "each bucket and head, which is added to the score.",
        .paper = "Raffel et al. 2019, Exploring the Limits of Transfer Learning with a Unified Text-to-Text "
                 "Transformer, section 2.1",
        .url = "https://arxiv.org/abs/1910.10683",
        .formula = "b_h(i,j) = t_{\\mathrm{bucket}(j-i),\\,h}",
        .kind = "relative",
        .extrapolates = "runs at any length: all far distances share the last bucket, so nothing is unseen",
        .models = "T5, mT5, UMT5, ByT5, Flan-T5, LongT5, Switch Transformers, MPNet, Pop2Piano",
        .good = "few parameters, learns which distances matter to each head",
        .bad = "far distances are not told apart; the table has to be trained",
        .tasks = "translation, summarization, text to text",
    },
};

}  // namespace posenc
