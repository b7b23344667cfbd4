// Sine rows of several coordinates and DETR's counting of padded cells, in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace posenc::reference {

struct GridRule {
  int64_t dim = 0;
  int64_t axes = 2;
  double base = 10000;
  bool concat = false;              // within an axis all sines, then all cosines
  bool reversed = false;            // the last axis fills the first columns
  std::vector<int64_t> parts = {};  // columns of each axis, where they are not equal
};

inline int64_t grid_part(const GridRule& rule, int64_t axis) {
  if (!rule.parts.empty()) return rule.parts[static_cast<std::size_t>(axis)];
  return 2 * static_cast<int64_t>(
                 std::ceil(static_cast<double>(rule.dim) / (2.0 * static_cast<double>(rule.axes))));
}

// positions [n, axes] → [n, dim]
inline std::vector<double> grid(const GridRule& rule, const std::vector<double>& positions) {
  std::vector<double> table;
  for (std::size_t token = 0; token < positions.size();
       token += static_cast<std::size_t>(rule.axes)) {
    std::vector<double> row;
    for (int64_t a = 0; a < rule.axes; a++) {
      const int64_t axis = rule.reversed ? rule.axes - 1 - a : a, part = grid_part(rule, axis);
      for (int64_t c = 0; c < part; c++) {
        const bool sine = rule.concat ? c < part / 2 : c % 2 == 0;
        const int64_t i = rule.concat ? c % (part / 2) : c / 2;
        const double exponent = 2 * static_cast<double>(i) / static_cast<double>(part);
        const double angle =
            positions[token + static_cast<std::size_t>(axis)] / std::pow(rule.base, exponent);
        row.push_back(sine ? std::sin(angle) : std::cos(angle));
      }
    }
    table.insert(table.end(), row.begin(), row.begin() + rule.dim);
  }
  return table;
}

// mask [rows, cols], 1 = padding → [rows, cols, 2]; `scale` 0: counts that are not normalised.
inline std::vector<double> mask_positions(const std::vector<double>& mask, std::size_t rows,
                                          std::size_t cols, double scale, double offset) {
  std::vector<double> out(2 * mask.size());
  for (std::size_t r = 0; r < rows; r++) {
    for (std::size_t c = 0; c < cols; c++) {
      double y = 0, x = 0, last_y = 0, last_x = 0;
      for (std::size_t i = 0; i < rows; i++) (i <= r ? y : last_y) += 1 - mask[i * cols + c];
      for (std::size_t j = 0; j < cols; j++) (j <= c ? x : last_x) += 1 - mask[r * cols + j];
      last_y += y, last_x += x;
      out[2 * (r * cols + c)] = scale == 0 ? y : (y + offset) / (last_y + 1e-6) * scale;
      out[2 * (r * cols + c) + 1] = scale == 0 ? x : (x + offset) / (last_x + 1e-6) * scale;
    }
  }
  return out;
}

}  // namespace posenc::reference
