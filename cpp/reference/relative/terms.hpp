// Attention with relative terms as the papers write it: every pair's row gathered, plain loops in
// double.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/attention/attention.hpp"

namespace posenc::reference {

enum class Side { kQuery, kKey, kValue };

// rows [heads, count, width]; index [q_len, k_len]: the row of a pair. Its product with the query
// (or key) is multiplied by `scale`, as is the bias [heads, count] where there is one.
struct Term {
  Side side = Side::kQuery;
  int64_t count = 0;
  std::vector<double> rows;
  std::vector<double> bias;
  std::vector<int64_t> index;
  double scale = 1;
  std::vector<double>
      offset;  // [heads, head_dim] added to the query here instead of u; empty: u here too
};

struct RelativeAttention {
  Attention attention;  // its batch rows all have the same index; bias and visibility as there
  std::vector<double> offset;  // u [heads, head_dim], added to queries; or empty
  std::vector<Term> terms;
};

struct RelativeResult {
  std::vector<double> raw, weights;  // [batch, heads, q_len, k_len]
  std::vector<double> out, lse;
};
RelativeResult relative_forward(const RelativeAttention& relative);

struct RelativeGradient {
  std::vector<double> dq, dk, dv, d_offset;
  std::vector<std::vector<double>> d_rows, d_bias, d_term_offset;  // per term
};
RelativeGradient relative_backward(const RelativeAttention& relative,
                                   const std::vector<double>& d_out);

}  // namespace posenc::reference
