// Two levels of positions in double: a vector per block and one per place within it.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct BlockRule {
  std::vector<double> starts;  // first position of each block
  int64_t block_size = 0;
  int64_t block_dim = 0, inner_dim = 0;
  bool concat = false;
};

struct BlockTables {
  std::vector<double> block, inner;
};

std::vector<double> block(const BlockRule& rule, const BlockTables& tables,
                          const std::vector<double>& positions);
BlockTables block_backward(const BlockRule& rule, const std::vector<double>& positions,
                           const std::vector<double>& d_out);

}  // namespace posenc::reference
