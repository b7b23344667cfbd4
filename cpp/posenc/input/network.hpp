// The small network inside an encoding: dense layers with an activation between them, by the names
// of their tensors, weight1, bias1, ... for those before an activation and weightOut, biasOut for
// the last.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/parameters.hpp"
#include "posenc/kernels/activation.hpp"
#include "posenc/kernels/dense.hpp"

namespace posenc {

// Uniform in ±1/√inputs, as PyTorch starts the weights and biases of a layer with that many inputs.
void initialise_layer(std::span<float> values, int64_t inputs, Random& random) noexcept;

// The same for a layer on top of `hidden` units.
template <typename Options>
void initialise_hidden_layer(const void* options, std::span<float> values,
                             Random& random) noexcept {
  initialise_layer(values, static_cast<const Options*>(options)->hidden, random);
}

class Network {
 public:
  // Rows that go through at a time.
  static constexpr int64_t kRows = 16;

  Network(const ParameterSet& parameters, kernels::Activation activation) noexcept;

  int64_t inputs() const noexcept { return layers_[0].inputs; }
  int64_t outputs() const noexcept { return layers_[count_ - 1].outputs; }
  // Floats that forward() and backward() want for kRows rows.
  int64_t scratch_floats() const noexcept;
  // x [rows, inputs] → y [rows, outputs], at most kRows; without y only what backward() needs.
  void forward(const float* x, int64_t rows, float* scratch, float* y) const noexcept;
  // After forward() of the same rows, with what it left in scratch. d_x may be null.
  void backward(const float* x, int64_t rows, const float* d_y, const Gradients& gradients,
                float* scratch, float* d_x) const noexcept;

 private:
  static constexpr int kMaxLayers = 4;

  void add_layer(const ParameterSet& parameters, const char* weight, const char* bias) noexcept;
  // Values before and after the activation of layer i; behind those of the last one, room for two
  // gradients.
  float* before(float* scratch, int i) const noexcept { return scratch + 2 * i * kRows * widest_; }
  float* after(float* scratch, int i) const noexcept {
    return before(scratch, i) + kRows * widest_;
  }

  kernels::Activation activation_;
  int count_ = 0;
  int64_t widest_ = 0;  // of the layers before the last
  kernels::Dense layers_[kMaxLayers];
  int weights_[kMaxLayers], biases_[kMaxLayers];  // their places among the parameters
};

}  // namespace posenc
