// Axial tables in double: one per axis, summed or side by side.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct AxialRule {
  std::vector<int64_t> shape, dims;
  bool concat = false;
};

using AxialTables = std::vector<std::vector<double>>;

std::vector<double> axial(const AxialRule& rule, const AxialTables& tables,
                          const std::vector<double>& positions);
AxialTables axial_backward(const AxialRule& rule, const std::vector<double>& positions,
                           const std::vector<double>& d_out);

}  // namespace posenc::reference
