#include "reference/input/sinusoidal.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

double angle(const SinusoidalRule& rule, double position, int64_t i) {
  const double half = std::floor(static_cast<double>(rule.dim) / 2);
  const double exponent = rule.tensor2tensor
                              ? static_cast<double>(i) / std::max(half - 1, 1.0)
                              : 2 * static_cast<double>(i) / static_cast<double>(rule.dim);
  return position / std::pow(rule.base, exponent);
}

}  // namespace

std::vector<double> sinusoidal(const SinusoidalRule& rule, const std::vector<double>& positions) {
  std::vector<double> table;
  const bool zero = rule.zero_column && rule.dim % 2 == 1;
  const int64_t columns = zero ? rule.dim - 1 : rule.dim;
  const int64_t sines = (columns + 1) / 2;
  for (double position : positions) {
    for (int64_t c = 0; c < columns; c++) {
      const bool is_sine = rule.concat ? c < sines : c % 2 == 0;
      const int64_t i = rule.concat ? c % sines : c / 2;
      const double value = angle(rule, position, i);
      table.push_back(is_sine ? std::sin(value) : std::cos(value));
    }
    if (zero) table.push_back(0);
  }
  return table;
}

}  // namespace posenc::reference
