#include "reference/rotary/xpos.hpp"

#include <cmath>

namespace posenc::reference {
namespace {

double zeta(const XposRule& rule, int64_t m) {
  const auto d = static_cast<double>(rule.dim);
  return (2 * static_cast<double>(m) / d + rule.gamma) / (1 + rule.gamma);
}

double theta(const XposRule& rule, int64_t m) {
  return std::pow(rule.base, -2 * static_cast<double>(m) / static_cast<double>(rule.dim));
}

std::size_t channel(const XposRule& rule, int64_t m, bool second) {
  const int64_t pairs = rule.dim / 2;
  return static_cast<std::size_t>(rule.interleaved ? 2 * m + (second ? 1 : 0)
                                                   : m + (second ? pairs : 0));
}

}  // namespace

std::vector<double> xpos_turned(const XposRule& rule, const std::vector<double>& x,
                                const std::vector<double>& positions, bool keys) {
  std::vector<double> out = x;
  const auto dim = static_cast<std::size_t>(rule.dim);
  for (std::size_t row = 0; row * dim < x.size(); row++) {
    const double p = positions[row % positions.size()];
    for (int64_t m = 0; m < rule.dim / 2; m++) {
      const double power = (p - rule.centre) / rule.scale_base;
      const double factor = std::pow(zeta(rule, m), keys ? -power : power);
      const double cos = factor * std::cos(p * theta(rule, m)),
                   sin = factor * std::sin(p * theta(rule, m));
      const std::size_t a = row * dim + channel(rule, m, false),
                        b = row * dim + channel(rule, m, true);
      out[a] = x[a] * cos - x[b] * sin;
      out[b] = x[b] * cos + x[a] * sin;
    }
  }
  return out;
}

double xpos_score(const XposRule& rule, const double* q, const double* k, double distance) {
  double sum = 0;
  for (int64_t m = 0; m < rule.dim / 2; m++) {
    const std::size_t a = channel(rule, m, false), b = channel(rule, m, true);
    const double angle = distance * theta(rule, m);
    const double along = q[a] * k[a] + q[b] * k[b], across = q[a] * k[b] - q[b] * k[a];
    sum += std::pow(zeta(rule, m), distance / rule.scale_base) *
           (along * std::cos(angle) + across * std::sin(angle));
  }
  return sum;
}

}  // namespace posenc::reference
