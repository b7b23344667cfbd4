// The layer's weights: their initial values, and Wq, Wk and Wv given side by side in one matrix.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/core/parameters.hpp"
#include "posenc/kernels/matmul.hpp"
#include "posenc/layer/options.hpp"

namespace posenc {

// Wq, Wk, Wv and Wo from the uniform distribution on ±sqrt(6 / (in + out)) (Glorot & Bengio 2010),
// in that order and each in the order of its memory; biases 0.
Status make_layer_weights(const LayerOptions& options, uint64_t seed,
                          ParameterSet& weights) noexcept;

// "Wqkv" [dim, q + k + v columns], as com.microsoft.Attention has it, or [q + k + v rows, dim]
// where the layout is outIn (in_proj_weight of torch.nn.MultiheadAttention); and "bqkv".
bool is_packed_name(std::string_view name) noexcept;
// Splits a packed tensor into the three that the layer has. Checks; copies where `commit`.
Status set_packed(const LayerOptions& options, ParameterSet& weights, std::string_view name,
                  std::span<const float> values, bool commit) noexcept;

// One projection: its weight as [in, out] whatever the layout, its bias or null.
struct Projection {
  kernels::Matrix weight;
  const float* bias;
  int64_t in, out;
};
enum class Part : uint8_t { kQuery, kKey, kValue, kOutput };
Projection projection_of(const LayerOptions& options, const ParameterSet& weights,
                         Part part) noexcept;
// Indices in the ParameterSet, -1 where there is none.
int weight_index(const ParameterSet& weights, Part part) noexcept;
int bias_index(const ParameterSet& weights, Part part) noexcept;

}  // namespace posenc
