// LayoutLMv2's relative biases as its code writes them: T5's buckets of three distances, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// One of the distances: its table [heads, buckets] and what each token's coordinate is.
struct LayoutPart {
  int64_t buckets, max_distance;
  std::vector<double> table;
  std::vector<double> query, key;
};

// bias [heads, q_len, k_len], the sum over the parts times `factor`
std::vector<double> layout_bias(const std::vector<LayoutPart>& parts, int64_t heads, double factor);
// Gradients of the tables, in order.
std::vector<std::vector<double>> layout_backward(const std::vector<LayoutPart>& parts,
                                                 int64_t heads, double factor,
                                                 const std::vector<double>& d_bias);

}  // namespace posenc::reference
