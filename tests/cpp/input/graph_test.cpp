#include "posenc/input/graph.hpp"

#include <cmath>
#include <numbers>

#include "posenc/core/adapters.hpp"
#include "reference/input/graph.hpp"
#include "reference/network.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::Values;

NumberList list_of(const std::vector<double>& values) {
  NumberList list = std::move(*NumberList::make(static_cast<int64_t>(values.size()), "list"));
  std::copy(values.begin(), values.end(), list.data());
  return list;
}

GraphOptions graph_of(GraphKind kind, int64_t nodes, const std::vector<double>& edges,
                      int64_t vectors) {
  return {.kind = kind, .nodes = nodes, .edges = list_of(edges), .vectors = vectors};
}

InputAdapter<Graph> adapted(GraphOptions options) {
  return InputAdapter<Graph>(std::move(*make<Graph>(std::move(options), 5)));
}

std::vector<double> eigenvalues_of(GraphOptions options) {
  const Graph graph = std::move(*make<Graph>(std::move(options)));
  const auto result = graph_eigenvalues(graph, {}, {});
  REQUIRE(result.has_value());
  return {result->data.span().begin(), result->data.span().end()};
}

std::vector<float> table_of(GraphOptions options) {
  const int64_t nodes = options.nodes;
  return testing::rows_of(adapted(std::move(options)), Positions::range(0, nodes));
}

std::vector<double> random_edges(int64_t nodes, int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<double> edges;
  for (int64_t i = 0; i < 2 * count; i++)
    edges.push_back(std::floor(random.uniform() * static_cast<double>(nodes)));
  return edges;
}

constexpr std::pair<GraphKind, reference::Laplacian> kKinds[] = {
    {GraphKind::kPlain, reference::Laplacian::kPlain},
    {GraphKind::kSymmetric, reference::Laplacian::kSymmetric},
    {GraphKind::kRandomWalk, reference::Laplacian::kRandomWalk}};

TEST_CASE("graph: a path of three nodes has eigenvalues 0, 1, 2 normalised and 0, 1, 3 plain") {
  const std::vector<double> path = {0, 1, 1, 2};
  check_close(eigenvalues_of(graph_of(GraphKind::kSymmetric, 3, path, 2)),
              std::vector{0.0, 1.0, 2.0}, 1e-7, "symmetric");
  check_close(eigenvalues_of(graph_of(GraphKind::kRandomWalk, 3, path, 2)),
              std::vector{0.0, 1.0, 2.0}, 1e-7, "walk");
  check_close(eigenvalues_of(graph_of(GraphKind::kPlain, 3, path, 2)), std::vector{0.0, 1.0, 3.0},
              1e-7, "plain");
  const double r2 = 1 / std::sqrt(2.0), r6 = 1 / std::sqrt(6.0);
  check_close(table_of(graph_of(GraphKind::kPlain, 3, path, 2)),
              std::vector{r2, -r6, 0.0, 2 * r6, -r2, -r6}, 1e-6, "vectors");
}

TEST_CASE("graph: a circle's eigenvalues are 1 - cos(2 pi k / n)") {
  std::vector<double> circle, want;
  for (int i = 0; i < 24; i++) {
    circle.insert(circle.end(), {static_cast<double>(i), static_cast<double>((i + 1) % 24)});
    want.push_back(1 - std::cos(2 * std::numbers::pi * i / 24));
  }
  std::sort(want.begin(), want.end());
  check_close(eigenvalues_of(graph_of(GraphKind::kSymmetric, 24, circle, 3)), want, 1e-7, "circle");
}

