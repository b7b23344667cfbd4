// LayoutLM's box vectors in double: six look-ups, summed or side by side.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace posenc::reference {

struct BoxRule {
  int64_t rows = 0, corner = 0,
          size = 0;  // rows of each table, widths of a corner's and of a size's vector
  bool concat = false;
  bool clamp_sizes = false;
};

// x, y, h, w
using BoxTables = std::array<std::vector<double>, 4>;

// boxes [n, 4] = x0, y0, x1, y1
std::vector<double> box(const BoxRule& rule, const BoxTables& tables,
                        const std::vector<double>& boxes);
BoxTables box_backward(const BoxRule& rule, const std::vector<double>& boxes,
                       const std::vector<double>& d_out);

}  // namespace posenc::reference
