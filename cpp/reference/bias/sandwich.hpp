// Sandwich as the paper writes it, in double: the product of two sinusoidal rows, divided per head.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Sandwich {
  int64_t heads, dim;
  double base;
  int64_t first_index;
  bool centered;
};

// bias [heads, q_len, k_len]
std::vector<double> sandwich_bias(const Sandwich& sandwich, const std::vector<double>& query,
                                  const std::vector<double>& key);

}  // namespace posenc::reference
