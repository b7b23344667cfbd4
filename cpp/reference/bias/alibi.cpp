#include "reference/bias/alibi.hpp"

#include <cmath>

namespace posenc::reference {

std::vector<double> alibi_slopes(int64_t heads) {
  std::vector<double> slopes;
  int64_t power = 1;
  while (2 * power <= heads) power *= 2;
  const double ratio = std::pow(2.0, -8.0 / static_cast<double>(power));
  for (int64_t h = 0; h < power; h++) slopes.push_back(std::pow(ratio, static_cast<double>(h + 1)));
  if (power == heads) return slopes;
  const std::vector<double> twice = alibi_slopes(2 * power);
  for (std::size_t i = 0; slopes.size() < static_cast<std::size_t>(heads); i += 2)
    slopes.push_back(twice[i]);
  return slopes;
}

std::vector<double> alibi_bias(double behind, double ahead, const std::vector<double>& query,
                               const std::vector<double>& key) {
  std::vector<double> bias;
  for (double i : query) {
    for (double j : key) bias.push_back(j <= i ? -behind * (i - j) : -ahead * (j - i));
  }
  return bias;
}

AlibiGradient alibi_backward(const std::vector<double>& d_bias, const std::vector<double>& query,
                             const std::vector<double>& key) {
  AlibiGradient gradient{0, 0};
  std::size_t at = 0;
  for (double i : query) {
    for (double j : key) {
      if (j <= i)
        gradient.behind -= d_bias[at++] * (i - j);
      else
        gradient.ahead -= d_bias[at++] * (j - i);
    }
  }
  return gradient;
}

}  // namespace posenc::reference
