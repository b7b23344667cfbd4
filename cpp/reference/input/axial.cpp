#include "reference/input/axial.hpp"

#include <numeric>

namespace posenc::reference {
namespace {

// Coordinates of a position in a grid whose last axis is the fastest.
std::vector<int64_t> unravel(const std::vector<int64_t>& shape, double position) {
  std::vector<int64_t> coordinates(shape.size());
  auto rest = static_cast<int64_t>(position);
  for (std::size_t a = shape.size(); a-- > 0;) {
    coordinates[a] = rest % shape[a];
    rest /= shape[a];
  }
  return coordinates;
}

// Calls body(axis, element of that table, element of the output) for all terms.
template <typename Body>
void for_terms(const AxialRule& rule, const std::vector<double>& positions, Body body) {
  const int64_t dim =
      rule.concat ? std::accumulate(rule.dims.begin(), rule.dims.end(), int64_t{0}) : rule.dims[0];
  for (std::size_t i = 0; i < positions.size(); i++) {
    const auto coordinates = unravel(rule.shape, positions[i]);
    int64_t first = 0;
    for (std::size_t a = 0; a < rule.shape.size(); a++) {
      for (int64_t c = 0; c < rule.dims[a]; c++) {
        body(a, static_cast<std::size_t>(coordinates[a] * rule.dims[a] + c),
             i * static_cast<std::size_t>(dim) + static_cast<std::size_t>(first + c));
      }
      if (rule.concat) first += rule.dims[a];
    }
  }
}

}  // namespace

std::vector<double> axial(const AxialRule& rule, const AxialTables& tables,
                          const std::vector<double>& positions) {
  std::vector<double> out;
  for_terms(rule, positions, [&](std::size_t axis, std::size_t from, std::size_t to) {
    if (to >= out.size()) out.resize(to + 1);
    out[to] += tables[axis][from];
  });
  return out;
}

AxialTables axial_backward(const AxialRule& rule, const std::vector<double>& positions,
                           const std::vector<double>& d_out) {
  AxialTables gradients;
  for (std::size_t a = 0; a < rule.shape.size(); a++) {
    gradients.emplace_back(static_cast<std::size_t>(rule.shape[a] * rule.dims[a]));
  }
  for_terms(rule, positions, [&](std::size_t axis, std::size_t from, std::size_t to) {
    gradients[axis][from] += d_out[to];
  });
  return gradients;
}

}  // namespace posenc::reference
