// Positions in trees, which are a kind of graph.
#include "posenc/input/graph.hpp"
#include "reference/input/graph.hpp"
#include "reference/network.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::list_of;
using testing::Values;

// `dim` is the width of a layer on top; 0: there is none.
GraphOptions tree_of(const std::vector<double>& parents, int64_t degree, int64_t depth,
                     int64_t features, int64_t dim) {
  return {.kind = GraphKind::kTree,
          .parents = list_of(parents),
          .degree = degree,
          .depth = depth,
          .features = features,
          .project = dim > 0,
          .dim = std::max<int64_t>(dim, 1)};
}

testing::InputReference tree_reference(const std::vector<double>& parents, int64_t degree,
                                       int64_t depth, int64_t features, int64_t dim) {
  const double width = static_cast<double>(degree * depth * features);
  const reference::TreeRule rule = {static_cast<std::size_t>(degree),
                                    static_cast<std::size_t>(depth), width};
  const auto columns = static_cast<std::size_t>(width);
  const auto row_at = [=](const std::vector<double>& rows, std::size_t i) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(i * columns);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(columns));
  };
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    const auto rows = reference::tree_positions(rule, parents, values[0]);
    if (dim == 0) return rows;
    std::vector<double> out;
    for (std::size_t i = 0; i < parents.size(); i++) {
      const auto row =
          reference::dense(values[1], values[2], row_at(rows, i), static_cast<std::size_t>(dim));
      out.insert(out.end(), row.begin(), row.end());
    }
    return out;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    const auto rows = reference::tree_positions(rule, parents, values[0]);
    if (dim == 0) return Values{reference::tree_backward(rule, rows, values[0], d_rows)};
    Values gradients(3);
    std::vector<double> d_features;
    for (std::size_t i = 0; i < parents.size(); i++) {
      const auto first = d_rows.begin() + static_cast<std::ptrdiff_t>(i) * dim;
      const auto d = reference::dense_backward(values[1], row_at(rows, i), {first, first + dim},
                                               gradients[1], gradients[2]);
      d_features.insert(d_features.end(), d.begin(), d.end());
    }
    gradients[0] = reference::tree_backward(rule, rows, values[0], d_features);
    return gradients;
  };
  return result;
}

TEST_CASE("tree: positions and their gradients against the paper's push") {
  const std::vector<double> parents = {-1, 0, 0, 1, 1, 3, 5, -1, 7, 2};
  for (int64_t degree : {2, 3}) {
    for (int64_t depth : {1, 3, 6}) {
      for (const auto& [features, dim] : testing::awkward_pairs({{1, 0}, {4, 0}, {4, 6}})) {
        const auto encoding = adapted<Graph>(tree_of(parents, degree, depth, features, dim), 5);
        testing::check_input(encoding, Positions::range(0, 10),
                             tree_reference(parents, degree, depth, features, dim), 5e-6, "tree",
                             depth == 3 && (dim == 0 || dim == 6));
      }
    }
  }
}

TEST_CASE("tree: what is refused") {
  const auto refuse = [](const std::vector<double>& parents, ErrorCode code) {
    testing::check_error(make<Graph>(tree_of(parents, 2, 3, 1, 0)).error(), code, "parents");
  };
  refuse({-1, 0, 0, 0}, ErrorCode::kOutOfRange);
  refuse({-1, 2, 1}, ErrorCode::kOutOfRange);
  refuse({-1, 3, 1}, ErrorCode::kOutOfRange);
  refuse({-1, 0, 3, 2}, ErrorCode::kOutOfRange);
  refuse({1, 2, 1}, ErrorCode::kOutOfRange);
  refuse({-1, 1}, ErrorCode::kOutOfRange);
  refuse({}, ErrorCode::kMissingOption);
  GraphOptions wide = tree_of({-1, 0}, 1024, 1024, 1024, 0);
  testing::check_error(make<Graph>(std::move(wide)).error(), ErrorCode::kTooLarge, "features");
}

// The way up is walked once, not once from every node: that would be 2 · 10^10 steps.
TEST_CASE("tree: a chain of many nodes") {
  std::vector<double> parents(200000);
  for (std::size_t i = 0; i < parents.size(); i++) parents[i] = static_cast<double>(i) - 1;
  CHECK(make<Graph>(tree_of(parents, 1, 2, 1, 0)).has_value());
  parents[0] = 100;
  testing::check_error(make<Graph>(tree_of(parents, 1, 2, 1, 0)).error(), ErrorCode::kOutOfRange,
                       "parents");
}

}  // namespace
}  // namespace posenc
