#include "reference/bias/fire.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

// Calls body(head, i, j, index of the pair in [heads, q_len, k_len]).
template <typename Body>
void for_pairs(const Fire& fire, const std::vector<double>& query, const std::vector<double>& key,
               Body body) {
  std::size_t at = 0;
  for (std::size_t h = 0; h < static_cast<std::size_t>(fire.heads); h++) {
    for (double i : query) {
      for (double j : key) body(h, i, j, at++);
    }
  }
}

}  // namespace

std::vector<double> fire_bias(const Fire& fire, const std::vector<double>& query,
                              const std::vector<double>& key) {
  std::vector<double> bias;
  const double threshold = std::abs(fire.multiplier * fire.init_l);
  const auto width = static_cast<std::size_t>(fire.width);
  for_pairs(fire, query, key, [&](std::size_t h, double i, double j, std::size_t) {
    const double share = std::log(std::abs(fire.c * (i - j)) + 1) /
                         (std::log(std::abs(fire.c * std::max(i, threshold)) + 1) + fire.eps);
    double sum = fire.b2[h];
    for (std::size_t u = 0; u < width; u++) {
      sum += fire.w2[h * width + u] * std::max(0.0, fire.w1[u] * share + fire.b1[u]);
    }
    bias.push_back(sum);
  });
  return bias;
}

FireGradient fire_backward(const Fire& fire, const std::vector<double>& d_bias,
                           const std::vector<double>& query, const std::vector<double>& key) {
  const auto width = static_cast<std::size_t>(fire.width);
  FireGradient g{std::vector<double>(width), std::vector<double>(width),
                 std::vector<double>(fire.w2.size()), std::vector<double>(fire.b2.size())};
  const double threshold = std::abs(fire.multiplier * fire.init_l);
  for_pairs(fire, query, key, [&](std::size_t h, double i, double j, std::size_t at) {
    const double reach = std::max(i, threshold), distance = std::abs(i - j);
    const double top = std::log(std::abs(fire.c * distance) + 1);
    const double bottom = std::log(std::abs(fire.c * reach) + 1) + fire.eps;
    double d_share = 0;
    g.b2[h] += d_bias[at];
    for (std::size_t u = 0; u < width; u++) {
      const double bent = fire.w1[u] * top / bottom + fire.b1[u];
      if (bent <= 0) continue;
      const double d_bent = d_bias[at] * fire.w2[h * width + u];
      g.w2[h * width + u] += d_bias[at] * bent;
      g.w1[u] += d_bent * top / bottom;
      g.b1[u] += d_bent;
      d_share += d_bent * fire.w1[u];
    }
    const double sign = fire.c < 0 ? -1 : 1, size = std::abs(fire.c);
    const double d_bottom = -d_share * top / (bottom * bottom);
    g.c += sign * (d_share / bottom * distance / (1 + size * distance) +
                   d_bottom * reach / (1 + size * reach));
    // Where both are the same, each has half of the gradient of the larger.
    const double part = i < threshold ? 1 : i == threshold ? 0.5 : 0;
    g.multiplier +=
        part * d_bottom * size / (1 + size * reach) * fire.init_l * (fire.multiplier < 0 ? -1 : 1);
  });
  return g;
}

}  // namespace posenc::reference
