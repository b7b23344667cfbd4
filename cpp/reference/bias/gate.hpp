// The gate of biases as its formula says it, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Gate {
  int64_t heads = 1, dim = 0, width = 8;
  std::vector<double> weight;  // [dim, width]
  std::vector<double> bias;    // [width]
  std::vector<double> scale;   // [heads]
};

// Gates [batch, heads, rows] of content [batch, heads, rows, dim].
std::vector<double> gates(const Gate& gate, const std::vector<double>& content, int64_t rows);

struct GateGradient {
  std::vector<double> content, weight, bias, scale;
};
GateGradient gates_backward(const Gate& gate, const std::vector<double>& content, int64_t rows,
                            const std::vector<double>& d_gates);

}  // namespace posenc::reference
