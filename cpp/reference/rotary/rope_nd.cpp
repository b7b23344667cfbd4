#include "reference/rotary/rope_nd.hpp"

#include <cmath>

namespace posenc::reference {

Coordinates grid_cells(const std::vector<int64_t>& grid) {
  Coordinates cells = {{}};
  for (int64_t extent : grid) {
    Coordinates finer;
    for (const auto& cell : cells) {
      for (int64_t i = 0; i < extent; i++) {
        finer.push_back(cell);
        finer.back().push_back(static_cast<double>(i));
      }
    }
    cells = finer;
  }
  return cells;
}

std::vector<double> axis_frequencies(int64_t dim, double base) {
  std::vector<double> out;
  for (int64_t i = 0; i < dim; i += 2) {
    out.push_back(1 / std::pow(base, static_cast<double>(i) / static_cast<double>(dim)));
  }
  return out;
}

std::vector<double> linear_frequencies(int64_t dim, double max_freq) {
  std::vector<double> out;
  const int64_t count = dim / 2;
  for (int64_t i = 0; i < count; i++) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    out.push_back(std::acos(-1.0) * ((1 - share) * 1 + share * max_freq / 2));
  }
  return out;
}

std::vector<std::vector<double>> axial_angles(const Coordinates& coordinates,
                                              const std::vector<std::vector<double>>& frequencies,
                                              const std::vector<std::size_t>& axes) {
  std::vector<std::vector<double>> angles;
  for (const auto& token : coordinates) {
    auto& row = angles.emplace_back();
    for (const std::size_t axis : axes) {
      for (const double frequency : frequencies[axis]) row.push_back(token[axis] * frequency);
    }
  }
  return angles;
}

std::vector<double> turned_by(const std::vector<double>& x, int64_t dim,
                              const std::vector<std::vector<double>>& angles, bool interleaved) {
  std::vector<double> out = x;
  const auto width = static_cast<std::size_t>(dim);
  for (std::size_t row = 0; row * width < x.size(); row++) {
    const auto& turn = angles[row % angles.size()];
    for (std::size_t m = 0; m < turn.size(); m++) {
      const std::size_t first = row * width + (interleaved ? 2 * m : m);
      const std::size_t second = first + (interleaved ? 1 : turn.size());
      const double cos = std::cos(turn[m]), sin = std::sin(turn[m]);
      out[first] = x[first] * cos - x[second] * sin;
      out[second] = x[second] * cos + x[first] * sin;
    }
  }
  return out;
}

}  // namespace posenc::reference
