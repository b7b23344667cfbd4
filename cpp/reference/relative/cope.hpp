// CoPE as the paper writes it, every position written out, in double.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/attention/attention.hpp"

namespace posenc::reference {

struct Cope {
  Attention attention;        // no bias, no softcap
  std::vector<double> table;  // [count, head_dim]
  int64_t count = 0;
  double gate_scale = 1;  // gates are σ(gate_scale · q·k), those of hidden keys 0
};

struct CopeResult {
  std::vector<double> positions, raw, weights;  // [batch, heads, q_len, k_len]
  std::vector<double> out, lse;
};
CopeResult cope_forward(const Cope& cope);

struct CopeGradient {
  std::vector<double> dq, dk, dv, d_table;
};
CopeGradient cope_backward(const Cope& cope, const std::vector<double>& d_out);

}  // namespace posenc::reference
