// LayoutLM's relative biases: T5's buckets of the distance in the text and of the distances on the
// page.
//   bias_h(i, j) = factor · (relPos[h, bucket(p_j - p_i)] + relPosX[h, bucket2d(x_j - x_i)] +
//   relPosY[h, bucket2d(y_j - y_i)])
// with x the left edge x0 of a token's box and y its lower edge y1, as the authors' code has it. Xu
// et al. 2021, "LayoutLMv2", §2.1 and Huang et al. 2022, "LayoutLMv3". A position is [p, x0, y0,
// x1, y1].
#pragma once

#include <array>

#include "posenc/bias/buckets.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

// What is compared: the place in the text, the box on the page, or both.
enum class LayoutParts : uint8_t { kBoth, kText, kPage };
inline constexpr const char* kLayoutPartNames[] = {"both", "text", "page"};
enum class LayoutEdge : uint8_t { kLower, kUpper };
inline constexpr const char* kLayoutEdgeNames[] = {"lower", "upper"};

struct LayoutBiasOptions {
  int64_t heads = 0;
  LayoutParts parts = LayoutParts::kBoth;
  int64_t num_buckets = 32, max_distance = 128;
  int64_t num_buckets_2d = 64, max_distance_2d = 256;
  LayoutEdge edge = LayoutEdge::kLower;
  double factor = 1;
  double deviation = 0.02;
};

class LayoutBias : public EncodingBase<LayoutBiasOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  PositionDomain domain() const noexcept;
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept;
  void begin(const BiasHead& head) const noexcept;
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept;
  void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                Gradients& gradients) const noexcept;
  void finish(const BiasHead& head, Gradients& gradients) const noexcept;
  Status prepare() noexcept;

  bool text() const noexcept { return options_.parts != LayoutParts::kPage; }
  bool page() const noexcept { return options_.parts != LayoutParts::kText; }
  int axes() const noexcept { return (text() ? 1 : 0) + (page() ? 4 : 0); }

 private:
  // One of the up to three distances: its axis of a position and its part of a head's numbers.
  struct Part {
    const DistanceBuckets* buckets;
    int axis;
    int64_t first, count;
    int tensor;
  };
  struct Parts {
    std::array<Part, 3> list;
    int count = 0;
  };
  Parts parts() const noexcept;
  void index(const BiasHead& head, const PairRow& row, const Part& part,
             int32_t* out) const noexcept;

  DistanceBuckets text_buckets_, page_buckets_;
};

// [.., n, axes] from boxes [.., n, 4] and positions [.., n].
Result<OperationResult> layout_positions(const LayoutBias& bias, const NoArguments&,
                                         OperationTensors inputs) noexcept;

inline constexpr auto kLayoutBiasFields = std::to_array<Field>({
    field<&LayoutBiasOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&LayoutBiasOptions::parts>("parts")
        .of(kLayoutPartNames)
        .about("compare places in the text and boxes on the page, or one of the two"),
    field<&LayoutBiasOptions::num_buckets>("numBuckets")
        .least(4)
        .most(1 << 20)
        .only(when("parts", LayoutParts::kBoth, LayoutParts::kText))
        .about("number of buckets of distances in the text (rel_pos_bins)"),
    field<&LayoutBiasOptions::max_distance>("maxDistance")
        .least(2)
        .most(0x1p31)
        .only(when("parts", LayoutParts::kBoth, LayoutParts::kText))
        .about("distance in the text from which on all share a bucket (max_rel_pos)"),
    field<&LayoutBiasOptions::num_buckets_2d>("numBuckets2d")
        .least(4)
        .most(1 << 20)
        .only(when("parts", LayoutParts::kBoth, LayoutParts::kPage))
        .about("number of buckets of distances on the page, per axis (rel_2d_pos_bins)"),
    field<&LayoutBiasOptions::max_distance_2d>("maxDistance2d")
        .least(2)
        .most(0x1p31)
        .only(when("parts", LayoutParts::kBoth, LayoutParts::kPage))
        .about("distance on the page from which on all share a bucket (max_rel_2d_pos)"),
    field<&LayoutBiasOptions::edge>("edge")
        .of(kLayoutEdgeNames)
        .only(when("parts", LayoutParts::kBoth, LayoutParts::kPage))
        .about(
            "the edge of a box that the vertical distance goes by: y1 (lower, as released) or y0"),
    field<&LayoutBiasOptions::factor>("factor").least(-1e6).most(1e6).about(
        "factor on the bias: 1 in LayoutLMv2, 1 / sqrt(headDim) in LayoutLMv3"),
    field<&LayoutBiasOptions::deviation>("deviation")
        .least(0)
        .most(100)
        .about("deviation of the normal numbers that the tables begin with"),
});

