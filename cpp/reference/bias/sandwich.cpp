#include "reference/bias/sandwich.hpp"

#include <cmath>

namespace posenc::reference {

std::vector<double> sandwich_bias(const Sandwich& sandwich, const std::vector<double>& query,
                                  const std::vector<double>& key) {
  std::vector<double> bias;
  for (int64_t h = 0; h < sandwich.heads; h++) {
    const double compression =
        8.0 * static_cast<double>(h + 1) / static_cast<double>(sandwich.heads);
    for (double i : query) {
      for (double j : key) {
        double sum = 0;
        for (int64_t m = sandwich.first_index; m < sandwich.first_index + sandwich.dim / 2; m++) {
          const double wave = std::pow(
              sandwich.base, 2 * static_cast<double>(m) / static_cast<double>(sandwich.dim));
          // p_i · p_j of the rows sin and cos of this frequency.
          sum += std::sin(i / wave) * std::sin(j / wave) + std::cos(i / wave) * std::cos(j / wave);
        }
        if (sandwich.centered) sum -= static_cast<double>(sandwich.dim) / 2;
        bias.push_back(sum / compression);
      }
    }
  }
  return bias;
}

}  // namespace posenc::reference
