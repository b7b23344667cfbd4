// FIRE as the paper's code writes it, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Fire {
  int64_t heads, width;
  double init_l, eps;
  std::vector<double> w1, b1;  // [width]
  std::vector<double> w2, b2;  // [heads, width], [heads]
  double c, multiplier;
};

// bias [heads, q_len, k_len]
std::vector<double> fire_bias(const Fire& fire, const std::vector<double>& query,
                              const std::vector<double>& key);

struct FireGradient {
  std::vector<double> w1, b1, w2, b2;
  double c = 0, multiplier = 0;
};
FireGradient fire_backward(const Fire& fire, const std::vector<double>& d_bias,
                           const std::vector<double>& query, const std::vector<double>& key);

}  // namespace posenc::reference
