#include "reference/input/box.hpp"

#include <algorithm>

namespace posenc::reference {
namespace {

// Calls body(table, element of it, element of the output) for all terms of all boxes.
template <typename Body>
void for_terms(const BoxRule& rule, const std::vector<double>& boxes, Body body) {
  const int64_t dim = rule.concat ? 4 * rule.corner + 2 * rule.size : rule.corner;
  for (std::size_t i = 0; 4 * i < boxes.size(); i++) {
    const double x0 = boxes[4 * i], y0 = boxes[4 * i + 1], x1 = boxes[4 * i + 2],
                 y1 = boxes[4 * i + 3];
    double height = y1 - y0, width = x1 - x0;
    if (rule.clamp_sizes) {
      height = std::clamp(height, 0.0, static_cast<double>(rule.rows - 1));
      width = std::clamp(width, 0.0, static_cast<double>(rule.rows - 1));
    }
    const std::pair<std::size_t, double> terms[] = {{0, x0}, {1, y0},     {0, x1},
                                                    {1, y1}, {2, height}, {3, width}};
    int64_t first = 0;
    for (const auto& [table, row] : terms) {
      const int64_t columns = table < 2 ? rule.corner : rule.size;
      for (int64_t c = 0; c < columns; c++) {
        body(table, static_cast<std::size_t>(static_cast<int64_t>(row) * columns + c),
             i * static_cast<std::size_t>(dim) + static_cast<std::size_t>(first + c));
      }
      if (rule.concat) first += columns;
    }
  }
}

}  // namespace

std::vector<double> box(const BoxRule& rule, const BoxTables& tables,
                        const std::vector<double>& boxes) {
  std::vector<double> out;
  for_terms(rule, boxes, [&](std::size_t table, std::size_t from, std::size_t to) {
    if (to >= out.size()) out.resize(to + 1);
    out[to] += tables[table][from];
  });
  return out;
}

BoxTables box_backward(const BoxRule& rule, const std::vector<double>& boxes,
                       const std::vector<double>& d_out) {
  BoxTables gradients;
  for (std::size_t t = 0; t < 4; t++) {
    gradients[t].resize(static_cast<std::size_t>(rule.rows * (t < 2 ? rule.corner : rule.size)));
  }
  for_terms(rule, boxes, [&](std::size_t table, std::size_t from, std::size_t to) {
    gradients[table][from] += d_out[to];
  });
  return gradients;
}

}  // namespace posenc::reference
