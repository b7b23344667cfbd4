// Decomposed relative positions as the code of Segment Anything writes them.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// get_rel_pos(q_size, k_size, rel_pos): the row of each pair of places [q_size, k_size, width],
// from a table [rows, width] that is interpolated linearly to 2·max(q_size, k_size) - 1 rows.
struct RelPos {
  int64_t q_size, k_size, table_rows, width;

  std::vector<double> rows(const std::vector<double>& table) const;
  std::vector<double> table_gradient(const std::vector<double>& d_rows) const;  // of the table
};

}  // namespace posenc::reference
