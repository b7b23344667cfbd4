// A bias that is looked up in a table by an index for each pair, in double: what relations, Swin
// and BEiT share.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// table [rows, heads], index [pairs] → bias [heads, pairs]
std::vector<double> looked_up(const std::vector<double>& table, int64_t heads,
                              const std::vector<int64_t>& index);
// Gradient of the table, [rows, heads], for d_bias [heads, pairs].
std::vector<double> looked_up_backward(int64_t rows, int64_t heads,
                                       const std::vector<int64_t>& index,
                                       const std::vector<double>& d_bias);

}  // namespace posenc::reference
