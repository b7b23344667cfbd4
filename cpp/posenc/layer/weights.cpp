#include "posenc/layer/weights.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc {
namespace {

constexpr const char* kWeightNames[] = {"Wq", "Wk", "Wv", "Wo"};
constexpr const char* kBiasNames[] = {"bq", "bk", "bv", "bo"};

int64_t in_of(const LayerOptions& options, Part part) noexcept {
  switch (part) {
    case Part::kQuery: return options.dim;
    case Part::kOutput: return options.attention.heads * *options.attention.value_dim;
    default: return *options.context_dim;
  }
}

int64_t out_of(const LayerOptions& options, Part part) noexcept {
  switch (part) {
    case Part::kQuery: return options.attention.heads * options.attention.head_dim;
    case Part::kKey: return *options.attention.kv_heads * options.attention.head_dim;
    case Part::kValue: return *options.attention.kv_heads * *options.attention.value_dim;
    case Part::kOutput: return options.dim;
  }
  return 0;
}

template <Part kPart>
void glorot(const void* options, std::span<float> values, Random& random) noexcept {
  const auto& layer = *static_cast<const LayerOptions*>(options);
  const double bound =
      std::sqrt(6 / static_cast<double>(in_of(layer, kPart) + out_of(layer, kPart)));
  for (float& value : values) value = static_cast<float>(bound * (2 * random.uniform() - 1));
}

constexpr TensorInfo kTensors[] = {
    {.name = "Wq", .shape = "[dim, heads * headDim]", .initialise = glorot<Part::kQuery>},
    {.name = "Wk", .shape = "[contextDim, kvHeads * headDim]", .initialise = glorot<Part::kKey>},
    {.name = "Wv", .shape = "[contextDim, kvHeads * valueDim]", .initialise = glorot<Part::kValue>},
    {.name = "Wo",
     .shape = "[heads * valueDim, dim]",
     .present = when("outputProjection", true),
     .initialise = glorot<Part::kOutput>},
    {.name = "bq", .shape = "[heads * headDim]", .present = when("qkvBias", true)},
    {.name = "bk", .shape = "[kvHeads * headDim]", .present = when("qkvBias", true)},
    {.name = "bv", .shape = "[kvHeads * valueDim]", .present = when("qkvBias", true)},
    {.name = "bo", .shape = "[dim]", .present = when("outputBias", true)},
};

// Where the three parts of a packed tensor stand: `repeats` times one after the other, so many
// numbers of each.
struct Packing {
  int64_t repeats;
  int64_t counts[3];
};

Packing packing_of(const LayerOptions& options, bool weight) noexcept {
  const int64_t each = weight && options.weight_layout == WeightLayout::kOutIn ? options.dim : 1;
  return {weight && options.weight_layout == WeightLayout::kInOut ? options.dim : 1,
          {each * out_of(options, Part::kQuery), each * out_of(options, Part::kKey),
           each * out_of(options, Part::kValue)}};
}

Status check_packed(const LayerOptions& options, const ParameterSet& weights, std::string_view name,
                    std::span<const float> values) noexcept {
  const Text parameter = Text("weights.").append(name);
  const bool weight = name == "Wqkv";
  if (weight && *options.context_dim != options.dim) {
    return fail(ErrorCode::kUnsupported, parameter, text_of("contextDim ", *options.context_dim),
                text_of("Wq, Wk and Wv each, or contextDim ", options.dim, ", which is dim"));
  }
  if (!weight && bias_index(weights, Part::kQuery) < 0) {
    return fail(ErrorCode::kUnknownOption, parameter, Text(name), "only where qkvBias is true");
  }
  const Packing packing = packing_of(options, weight);
  const int64_t count =
      packing.repeats * (packing.counts[0] + packing.counts[1] + packing.counts[2]);
  if (static_cast<int64_t>(values.size()) != count) {
    return fail(ErrorCode::kShapeMismatch, parameter,
                text_of(static_cast<int64_t>(values.size()), " elements"),
                text_of(count, " elements"));
  }
  if (kernels::all_finite(values.data(), count)) return {};
  return fail(ErrorCode::kOutOfRange, parameter, "a number that is not finite", "finite numbers");
}

}  // namespace

const Info kLayerInfo = {
    .id = "attentionLayer",
    .family = Family::kNone,
    .domain = {},
    .fields = kLayerFields,
    .tensors = kTensors,
    .docs = {},
};

Status make_layer_weights(const LayerOptions& options, uint64_t seed,
                          ParameterSet& weights) noexcept {
  Status status = weights.prepare(kLayerInfo, &options, seed);
  if (!status || options.weight_layout == WeightLayout::kInOut) return status;
  for (int i = 0; i < weights.count(); i++) {
    Shape& shape = weights[i].shape;
    if (shape.rank == 2) std::swap(shape[0], shape[1]);
  }
  return status;
}

bool is_packed_name(std::string_view name) noexcept { return name == "Wqkv" || name == "bqkv"; }

Status set_packed(const LayerOptions& options, ParameterSet& weights, std::string_view name,
                  std::span<const float> values, bool commit) noexcept {
  Status status = check_packed(options, weights, name, values);
  if (!status || !commit) return status;
  const bool weight = name == "Wqkv";
  const Packing packing = packing_of(options, weight);
  const float* from = values.data();
  for (int64_t r = 0; r < packing.repeats; r++) {
    for (std::size_t p = 0; p < 3; p++) {
      const Part part = static_cast<Part>(p);
      float* to =
          weights[weight ? weight_index(weights, part) : bias_index(weights, part)].values.data();
      kernels::copy(from, packing.counts[p], to + r * packing.counts[p]);
      from += packing.counts[p];
    }
  }
  return status;
}

int weight_index(const ParameterSet& weights, Part part) noexcept {
  return weights.find(kWeightNames[static_cast<std::size_t>(part)]);
}
int bias_index(const ParameterSet& weights, Part part) noexcept {
  return weights.find(kBiasNames[static_cast<std::size_t>(part)]);
}

Projection projection_of(const LayerOptions& options, const ParameterSet& weights,
                         Part part) noexcept {
  const int64_t in = in_of(options, part), out = out_of(options, part);
  const float* weight = weights[weight_index(weights, part)].values.data();
  const int bias = bias_index(weights, part);
  return {options.weight_layout == WeightLayout::kInOut
              ? kernels::Matrix::rows(weight, out)
              : kernels::Matrix::rows(weight, in).transposed(),
          bias < 0 ? nullptr : weights[bias].values.data(), in, out};
}

}  // namespace posenc
