#include "reference/bias/kerple.hpp"

#include <cmath>

namespace posenc::reference {

std::vector<double> kerple_bias(const Kerple& head, const std::vector<double>& query,
                                const std::vector<double>& key) {
  std::vector<double> bias;
  for (double i : query) {
    for (double j : key) {
      const double d = head.symmetric || j <= i ? std::abs(i - j) : 0;
      bias.push_back(head.log ? -head.p * std::log1p(head.a * d) : -head.a * std::pow(d, head.p));
    }
  }
  return bias;
}

KerpleGradient kerple_backward(const Kerple& head, const std::vector<double>& d_bias,
                               const std::vector<double>& query, const std::vector<double>& key) {
  KerpleGradient gradient{0, 0};
  std::size_t at = 0;
  for (double i : query) {
    for (double j : key) {
      const double d = head.symmetric || j <= i ? std::abs(i - j) : 0, upstream = d_bias[at++];
      if (d == 0) continue;
      if (head.log) {
        gradient.p -= upstream * std::log1p(head.a * d);
        gradient.a -= upstream * head.p * d / (1 + head.a * d);
      } else {
        gradient.p -= upstream * head.a * std::pow(d, head.p) * std::log(d);
        gradient.a -= upstream * std::pow(d, head.p);
      }
    }
  }
  return gradient;
}

}  // namespace posenc::reference
