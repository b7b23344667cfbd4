// Tables of node positions from the edges of a graph: eigenvectors of a Laplacian, and how likely a
// random walk is back where it started.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"

namespace posenc {

enum class GraphKind : uint8_t { kSymmetric, kRandomWalk, kPlain, kLanding, kTree };
inline constexpr const char* kGraphKindNames[] = {"symmetric", "randomWalk", "plain", "landing",
                                                  "tree"};

struct GraphEdges {
  int64_t nodes;
  std::span<const double> ends;  // u, v of each edge; checked
  bool self_loops;               // else they are left out
};

struct GraphTable {
  Buffer<float> rows;         // [nodes, dim]
  Buffer<float> eigenvalues;  // [nodes], ascending; none for landing probabilities
};

Status make_laplacian_table(const GraphEdges& edges, GraphKind kind, int64_t dim,
                            GraphTable& table) noexcept;
Status make_landing_table(const GraphEdges& edges, int64_t dim, GraphTable& table) noexcept;

}  // namespace posenc
