// Positions of the nodes of a graph.
// - symmetric: eigenvectors 1 to k (0 is trivial) of D^-1/2 (D - A) D^-1/2, by ascending eigenvalue
// - randomWalk: those of I - D^-1 A, which are D^-1/2 times the former, as unit vectors
// - plain: those of D - A
// - landing: probabilities that a random walk is back after 1, ..., k steps: diagonals of (D^-1
// A)^s
// - tree: branches from the root, with a trained decay (tree.hpp)
// The entry of largest magnitude of an eigenvector, the first of them, is positive. Edges count
// both ways. Columns beyond nodes - 1 are zeros. Computed in double. Belkin & Niyogi 2003, Dwivedi
// & Bresson 2021 (graph transformer), Dwivedi et al. 2022 (landing probabilities), Shiv & Quirk
// 2019 (trees).
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/graph_table.hpp"
#include "posenc/input/network.hpp"
#include "posenc/input/tree.hpp"

namespace posenc {

struct GraphOptions {
  GraphKind kind = GraphKind::kSymmetric;
  int64_t nodes = 0;
  NumberList edges = {};
  int64_t vectors = 0;
  bool self_loops = false;
  NumberList parents = {};
  int64_t degree = 2;
  int64_t depth = 8;
  int64_t features = 1;
  std::optional<double> model_dim = {};
  bool project = false;
  int64_t dim = 64;
};

class Graph : public EncodingBase<GraphOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.project ? options_.dim : features(); }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(GraphOptions& options) noexcept;
  Status prepare() noexcept;

  std::span<const float> eigenvalues() const noexcept { return table_.eigenvalues.span(); }

 private:
  bool is_tree() const noexcept { return options_.kind == GraphKind::kTree; }
  TreeShape tree() const noexcept;
  int64_t features() const noexcept { return is_tree() ? tree().width() : options_.vectors; }
  void write_features(int64_t node, float* out) const noexcept;
  Status make_table() noexcept;

  GraphTable table_;
  Buffer<int32_t> paths_;
  mutable Buffer<float> scratch_;
};

// [nodes], ascending
Result<OperationResult> graph_eigenvalues(const Graph& graph, const NoArguments&,
                                          OperationTensors) noexcept;

inline constexpr auto kGraphOperations = std::to_array<Operation>({
    operation<graph_eigenvalues>(
        "eigenvalues", {}, {}, "eigenvalues of the Laplacian, not of landing or tree",
        "[nodes], ascending; as many are 0 as the graph has connected parts"),
});

inline constexpr auto kGraphOfEdges = when("kind", GraphKind::kSymmetric, GraphKind::kRandomWalk,
                                           GraphKind::kPlain, GraphKind::kLanding);
inline constexpr auto kGraphTree = when("kind", GraphKind::kTree);
inline constexpr int64_t kMaxGraphNodes = 4096;

inline constexpr auto kGraphFields = std::to_array<Field>({
    field<&GraphOptions::kind>("kind")
        .of(kGraphKindNames)
        .about("eigenvectors of a Laplacian (symmetric, randomWalk, plain), landing probabilities, "
               "or places in a tree"),
    field<&GraphOptions::nodes>("nodes")
        .least(1)
        .most(kMaxGraphNodes)
        .required()
        .only(kGraphOfEdges)
        .shown(2, 64)
        .about("number of nodes; positions are 0 to nodes - 1"),
    field<&GraphOptions::edges>("edges")
        .least(0)
        .multiple(1)
        .only(kGraphOfEdges)
        .about("both ends of each edge, one after the other: [0, 1, 1, 2] is a path of three; "
               "direction and repeats do not count"),
    field<&GraphOptions::vectors>("vectors")
        .least(1)
        .most(kMaxGraphNodes)
        .required()
        .only(kGraphOfEdges)
        .shown(1, 16)
        .about("number k of eigenvectors or steps"),
    field<&GraphOptions::self_loops>("selfLoops")
        .only(kGraphOfEdges)
        .about("whether edges from a node to itself count; else they are left out"),
    field<&GraphOptions::parents>("parents")
        .least(-1)
        .multiple(1)
        .required()
        .only(kGraphTree)
        .about("the parent of each node, -1 for a root; children are branches in the order of "
               "their numbers"),
    field<&GraphOptions::degree>("degree")
        .least(1)
        .most(1024)
        .only(kGraphTree)
        .about("most children of a node (n of the paper)"),
    field<&GraphOptions::depth>("depth")
        .least(1)
        .most(1024)
        .only(kGraphTree)
        .about("steps towards the root that a row remembers (k of the paper)"),
    field<&GraphOptions::features>("features")
        .least(1)
        .most(1024)
        .only(kGraphTree)
        .about("trained decays, each with columns of its own"),
    field<&GraphOptions::model_dim>("modelDim")
        .above(0)
        .most(1e6)
        .only(kGraphTree)
        .unless_given("degree * depth * features")
        .about("width of the model, which the rows are scaled for"),
    field<&GraphOptions::project>("project").about(
        "a trained linear layer on top, as graph transformers have it"),
    field<&GraphOptions::dim>("dim")
        .least(1)
        .most(1 << 14)
        .only(when("project", true))
        .about("width of a row with the layer"),
});

// Uniform in ±1/√(columns of the table).
void initialise_graph_layer(const void* options, std::span<float> values, Random& random) noexcept;

inline constexpr auto kGraphTensors = std::to_array<TensorInfo>({
    {.name = "decay",
     .shape = "[features]",
     .present = kGraphTree,
     .initialise =
         [](const void*, std::span<float> values, Random& random) noexcept {
           for (float& value : values) value = static_cast<float>(0.7 + 0.299 * random.uniform());
         },
     .doc = "what tanh turns into the factor from one step to the one above it",
     .initial_doc = "uniform from 0.7 to 0.999"},
    {.name = "weightOut",
     .shape = "[dim, vectors + degree * depth * features]",
     .present = when("project", true),
     .initialise = initialise_graph_layer,
     .doc = "the linear layer",
     .initial_doc = "uniform in ±1/√inputs"},
    {.name = "biasOut",
     .shape = "[dim]",
     .present = when("project", true),
     .initialise = initialise_graph_layer,
     .doc = "its bias",
     .initial_doc = "uniform in ±1/√inputs"},
});

inline constexpr Info Graph::info = {
    .id = "graph",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p31, .axes = 1},
    .fields = kGraphFields,
    .tensors = kGraphTensors,
    .operations = kGraphOperations,
    .docs =
        {
            .title = "Graph positions",
            .summary = "Nodes of a graph have no order, but they have a place: near the middle or "
                       "at the edge, in this part or "
                       "that. The slow vibrations of the graph, or how a random walk comes home, "
                       "say where.",
            .paper = "Dwivedi & Bresson 2021, A Generalization of Transformer Networks to Graphs",
            .url = "https://arxiv.org/abs/2012.09699",
            .formula = "D^{-1/2}(D-A)D^{-1/2}\\,u_m=\\lambda_m u_m,\\qquad "
                       "PE(i)=\\big(u_1(i),\\dots,u_k(i)\\big)",
            .kind = "absolute",
            .extrapolates = "made for each graph anew, of any size",
            .models = "graph transformer, SAN, GraphGPS, LSPE; tree transformers",
            .good = "tells nodes apart by structure alone",
            .bad = "the sign of an eigenvector, and its direction where eigenvalues repeat, mean "
                   "nothing: train with random signs; "
                   "direction of edges is not seen",
            .tasks = "molecules, graphs, syntax trees, code",
        },
};

}  // namespace posenc
