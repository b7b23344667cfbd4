#include "reference/input/coordinates.hpp"

#include <cmath>
#include <numbers>

namespace posenc::reference {
namespace {

std::vector<double> features_of(const CoordinatesRule& rule, const double* position) {
  std::vector<double> features;
  for (std::size_t a = 0; a < rule.low.size(); a++) {
    const double c = 2 * (position[a] - rule.low[a]) / (rule.high[a] - rule.low[a]) - 1;
    if (!rule.fourier) features.push_back(c);
    for (const bool cosine : {false, true}) {
      for (int64_t k = 0; rule.fourier && k < rule.bands; k++) {
        const double angle = std::numbers::pi * std::pow(2.0, static_cast<double>(k)) * c;
        features.push_back(cosine ? std::cos(angle) : std::sin(angle));
      }
    }
  }
  return features;
}

}  // namespace

std::vector<double> coordinates(const CoordinatesRule& rule, const Projection& parameters,
                                const std::vector<double>& positions) {
  std::vector<double> out;
  for (std::size_t i = 0; i < positions.size(); i += rule.low.size()) {
    const auto features = features_of(rule, positions.data() + i);
    for (std::size_t c = 0; c < static_cast<std::size_t>(rule.dim); c++) {
      double sum = parameters.bias[c];
      for (std::size_t f = 0; f < features.size(); f++)
        sum += parameters.weight[c * features.size() + f] * features[f];
      out.push_back(sum);
    }
  }
  return out;
}

Projection coordinates_backward(const CoordinatesRule& rule, const std::vector<double>& positions,
                                const std::vector<double>& d_out) {
  const auto dim = static_cast<std::size_t>(rule.dim), axes = rule.low.size();
  const std::size_t count = rule.fourier ? 2 * axes * static_cast<std::size_t>(rule.bands) : axes;
  Projection gradients{std::vector<double>(dim * count), std::vector<double>(dim)};
  for (std::size_t i = 0; i * axes < positions.size(); i++) {
    const auto features = features_of(rule, positions.data() + i * axes);
    for (std::size_t c = 0; c < dim; c++) {
      gradients.bias[c] += d_out[i * dim + c];
      for (std::size_t f = 0; f < count; f++)
        gradients.weight[c * count + f] += d_out[i * dim + c] * features[f];
    }
  }
  return gradients;
}

}  // namespace posenc::reference
