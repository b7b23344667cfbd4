#include "posenc/input/graph.hpp"

#include <algorithm>

#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

int64_t columns_of(const GraphOptions& options) noexcept {
  return options.vectors + options.degree * options.depth * options.features;
}

Status check_edges(const GraphOptions& options) noexcept {
  const NumberList& edges = options.edges;
  if (edges.size() % 2 != 0) {
    return fail(ErrorCode::kShapeMismatch, "edges", text_of(edges.size(), " numbers"),
                "two per edge");
  }
  for (int64_t i = 0; i < edges.size(); i++) {
    if (edges[i] < static_cast<double>(options.nodes)) continue;
    return fail(ErrorCode::kOutOfRange, "edges", text_of(edges[i], " at index ", i),
                text_of("nodes from 0 to ", options.nodes - 1));
  }
  return {};
}

}  // namespace

void initialise_graph_layer(const void* options, std::span<float> values, Random& random) noexcept {
  initialise_layer(values, columns_of(*static_cast<const GraphOptions*>(options)), random);
}

// What belongs to the other kinds is set to nothing, so that the layer's shape counts the columns
// there are.
Status Graph::resolve(GraphOptions& options) noexcept {
  if (options.kind == GraphKind::kTree) {
    options.vectors = 0;
    options.nodes = options.parents.size();
    if (!options.model_dim) options.model_dim = static_cast<double>(columns_of(options));
    return {};
  }
  options.degree = options.depth = options.features = 0;
  return check_edges(options);
}

TreeShape Graph::tree() const noexcept {
  return {options_.degree, options_.depth, options_.features, options_.model_dim.value_or(0)};
}

Status Graph::make_table() noexcept {
  if (is_tree()) return make_tree_paths(options_.parents.span(), tree(), paths_);
  const GraphEdges edges{options_.nodes, options_.edges.span(), options_.self_loops};
  return options_.kind == GraphKind::kLanding
             ? make_landing_table(edges, options_.vectors, table_)
             : make_laplacian_table(edges, options_.kind, options_.vectors, table_);
}

Status Graph::prepare() noexcept {
  if (Status status = make_table(); !status) return status;
  return scratch_.allocate(2 * features(), is_tree() ? "features" : "vectors");
}

PositionDomain Graph::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.limit = static_cast<double>(options_.nodes);
  return domain;
}

void Graph::write_features(int64_t node, float* out) const noexcept {
  if (is_tree())
    tree_row(tree(), paths_.data() + node * options_.depth, parameters_.values("decay"), out);
  else
    kernels::copy(table_.rows.data() + node * features(), features(), out);
}

void Graph::encode(const Positions& positions, float* out) const noexcept {
  for (int64_t i = 0; i < positions.count; i++, out += width()) {
    const auto node = static_cast<int64_t>(positions.at(i));
    if (!options_.project) {
      write_features(node, out);
      continue;
    }
    write_features(node, scratch_.data());
    Network(parameters_, kernels::Activation::kRelu).forward(scratch_.data(), 1, nullptr, out);
  }
}

void Graph::backward(const Positions& positions, const float* d_out,
                     Gradients& gradients) const noexcept {
  float* d_decay = gradient_of(parameters_, gradients, "decay");
  float *row = scratch_.data(), *d_row = row + features();
  for (int64_t i = 0; i < positions.count; i++, d_out += width()) {
    const auto node = static_cast<int64_t>(positions.at(i));
    const float* d_features = d_out;
    if (options_.project) {
      write_features(node, row);
      Network(parameters_, kernels::Activation::kRelu)
          .backward(row, 1, d_out, gradients, nullptr, d_row);
      d_features = d_row;
    }
    if (d_decay == nullptr) continue;
    tree_row_backward(tree(), paths_.data() + node * options_.depth, parameters_.values("decay"),
                      d_features, d_decay);
  }
}

Result<OperationResult> graph_eigenvalues(const Graph& graph, const NoArguments&,
                                          OperationTensors) noexcept {
  const auto values = graph.eigenvalues();
  if (values.empty()) {
    return fail(ErrorCode::kUnsupported, "eigenvalues",
                kGraphKindNames[static_cast<std::size_t>(graph.options().kind)],
                "kind symmetric, randomWalk or plain");
  }
  Result<OperationResult> result =
      OperationResult::make({static_cast<int64_t>(values.size())}, "nodes");
  if (result) std::copy(values.begin(), values.end(), result->data.data());
  return result;
}

}  // namespace posenc
