#include "reference/attention/cosine.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

double length_of(const double* row, std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; c++) sum += row[c] * row[c];
  return std::max(std::sqrt(sum), 1e-12);
}

// The factors go round again for each row of the batch.
std::size_t factor_of(std::size_t row, int64_t rows_per_factor, std::size_t count) {
  return static_cast<std::size_t>(static_cast<int64_t>(row) / rows_per_factor) % count;
}

}  // namespace

std::vector<double> unit_rows(const std::vector<double>& x, int64_t width,
                              const std::vector<double>& factors, int64_t rows_per_factor) {
  std::vector<double> unit = x;
  const auto columns = static_cast<std::size_t>(width);
  for (std::size_t r = 0; r < x.size() / columns; r++) {
    const double factor = factors[factor_of(r, rows_per_factor, factors.size())];
    const double length = length_of(x.data() + r * columns, columns);
    for (std::size_t c = 0; c < columns; c++) unit[r * columns + c] *= factor / length;
  }
  return unit;
}

UnitGradient unit_rows_backward(const std::vector<double>& x, int64_t width,
                                const std::vector<double>& factors, int64_t rows_per_factor,
                                const std::vector<double>& d_unit) {
  UnitGradient g{std::vector<double>(x.size()), std::vector<double>(factors.size())};
  const auto columns = static_cast<std::size_t>(width);
  for (std::size_t r = 0; r < x.size() / columns; r++) {
    const double *row = x.data() + r * columns, *d = d_unit.data() + r * columns;
    const double length = length_of(row, columns);
    const std::size_t f = factor_of(r, rows_per_factor, factors.size());
    double along = 0;
    for (std::size_t c = 0; c < columns; c++) along += row[c] / length * d[c];
    g.factors[f] += along;
    for (std::size_t c = 0; c < columns; c++) {
      g.x[r * columns + c] = factors[f] / length * (d[c] - along * row[c] / length);
    }
  }
  return g;
}

}  // namespace posenc::reference