TEST_CASE("graph: eigenvectors of random graphs, also in parts and with lone nodes") {
  double worst = 0;
  for (int64_t nodes : {1, 2, 3, 5, 8, 17, 40}) {
    for (int64_t count : {int64_t{0}, nodes / 2, 2 * nodes}) {
      const auto edges = random_edges(nodes, count, static_cast<uint64_t>(nodes + 100 * count));
      for (const auto& [kind, plain] : kKinds) {
        const auto n = static_cast<std::size_t>(nodes);
        const auto l = reference::laplacian(reference::adjacency(n, edges, false), plain);
        const auto table = table_of(graph_of(kind, nodes, edges, nodes + 2));
        const auto values = eigenvalues_of(graph_of(kind, nodes, edges, 1));
        const auto symmetric =
            plain == reference::Laplacian::kRandomWalk ? reference::Laplacian::kSymmetric : plain;
        check_close(values,
                    reference::jacobi_eigenvalues(
                        reference::laplacian(reference::adjacency(n, edges, false), symmetric)),
                    1e-6, "eigenvalues");
        for (std::size_t c = 0; c < n + 2; c++) {
          double length = 0, largest = 0;
          for (std::size_t i = 0; i < n; i++) {
            const double value = table[i * (n + 2) + c];
            length += value * value;
            if (std::abs(value) > std::abs(largest) + 1e-5) largest = value;
            double sum = 0;  // L u = λ u
            for (std::size_t j = 0; j < n; j++)
              sum += l[i][j] * static_cast<double>(table[j * (n + 2) + c]);
            worst = std::max(worst, std::abs(sum - (c + 1 < n ? values[c + 1] * value : 0)));
          }
          CHECK(length ==
                doctest::Approx(c + 1 < n ? 1 : 0).epsilon(1e-5));  // zeros behind the last vector
          CHECK(largest >= 0);
        }
      }
    }
  }
  MESSAGE("graph: largest |Lu - λu| " << worst);
  CHECK(worst < 2e-6);
}

TEST_CASE("graph: parts of a graph are told apart by the vectors of eigenvalue 0") {
  const std::vector<double> two = {0, 1, 2, 3};
  const auto values = eigenvalues_of(graph_of(GraphKind::kPlain, 5, two, 2));
  CHECK(std::count(values.begin(), values.end(), 0.0) == 3);
  const auto table = table_of(graph_of(GraphKind::kPlain, 5, two, 2));
  CHECK(table[0] == table[2]);  // nodes 0 and 1
  CHECK(table[4] == table[6]);
  CHECK(table[0] != table[4]);
  for (float value : table) CHECK(std::isfinite(value));
}

TEST_CASE(
    "graph: the vectors of eigenvalue 0 are orthogonal to one another and to the trivial one") {
  const std::vector<double> edges = {0, 3, 3, 5,
                                     1, 4, 6, 7};  // parts {0, 3, 5}, {1, 4}, {2}, {6, 7}, {8}
  const auto table = table_of(graph_of(GraphKind::kSymmetric, 9, edges, 4));
  const auto a = reference::adjacency(9, edges, false);
  for (std::size_t c = 0; c < 4; c++) {
    double trivial = 0;
    for (std::size_t i = 0; i < 9; i++)
      trivial += std::sqrt(std::max(reference::degree(a, i), 1.0)) * table[4 * i + c];
    CHECK(std::abs(trivial) < 1e-6);
    for (std::size_t d = 0; d < c; d++) {
      double product = 0;
      for (std::size_t i = 0; i < 9; i++)
        product += static_cast<double>(table[4 * i + c]) * table[4 * i + d];
      CHECK(std::abs(product) < 1e-6);
    }
  }
}

TEST_CASE("graph: direction, repeats and, unless asked for, loops of edges do not count") {
  const auto plain = table_of(graph_of(GraphKind::kSymmetric, 4, {0, 1, 1, 2, 2, 3}, 3));
  CHECK(table_of(graph_of(GraphKind::kSymmetric, 4, {1, 0, 2, 1, 1, 2, 3, 2, 2, 2}, 3)) == plain);
  auto loops = graph_of(GraphKind::kSymmetric, 4, {1, 0, 2, 1, 3, 2, 2, 2}, 3);
  loops.self_loops = true;
  CHECK(table_of(std::move(loops)) != plain);
}

