#include "reference/rotary/rope.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

const double kPi = std::acos(-1.0);

// Channel pair that makes `turns` turns over `length` positions.
double correction_pair(double turns, double dim, double base, double length) {
  return dim * std::log(length / (turns * 2 * kPi)) / (2 * std::log(base));
}

// Weights from 1 (pairs before low) to 0 (pairs from high on).
std::vector<double> falling(double low, double high, int64_t pairs) {
  if (low == high) high += 0.001;
  std::vector<double> weights;
  for (int64_t m = 0; m < pairs; m++) {
    weights.push_back(1 -
                      std::min(1.0, std::max(0.0, (static_cast<double>(m) - low) / (high - low))));
  }
  return weights;
}

std::vector<double> weights_between(double fast, double slow, int64_t dim, double base,
                                    double length, bool truncate) {
  const auto d = static_cast<double>(dim);
  double low = correction_pair(fast, d, base, length),
         high = correction_pair(slow, d, base, length);
  if (truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  return falling(std::max(low, 0.0), std::min(high, d - 1), dim / 2);
}

// weight · a + (1 - weight) · b
std::vector<double> mixed(const std::vector<double>& weights, const std::vector<double>& a,
                          const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t m = 0; m < a.size(); m++)
    out.push_back(weights[m] * a[m] + (1 - weights[m]) * b[m]);
  return out;
}

std::vector<double> divided(std::vector<double> values, double divisor) {
  for (double& value : values) value /= divisor;
  return values;
}

}  // namespace

std::vector<double> rope_frequencies(int64_t dim, double base) {
  std::vector<double> out;
  for (int64_t i = 0; i < dim; i += 2) {
    out.push_back(1 / std::pow(base, static_cast<double>(i) / static_cast<double>(dim)));
  }
  return out;
}

std::vector<double> ntk_frequencies(int64_t dim, double base, double factor) {
  const auto d = static_cast<double>(dim);
  return rope_frequencies(dim, base * std::pow(factor, d / (d - 2)));
}

std::vector<double> dynamic_frequencies(int64_t dim, double base, double factor, double original,
                                        double length) {
  if (length <= original) return rope_frequencies(dim, base);
  return ntk_frequencies(dim, base, factor * length / original - (factor - 1));
}

std::vector<double> yarn_frequencies(int64_t dim, double base, const YarnRule& rule) {
  const auto keep =
      weights_between(rule.beta_fast, rule.beta_slow, dim, base, rule.original, rule.truncate);
  const auto plain = rope_frequencies(dim, base);
  return mixed(keep, plain, divided(plain, rule.factor));
}

std::vector<double> by_parts_frequencies(int64_t dim, double base, double factor, double original) {
  const auto plain = rope_frequencies(dim, base);
  const auto slow = mixed(weights_between(1.25, 0.75, dim, base, original, true),
                          ntk_frequencies(dim, base, factor), divided(plain, factor));
  return mixed(weights_between(16, 2, dim, base, original, true), plain, slow);
}

std::vector<double> llama3_frequencies(int64_t dim, double base, const Llama3Rule& rule) {
  std::vector<double> out;
  for (double frequency : rope_frequencies(dim, base)) {
    const double wavelength = 2 * kPi / frequency;
    if (wavelength < rule.original / rule.high) {
      out.push_back(frequency);
    } else if (wavelength > rule.original / rule.low) {
      out.push_back(frequency / rule.factor);
    } else {
      const double smooth = (rule.original / wavelength - rule.low) / (rule.high - rule.low);
      out.push_back((1 - smooth) * frequency / rule.factor + smooth * frequency);
    }
  }
  return out;
}

std::vector<double> rotated(const std::vector<double>& x, int64_t dim,
                            const std::vector<double>& positions,
                            const std::vector<double>& frequencies, bool interleaved,
                            double amplitude) {
  std::vector<double> out = x;
  const std::size_t pairs = frequencies.size();
  for (std::size_t row = 0; row < positions.size(); row++) {
    const std::size_t begin = row * static_cast<std::size_t>(dim);
    for (std::size_t m = 0; m < pairs; m++) {
      const std::size_t first = begin + (interleaved ? 2 * m : m),
                        second = first + (interleaved ? 1 : pairs);
      const double cos = amplitude * std::cos(positions[row] * frequencies[m]);
      const double sin = amplitude * std::sin(positions[row] * frequencies[m]);
      out[first] = x[first] * cos - x[second] * sin;
      out[second] = x[second] * cos + x[first] * sin;
    }
  }
  return out;
}

}  // namespace posenc::reference