inline constexpr TensorInfo layout_tensor(const char* name, const char* shape, Condition present,
                                          Doc doc) {
  return {.name = name,
          .shape = shape,
          .present = present,
          .initialise =
              [](const void* options, std::span<float> out, Random& random) noexcept {
                const double deviation = static_cast<const LayoutBiasOptions*>(options)->deviation;
                for (float& value : out) value = static_cast<float>(deviation * random.normal());
              },
          .doc = doc,
          .initial_doc = "normal numbers of the given deviation"};
}

inline constexpr auto kLayoutBiasTensors = std::to_array<TensorInfo>({
    layout_tensor(
        "relPos", "[heads, numBuckets]", when("parts", LayoutParts::kBoth, LayoutParts::kText),
        "number of each head for each bucket of distances in the text, as in rel_pos_bias.weight"),
    layout_tensor("relPosX", "[heads, numBuckets2d]",
                  when("parts", LayoutParts::kBoth, LayoutParts::kPage),
                  "for horizontal distances on the page, as in rel_pos_x_bias.weight"),
    layout_tensor("relPosY", "[heads, numBuckets2d]",
                  when("parts", LayoutParts::kBoth, LayoutParts::kPage),
                  "for vertical distances on the page, as in rel_pos_y_bias.weight"),
});

inline constexpr auto kLayoutPositionInputs = std::to_array<OperationInput>({
    {.name = "boxes", .doc = "[.., n, 4]: x0, y0, x1, y1 of each token, whole numbers"},
    {.name = "textPositions",
     .required = false,
     .doc = "[.., n]: places in the text; 0, 1, 2, ... where left out"},
});
inline constexpr auto kLayoutBiasOperations = std::to_array<Operation>({
    operation<layout_positions>(
        "positions", kLayoutPositionInputs, {},
        "positions as this encoding reads them, from boxes and places in the text",
        "[.., n, axes]: place, x0, y0, x1, y1, or the part of it that `parts` names"),
});

inline constexpr Info LayoutBias::info = {
    .id = "layoutBias",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kIntegers, .limit = 0x1p52, .axes = 5},
    .fields = kLayoutBiasFields,
    .tensors = kLayoutBiasTensors,
    .operations = kLayoutBiasOperations,
    .docs =
        {
            .title = "LayoutLM relative biases",
            .summary = "For tokens of a scanned page: learned numbers for how far apart two tokens "
                       "are in the text, how far "
                       "to the side and how far down the page, all added to the score.",
            .paper = "Xu et al. 2021, LayoutLMv2: Multi-modal Pre-training for Visually-rich "
                     "Document Understanding, section 2.1",
            .url = "https://arxiv.org/abs/2012.14740",
            .formula =
                "b_h(i,j) = t^{(1D)}_{h,\\,\\beta(p_j-p_i)} + t^{(x)}_{h,\\,\\beta'(x_j-x_i)} + "
                "t^{(y)}_{h,\\,\\beta'(y_j-y_i)}",
            .kind = "relative",
            .extrapolates = "runs at any length and page size: far distances share the last bucket",
            .models = "LayoutLMv2, LayoutLMv3, LayoutXLM",
            .good = "knows both reading order and the layout of the page",
            .bad = "needs a box for every token",
            .tasks = "document understanding, forms, tables, receipts",
        },
};

}  // namespace posenc