TEST_CASE("graph: landing probabilities equal the powers of the walk") {
  for (const auto& [nodes, steps] : testing::awkward_pairs({{4, 9}, {20, 9}})) {
    for (bool self_loops : {false, true}) {
      const auto edges = random_edges(nodes, nodes, static_cast<uint64_t>(nodes));
      auto options = graph_of(GraphKind::kLanding, nodes, edges, steps);
      options.self_loops = self_loops;
      const auto want = reference::landing(
          reference::adjacency(static_cast<std::size_t>(nodes), edges, self_loops),
          static_cast<std::size_t>(steps));
      check_close(table_of(std::move(options)), want, 1e-7, "landing");
    }
  }
  const auto pair = table_of(graph_of(GraphKind::kLanding, 2, {0, 1}, 3));
  CHECK(pair == std::vector<float>{0, 1, 0, 0, 1, 0});
}

TEST_CASE("graph: a trained layer on top of the eigenvectors") {
  const auto edges = random_edges(6, 9, 4);
  const auto bare = table_of(graph_of(GraphKind::kSymmetric, 6, edges, 3));
  const std::vector<double> table(bare.begin(), bare.end());
  const auto row_at = [=](std::size_t i) {
    return std::vector<double>(table.begin() + 3 * static_cast<std::ptrdiff_t>(i),
                               table.begin() + 3 * static_cast<std::ptrdiff_t>(i) + 3);
  };
  for (int64_t dim : testing::awkward_sizes()) {
    auto options = graph_of(GraphKind::kSymmetric, 6, edges, 3);
    options.project = true;
    options.dim = dim;
    testing::InputReference reference;
    reference.rows = [=](const Values& values) {
      std::vector<double> out;
      for (std::size_t i = 0; i < 6; i++) {
        const auto row =
            reference::dense(values[0], values[1], row_at(i), static_cast<std::size_t>(dim));
        out.insert(out.end(), row.begin(), row.end());
      }
      return out;
    };
    reference.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
      Values gradients(2);
      for (std::size_t i = 0; i < 6; i++) {
        const auto first = d_rows.begin() + static_cast<std::ptrdiff_t>(i) * dim;
        reference::dense_backward(values[0], row_at(i), {first, first + dim}, gradients[0],
                                  gradients[1]);
      }
      return gradients;
    };
    testing::check_input(adapted(std::move(options)), Positions::range(0, 6), reference, 5e-6,
                         "layer", true);
  }
}

TEST_CASE("graph: refused graphs and positions") {
  const auto refuse = [](GraphOptions options, ErrorCode code, const char* parameter) {
    testing::check_error(make<Graph>(std::move(options)).error(), code, parameter);
  };
  refuse(graph_of(GraphKind::kSymmetric, 3, {0, 1, 2}, 2), ErrorCode::kShapeMismatch, "edges");
  refuse(graph_of(GraphKind::kSymmetric, 3, {0, 3}, 2), ErrorCode::kOutOfRange, "edges");
  refuse(graph_of(GraphKind::kSymmetric, 3, {0, -1}, 2), ErrorCode::kOutOfRange, "edges");
  refuse(graph_of(GraphKind::kSymmetric, 3, {0, 0.5}, 2), ErrorCode::kInvalidType, "edges");
  refuse(graph_of(GraphKind::kSymmetric, 3, {0, 1}, 0), ErrorCode::kOutOfRange, "vectors");
  refuse(graph_of(GraphKind::kSymmetric, 0, {}, 2), ErrorCode::kOutOfRange, "nodes");
  const auto encoding = adapted(graph_of(GraphKind::kSymmetric, 3, {0, 1}, 2));
  CHECK(encoding.check(Positions::range(0, 3), "positions").has_value());
  testing::check_error(encoding.check(Positions::range(0, 4), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
  const Graph walk = std::move(*make<Graph>(graph_of(GraphKind::kLanding, 3, {0, 1}, 2)));
  testing::check_error(graph_eigenvalues(walk, {}, {}).error(), ErrorCode::kUnsupported,
                       "eigenvalues");
}

}  // namespace
}  // namespace posenc
