// Positions in trees: where a node hangs, as the branches taken from the root, the last one first,
// each a one-hot vector with powers of a trained decay.
//   x[(l · degree + b) · F + f] = t_f^l · √((1 - t_f²) · modelDim / 2) where the step l above the
//   node is branch b t = tanh(decay)
// Shiv & Quirk 2019, "Novel positional encodings to enable tree-based transformers". Powers in
// double.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"

namespace posenc {

struct TreeShape {
  int64_t degree, depth, features;
  double model_dim;

  int64_t width() const noexcept { return degree * depth * features; }
};

// The branches of each node [nodes, depth], the last one first; -1 behind those of a node nearer to
// the root. Steps beyond `depth` are forgotten, the oldest first. Errors for parents that are no
// tree and for more children than `degree`.
Status make_tree_paths(std::span<const double> parents, const TreeShape& shape,
                       Buffer<int32_t>& paths) noexcept;

// Row of one path, and what its gradient says about the decays.
void tree_row(const TreeShape& shape, const int32_t* path, const float* decay, float* out) noexcept;
void tree_row_backward(const TreeShape& shape, const int32_t* path, const float* decay,
                       const float* d_out, float* d_decay) noexcept;

}  // namespace posenc
