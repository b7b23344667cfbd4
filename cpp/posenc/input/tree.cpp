#include "posenc/input/tree.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

// Which child of its parent each node is, in order of their numbers.
Status number_branches(std::span<const double> parents, int64_t degree, int32_t* branch,
                       int32_t* children) noexcept {
  const auto nodes = static_cast<int64_t>(parents.size());
  std::fill_n(children, nodes, 0);
  for (int64_t i = 0; i < nodes; i++) {
    const double parent = parents[static_cast<std::size_t>(i)];
    if (parent < -1 || parent >= static_cast<double>(nodes)) {
      return fail(ErrorCode::kOutOfRange, "parents", text_of(parent, " at index ", i),
                  text_of("-1 for a root, or a node from 0 to ", nodes - 1));
    }
    branch[i] = parent < 0 ? -1 : children[static_cast<int64_t>(parent)]++;
    if (branch[i] < degree) continue;
    return fail(ErrorCode::kOutOfRange, "parents",
                text_of("a child ", branch[i] + 1, " of node ", parent),
                text_of("at most ", degree, " children, which is degree"));
  }
  return {};
}

// Every way up is walked as far as no way before it came, so that a long chain costs its length
// once.
Status check_circles(std::span<const double> parents, int32_t* walked_from) noexcept {
  const auto nodes = static_cast<int32_t>(parents.size());
  std::fill_n(walked_from, nodes, -1);
  for (int32_t i = 0; i < nodes; i++) {
    int64_t node = i;
    while (node >= 0 && walked_from[node] < 0) {
      walked_from[node] = i;
      node = static_cast<int64_t>(parents[static_cast<std::size_t>(node)]);
    }
    if (node < 0 || walked_from[node] != i) continue;
    return fail(ErrorCode::kOutOfRange, "parents", text_of("a circle above node ", i),
                "a tree, or several");
  }
  return {};
}

}  // namespace

Status make_tree_paths(std::span<const double> parents, const TreeShape& shape,
                       Buffer<int32_t>& paths) noexcept {
  const auto nodes = static_cast<int64_t>(parents.size());
  const Result<int64_t> size = checked_product(nodes, shape.depth, "depth");
  if (!size) return std::unexpected(size.error());
  Buffer<int32_t> numbers;
  Status status = paths.allocate(*size, "depth");
  if (status) status = numbers.allocate(2 * nodes, "parents");
  if (!status) return status;
  int32_t* branch = numbers.data();
  status = number_branches(parents, shape.degree, branch, branch + nodes);
  if (status) status = check_circles(parents, branch + nodes);
  if (!status) return status;
  for (int64_t i = 0; i < nodes; i++) {
    int32_t* path = paths.data() + i * shape.depth;
    std::fill_n(path, shape.depth, -1);
    int64_t node = i;
    for (int64_t level = 0; level < shape.depth && branch[node] >= 0; level++) {
      path[level] = branch[node];
      node = static_cast<int64_t>(parents[static_cast<std::size_t>(node)]);
    }
  }
  return {};
}

void tree_row(const TreeShape& shape, const int32_t* path, const float* decay,
              float* out) noexcept {
  std::fill_n(out, shape.width(), 0.0F);
  for (int64_t f = 0; f < shape.features; f++) {
    const double t = math::tanh(static_cast<double>(decay[f]));
    double value = std::sqrt((1 - t * t) * shape.model_dim / 2);
    for (int64_t level = 0; level < shape.depth && path[level] >= 0; level++, value *= t) {
      out[(level * shape.degree + path[level]) * shape.features + f] = static_cast<float>(value);
    }
  }
}

// d(t^l √(1 - t²)) / d decay = √(1 - t²) · (l t^(l-1) (1 - t²) - t^(l+1))
void tree_row_backward(const TreeShape& shape, const int32_t* path, const float* decay,
                       const float* d_out, float* d_decay) noexcept {
  for (int64_t f = 0; f < shape.features; f++) {
    const double t = math::tanh(static_cast<double>(decay[f])), rest = 1 - t * t;
    double sum = 0, power = 1, below = 0;  // t^l, and t^(l-1) · l
    for (int64_t level = 0; level < shape.depth && path[level] >= 0; level++) {
      const double d = d_out[(level * shape.degree + path[level]) * shape.features + f];
      sum += d * (below * rest - power * t);
      below = static_cast<double>(level + 1) * power;
      power *= t;
    }
    d_decay[f] += static_cast<float>(sum * std::sqrt(rest * shape.model_dim / 2));
  }
}

}  // namespace posenc
