// Relations as Graphormer writes them: a number per id and head, looked up for each pair.
#pragma once

#include "reference/bias/lookup.hpp"

namespace posenc::reference {

// `padding` is the id that adds nothing, or -1.
inline std::vector<double> relation_bias(std::vector<double> table, int64_t heads, int64_t padding,
                                         const std::vector<int64_t>& ids) {
  for (int64_t h = 0; h < heads && padding >= 0; h++)
    table[static_cast<std::size_t>(padding * heads + h)] = 0;
  return looked_up(table, heads, ids);
}

inline std::vector<double> relation_backward(int64_t relations, int64_t heads, int64_t padding,
                                             const std::vector<int64_t>& ids,
                                             const std::vector<double>& d_bias) {
  std::vector<double> gradient = looked_up_backward(relations, heads, ids, d_bias);
  for (int64_t h = 0; h < heads && padding >= 0; h++)
    gradient[static_cast<std::size_t>(padding * heads + h)] = 0;
  return gradient;
}

}  // namespace posenc::reference
