// Layers of small networks and their gradients: y = x · Wᵀ + b, with W [outputs, inputs] as PyTorch
// stores it. A row's result does not depend on how many rows go with it.
#pragma once

#include <cstdint>

namespace posenc::kernels {

struct Dense {
  const float* weight;  // [outputs, inputs]
  const float* bias;    // [outputs], or null
  int64_t inputs, outputs;
};

// x [rows, inputs] → y [rows, outputs]
void dense(const Dense& layer, const float* x, int64_t rows, float* y) noexcept;

// Where the gradients of a layer go; any may be null. `weight` and `bias` are added to, `x` is
// written.
struct DenseGradients {
  float* weight;
  float* bias;
  float* x;
};
void dense_backward(const Dense& layer, const float* x, const float* d_y, int64_t rows,
                    const DenseGradients& gradients) noexcept;

}  // namespace posenc::kernels
