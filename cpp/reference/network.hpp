// Small networks as plain loops in double: y = W x + b and the activations between.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace posenc::reference {

// W [outputs, inputs] · x [inputs] + b; no bias where it is empty.
inline std::vector<double> dense(const std::vector<double>& weight, const std::vector<double>& bias,
                                 const std::vector<double>& x, std::size_t outputs) {
  std::vector<double> y(outputs);
  for (std::size_t o = 0; o < outputs; o++) {
    y[o] = bias.empty() ? 0 : bias[o];
    for (std::size_t k = 0; k < x.size(); k++) y[o] += weight[o * x.size() + k] * x[k];
  }
  return y;
}

// Adds the gradients of W and b for d_y [outputs] and returns that of x.
inline std::vector<double> dense_backward(const std::vector<double>& weight,
                                          const std::vector<double>& x,
                                          const std::vector<double>& d_y,
                                          std::vector<double>& d_weight,
                                          std::vector<double>& d_bias) {
  std::vector<double> d_x(x.size());
  d_weight.resize(weight.size());
  d_bias.resize(d_y.size());
  for (std::size_t o = 0; o < d_y.size(); o++) {
    d_bias[o] += d_y[o];
    for (std::size_t k = 0; k < x.size(); k++) {
      d_weight[o * x.size() + k] += d_y[o] * x[k];
      d_x[k] += d_y[o] * weight[o * x.size() + k];
    }
  }
  return d_x;
}

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

inline double activation(const std::string& kind, double x) {
  if (kind == "relu") return x > 0 ? x : 0;
  if (kind == "gelu") return x / 2 * std::erfc(-x / std::numbers::sqrt2);
  if (kind == "tanh") return std::tanh(x);
  return kind == "silu" ? x * sigmoid(x) : sigmoid(x);
}

inline double activation_slope(const std::string& kind, double x) {
  if (kind == "relu") return x > 0 ? 1 : 0;
  if (kind == "gelu") {
    return std::erfc(-x / std::numbers::sqrt2) / 2 +
           x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  }
  if (kind == "tanh") return 1 - std::tanh(x) * std::tanh(x);
  const double s = sigmoid(x);
  return kind == "silu" ? s * (1 + x * (1 - s)) : s * (1 - s);
}

// Layers with an activation between them: W_n f(... f(W_1 x + b_1) ...) + b_n.
struct Network {
  std::vector<std::vector<double>> weights, biases;
  std::string activation;
};

inline std::vector<double> network(const Network& net, std::vector<double> x) {
  for (std::size_t l = 0; l < net.weights.size(); l++) {
    x = dense(net.weights[l], net.biases[l], x, net.biases[l].size());
    if (l + 1 == net.weights.size()) break;
    for (double& value : x) value = activation(net.activation, value);
  }
  return x;
}

// Adds the gradients of weights and biases to `gradients` and returns that of x.
inline std::vector<double> network_backward(const Network& net, const std::vector<double>& x,
                                            std::vector<double> d_y, Network& gradients) {
  std::vector<std::vector<double>> inputs = {x}, sums;
  for (std::size_t l = 0; l < net.weights.size(); l++) {
    sums.push_back(dense(net.weights[l], net.biases[l], inputs.back(), net.biases[l].size()));
    inputs.push_back(sums.back());
    for (double& value : inputs.back()) value = activation(net.activation, value);
  }
  gradients.weights.resize(net.weights.size());
  gradients.biases.resize(net.weights.size());
  for (std::size_t l = net.weights.size(); l-- > 0;) {
    d_y = dense_backward(net.weights[l], inputs[l], d_y, gradients.weights[l], gradients.biases[l]);
    for (std::size_t k = 0; l > 0 && k < d_y.size(); k++)
      d_y[k] *= activation_slope(net.activation, sums[l - 1][k]);
  }
  return d_y;
}

}  // namespace posenc::reference
