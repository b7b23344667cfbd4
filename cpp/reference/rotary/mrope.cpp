#include "reference/rotary/mrope.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {

std::vector<std::vector<double>> mrope_angles(const Coordinates& positions, int64_t dim,
                                              double base, const std::vector<int64_t>& sections,
                                              bool interleaved) {
  const std::vector<double> frequencies = axis_frequencies(dim, base);
  std::vector<std::vector<double>> angles;
  for (const auto& token : positions) {
    auto& row = angles.emplace_back();
    // All by time at first; the others take their places.
    for (const double frequency : frequencies) row.push_back(token[0] * frequency);
    int64_t begin = 0;
    for (std::size_t axis = 0; axis < sections.size(); axis++) {
      for (int64_t i = 0; i < sections[axis]; i++) {
        const int64_t pair =
            interleaved ? static_cast<int64_t>(sections.size()) * i + static_cast<int64_t>(axis)
                        : begin + i;
        if (axis == 0 && interleaved) continue;
        row[static_cast<std::size_t>(pair)] =
            token[axis] * frequencies[static_cast<std::size_t>(pair)];
      }
      begin += sections[axis];
    }
  }
  return angles;
}

Coordinates multimodal_positions(const std::vector<std::vector<int64_t>>& parts, double start,
                                 double step) {
  Coordinates positions;
  double next = start;
  for (const auto& part : parts) {
    const bool text = part[1] == 0;
    const Coordinates cells = text ? grid_cells({part[0]}) : grid_cells(part);
    double largest = next - 1;
    for (const auto& cell : cells) {
      const double time = text ? cell[0] : std::floor(cell[0] * step);
      positions.push_back(
          {next + time, next + (text ? cell[0] : cell[1]), next + (text ? cell[0] : cell[2])});
      for (const double value : positions.back()) largest = std::max(largest, value);
    }
    next = largest + 1;
  }
  return positions;
}

}  // namespace posenc::reference
