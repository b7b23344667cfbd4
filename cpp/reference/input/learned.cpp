#include "reference/input/learned.hpp"

namespace posenc::reference {

std::vector<double> lookup(const std::vector<double>& table, int64_t width,
                           const std::vector<int64_t>& rows) {
  std::vector<double> out;
  for (int64_t row : rows)
    out.insert(out.end(), table.begin() + row * width, table.begin() + (row + 1) * width);
  return out;
}

std::vector<double> lookup_backward(int64_t count, int64_t width, const std::vector<int64_t>& rows,
                                    const std::vector<double>& d_out, int64_t held) {
  std::vector<double> d_table(static_cast<std::size_t>(count * width));
  for (std::size_t i = 0; i < rows.size(); i++) {
    if (rows[i] == held) continue;
    for (int64_t c = 0; c < width; c++) {
      d_table[static_cast<std::size_t>(rows[i] * width + c)] +=
          d_out[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(c)];
    }
  }
  return d_table;
}

}  // namespace posenc::reference
