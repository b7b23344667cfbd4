// Convolution of a grid of rows in groups of channels, with its gradients, as plain loops in
// double.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/network.hpp"

namespace posenc::reference {

struct ConvRule {
  int64_t dim = 0, groups = 1;
  int64_t rows = 1, cols = 1;     // of the grid
  int64_t height = 1, width = 1;  // of a filter
  bool circular = false;
  bool gelu = false;
};

struct ConvValues {
  std::vector<double> x, weight,
      bias;  // [rows · cols, dim], [dim, dim / groups, height, width], [dim]
};

// Calls body(index of x, index of weight) for every product in the sum of channel o at cell (r, c).
template <typename Body>
void for_products(const ConvRule& rule, int64_t r, int64_t c, int64_t o, Body body) {
  const int64_t channels = rule.dim / rule.groups, first = o / channels * channels;
  for (int64_t i = 0; i < channels; i++) {
    for (int64_t a = 0; a < rule.height; a++) {
      for (int64_t b = 0; b < rule.width; b++) {
        int64_t y = r + a - rule.height / 2, x = c + b - rule.width / 2;
        if (rule.circular) {
          y = (y % rule.rows + rule.rows) % rule.rows;
          x = (x % rule.cols + rule.cols) % rule.cols;
        }
        if (y < 0 || x < 0 || y >= rule.rows || x >= rule.cols) continue;
        body(static_cast<std::size_t>((y * rule.cols + x) * rule.dim + first + i),
             static_cast<std::size_t>(((o * channels + i) * rule.height + a) * rule.width + b));
      }
    }
  }
}

inline double conv_sum(const ConvRule& rule, const ConvValues& values, int64_t cell, int64_t o) {
  double sum = values.bias.empty() ? 0 : values.bias[static_cast<std::size_t>(o)];
  for_products(rule, cell / rule.cols, cell % rule.cols, o,
               [&](std::size_t x, std::size_t w) { sum += values.x[x] * values.weight[w]; });
  return sum;
}

inline std::vector<double> conv(const ConvRule& rule, const ConvValues& values) {
  std::vector<double> out;
  for (int64_t cell = 0; cell < rule.rows * rule.cols; cell++) {
    for (int64_t o = 0; o < rule.dim; o++) {
      const double sum = conv_sum(rule, values, cell, o);
      out.push_back(rule.gelu ? activation("gelu", sum) : sum);
    }
  }
  return out;
}

inline ConvValues conv_backward(const ConvRule& rule, const ConvValues& values,
                                const std::vector<double>& d_out) {
  ConvValues gradients = {std::vector<double>(values.x.size()),
                          std::vector<double>(values.weight.size()),
                          std::vector<double>(static_cast<std::size_t>(rule.dim))};
  for (int64_t cell = 0; cell < rule.rows * rule.cols; cell++) {
    for (int64_t o = 0; o < rule.dim; o++) {
      double d = d_out[static_cast<std::size_t>(cell * rule.dim + o)];
      if (rule.gelu) d *= activation_slope("gelu", conv_sum(rule, values, cell, o));
      gradients.bias[static_cast<std::size_t>(o)] += d;
      for_products(rule, cell / rule.cols, cell % rule.cols, o, [&](std::size_t x, std::size_t w) {
        gradients.x[x] += d * values.weight[w];
        gradients.weight[w] += d * values.x[x];
      });
    }
  }
  return gradients;
}

}  // namespace posenc::reference
