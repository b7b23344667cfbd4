// Relations: every pair of a query and a key has an id that the caller gives, and each id one
// number per head.
//   bias_h(i, j) = table[relation(i, j), h]
// Ying et al. 2021, "Do Transformers Really Perform Bad for Graph Representation?" (Graphormer),
// equation 6, where the relation is the length of the shortest path; relations of syntax and of
// program trees enter the same way. The bias is a number of the table, bit for bit.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct RelationOptions {
  int64_t heads = 0;
  int64_t relations = 0;
  std::optional<int64_t> padding_index = {};
  double deviation = 0.02;
};

class Relation : public EncodingBase<RelationOptions> {
 public:
  static const Info info;
  static Status resolve(RelationOptions& options) noexcept;

  int64_t heads() const noexcept { return options_.heads; }
  int64_t relations() const noexcept { return options_.relations; }
  int64_t scratch_floats(const Positions&, const Positions&) const noexcept {
    return options_.relations;
  }
  void begin(const BiasHead& head) const noexcept;
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept;
  void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                Gradients& gradients) const noexcept;
  void finish(const BiasHead& head, Gradients& gradients) const noexcept;
};

inline constexpr auto kRelationFields = std::to_array<Field>({
    field<&RelationOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&RelationOptions::relations>("relations")
        .least(1)
        .most(1 << 24)
        .required()
        .shown(1, 64)
        .about("number of different relations R: ids are 0 to R - 1"),
    field<&RelationOptions::padding_index>("paddingIndex")
        .least(0)
        .most(1 << 24)
        .unless_given("none")
        .about("the id that stands for no relation: it adds nothing and has no gradient"),
    field<&RelationOptions::deviation>("deviation")
        .least(0)
        .most(100)
        .about("deviation of the normal numbers that the table begins with"),
});

inline constexpr auto kRelationTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[relations, heads]",
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           const double deviation = static_cast<const RelationOptions*>(options)->deviation;
           for (float& value : out) value = static_cast<float>(deviation * random.normal());
         },
     .doc = "bias of each relation in each head",
     .initial_doc = "normal numbers of the given deviation"},
});

inline constexpr Info Relation::info = {
    .id = "relation",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = kRelationFields,
    .tensors = kRelationTensors,
    .docs =
        {
            .title = "Relation bias",
            .summary = "You say how each token relates to each other one (steps apart in a graph, "
                       "parent and child in a "
                       "syntax tree), and the model learns one number for each relation and head.",
            .paper =
                "Ying et al. 2021, Do Transformers Really Perform Bad for Graph Representation?",
            .url = "https://arxiv.org/abs/2106.05234",
            .formula = "b_h(i,j) = t_{r(i,j),\\,h}",
            .kind = "relative",
            .extrapolates = "to any size of graph or text; a relation never seen in training has "
                            "no trained number",
            .models = "Graphormer, tree and code transformers",
            .good = "any structure that can be named: graphs, trees, program dependences",
            .bad = "needs an id for every pair; knows nothing of relations that were not given",
            .tasks = "molecules, graphs, parsing, source code",
        },
};

}  // namespace posenc
