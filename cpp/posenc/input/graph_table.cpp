#include "posenc/input/graph_table.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/eigen.hpp"

namespace posenc {
namespace {

// Neighbours of each node, in order and without repeats: those of node i are list[first[i]] to
// list[first[i + 1]].
struct Neighbours {
  Buffer<int32_t> first, list;

  std::span<const int32_t> of(int64_t node) const noexcept {
    return list.span().subspan(static_cast<std::size_t>(first[node]),
                               static_cast<std::size_t>(first[node + 1] - first[node]));
  }
  double degree(int64_t node) const noexcept {
    return static_cast<double>(first[node + 1] - first[node]);
  }
};

// Every edge both ways, once, whatever way and however often it is given.
Status find_neighbours(const GraphEdges& edges, Neighbours& graph) noexcept {
  const int64_t n = edges.nodes;
  Buffer<uint8_t> joined;
  if (Status status = joined.allocate_zeros(n * n, "nodes"); !status) return status;
  for (std::size_t i = 0; i + 1 < edges.ends.size(); i += 2) {
    const auto u = static_cast<int64_t>(edges.ends[i]), v = static_cast<int64_t>(edges.ends[i + 1]);
    if (u != v || edges.self_loops) joined[u * n + v] = joined[v * n + u] = 1;
  }
  const auto total = std::count(joined.span().begin(), joined.span().end(), uint8_t{1});
  Status status = graph.first.allocate(n + 1, "nodes");
  if (status) status = graph.list.allocate(total, "edges");
  if (!status) return status;
  int32_t next = 0;
  for (int64_t u = 0; u < n; u++) {
    graph.first[u] = next;
    for (int64_t v = 0; v < n; v++) {
      if (joined[u * n + v] != 0) graph.list[next++] = static_cast<int32_t>(v);
    }
  }
  graph.first[n] = next;
  return {};
}

// What a node's row and column are divided by: the root of its degree, 1 for one without
// neighbours.
double root_degree(const Neighbours& graph, int64_t node, bool normalised) noexcept {
  return normalised ? std::sqrt(std::max(graph.degree(node), 1.0)) : 1;
}

// D - A, or D^-1/2 (D - A) D^-1/2. A loop counts once in degree and on the diagonal, so it cancels.
void write_laplacian(const Neighbours& graph, int64_t n, bool normalised, double* out) noexcept {
  std::fill_n(out, n * n, 0.0);
  for (int64_t u = 0; u < n; u++) {
    const double root = root_degree(graph, u, normalised);
    out[u * n + u] = graph.degree(u) / (root * root);
    for (int32_t v : graph.of(u)) out[u * n + v] -= 1 / (root * root_degree(graph, v, normalised));
  }
}

// The number of each node's connected part, counted in order of their first nodes; returns how many
// there are.
int32_t label_parts(const Neighbours& graph, int64_t n, int32_t* label, int32_t* stack) noexcept {
  std::fill_n(label, n, -1);
  int32_t parts = 0;
  for (int64_t node = 0; node < n; node++) {
    if (label[node] >= 0) continue;
    int64_t size = 0;
    stack[size++] = static_cast<int32_t>(node);
    label[node] = parts;
    while (size > 0) {
      for (int32_t v : graph.of(stack[--size])) {
        if (label[v] >= 0) continue;
        label[v] = parts;
        stack[size++] = v;
      }
    }
    parts++;
  }
  return parts;
}

// The eigenvectors of eigenvalue 0 are free within their space: vector 0 becomes the trivial one
// over all nodes, vector i that of part i made orthogonal to those before it, which leaves it part
// i against all but the parts 1 to i - 1.
void settle_null_space(const Neighbours& graph, int64_t n, bool normalised, const int32_t* label,
                       int32_t parts, double* vectors) noexcept {
  for (int32_t i = 0; i < parts; i++) {
    double* vector = vectors + i * n;
    double own = 0, rest = 0;
    for (int64_t node = 0; node < n; node++) {
      vector[node] =
          label[node] == 0 || label[node] >= i ? root_degree(graph, node, normalised) : 0;
      rest += vector[node] * vector[node];
      if (label[node] == i) own += vector[node] * vector[node];
    }
    for (int64_t node = 0; i > 0 && node < n; node++)
      vector[node] *= (label[node] == i ? 1 : 0) - own / rest;
  }
}

// A column of the table: the vector at unit length whose entry of largest magnitude, the first of
// them, is positive.
void write_column(const Neighbours& graph, int64_t n, GraphKind kind, const double* vector,
                  float* out, int64_t stride) noexcept {
  double squares = 0, largest = 0;
  const auto entry = [&](int64_t node) {
    return vector[node] / root_degree(graph, node, kind == GraphKind::kRandomWalk);
  };
  for (int64_t node = 0; node < n; node++) {
    const double value = entry(node);
    squares += value * value;
    if (std::abs(value) > std::abs(largest) * (1 + 1e-6)) largest = value;
  }
  const double factor = (largest < 0 ? -1 : 1) / std::sqrt(squares);
  for (int64_t node = 0; node < n; node++)
    out[node * stride] = static_cast<float>(factor * entry(node));
}

}  // namespace

Status make_laplacian_table(const GraphEdges& edges, GraphKind kind, int64_t dim,
                            GraphTable& table) noexcept {
  const int64_t n = edges.nodes;
  const bool normalised = kind != GraphKind::kPlain;
  Neighbours graph;
  Buffer<double> vectors, spare;
  Buffer<int32_t> labels;
  Status status = find_neighbours(edges, graph);
  if (status) status = vectors.allocate(n * n, "nodes");
  if (status) status = spare.allocate(2 * n, "nodes");
  if (status) status = labels.allocate(2 * n, "nodes");
  if (status) status = table.rows.allocate_zeros(n * dim, "nodes");
  if (status) status = table.eigenvalues.allocate(n, "nodes");
  if (!status) return status;

  write_laplacian(graph, n, normalised, vectors.data());
  if (!kernels::symmetric_eigen(vectors.data(), n, spare.data(), spare.data() + n)) {
    return fail(ErrorCode::kUnsupported, "edges", "a graph whose eigenvectors were not found",
                "another graph");
  }
  const int32_t parts = label_parts(graph, n, labels.data(), labels.data() + n);
  settle_null_space(graph, n, normalised, labels.data(), parts, vectors.data());
  for (int64_t i = 0; i < n; i++)
    table.eigenvalues[i] = i < parts ? 0 : static_cast<float>(spare[i]);
  for (int64_t c = 0; c < std::min(dim, n - 1); c++) {
    write_column(graph, n, kind, vectors.data() + (c + 1) * n, table.rows.data() + c, dim);
  }
  return {};
}

Status make_landing_table(const GraphEdges& edges, int64_t dim, GraphTable& table) noexcept {
  const int64_t n = edges.nodes;
  Neighbours graph;
  Buffer<double> walk;
  Status status = find_neighbours(edges, graph);
  if (status) status = walk.allocate(2 * n, "nodes");
  if (status) status = table.rows.allocate(n * dim, "nodes");
  if (!status) return status;
  double *now = walk.data(), *next = now + n;
  for (int64_t start = 0; start < n; start++) {
    std::fill_n(now, n, 0.0);
    now[start] = 1;
    for (int64_t s = 0; s < dim; s++) {
      std::fill_n(next, n, 0.0);
      for (int64_t u = 0; u < n; u++) {
        if (now[u] == 0) continue;
        for (int32_t v : graph.of(u)) next[v] += now[u] / graph.degree(u);
      }
      std::swap(now, next);
      table.rows[start * dim + s] = static_cast<float>(now[start]);
    }
  }
  return {};
}

}  // namespace posenc
