#include "posenc/input/network.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {

void initialise_layer(std::span<float> values, int64_t inputs, Random& random) noexcept {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  for (float& value : values) value = static_cast<float>(bound * (2 * random.uniform() - 1));
}

Network::Network(const ParameterSet& parameters, kernels::Activation activation) noexcept
    : activation_(activation) {
  add_layer(parameters, "weight1", "bias1");
  add_layer(parameters, "weight2", "bias2");
  add_layer(parameters, "weight3", "bias3");
  for (int i = 0; i < count_; i++) widest_ = std::max(widest_, layers_[i].outputs);
  add_layer(parameters, "weightOut", "biasOut");
}

void Network::add_layer(const ParameterSet& parameters, const char* weight,
                        const char* bias) noexcept {
  const int at = parameters.find(weight), bias_at = parameters.find(bias);
  if (at < 0) return;
  const Shape& shape = parameters[at].shape;
  layers_[count_] = {parameters[at].values.data(),
                     bias_at < 0 ? nullptr : parameters[bias_at].values.data(), shape[1], shape[0]};
  weights_[count_] = at;
  biases_[count_++] = bias_at;
}

int64_t Network::scratch_floats() const noexcept { return 2 * count_ * kRows * widest_; }

void Network::forward(const float* x, int64_t rows, float* scratch, float* y) const noexcept {
  for (int i = 0; i < count_ - 1; i++) {
    kernels::dense(layers_[i], x, rows, before(scratch, i));
    kernels::activate(activation_, before(scratch, i), rows * layers_[i].outputs,
                      after(scratch, i));
    x = after(scratch, i);
  }
  if (y) kernels::dense(layers_[count_ - 1], x, rows, y);
}

void Network::backward(const float* x, int64_t rows, const float* d_y, const Gradients& gradients,
                       float* scratch, float* d_x) const noexcept {
  float* spare = before(scratch, count_ - 1);  // two gradients that take turns
  for (int i = count_ - 1; i >= 0; i--) {
    const auto of = [&](int tensor) {
      return tensor < 0 ? nullptr : gradients.of[static_cast<std::size_t>(tensor)];
    };
    float* d_input = i == 0 ? d_x : spare + (i % 2) * kRows * widest_;
    const float* input = i == 0 ? x : after(scratch, i - 1);
    kernels::dense_backward(layers_[i], input, d_y, rows,
                            {of(weights_[i]), of(biases_[i]), d_input});
    if (i == 0) return;
    kernels::activate_backward(activation_, before(scratch, i - 1), rows * layers_[i].inputs,
                               d_input);
    d_y = d_input;
  }
}

}  // namespace posenc
