#include "posenc/kernels/dense.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/simd.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;
constexpr int64_t kChunk = 64;  // rows whose gradient goes to the weights at a time

// Rows and outputs of a block share each load of weights and inputs. Element (i, j) of sums is that
// of row i, output j.
template <int kRows, int kOutputs>
void dense_block(const Dense& layer, const float* x, const float* weight, int64_t output,
                 float* y) noexcept {
  Floats sum[kRows][kOutputs];
  for (auto& row : sum) {
    for (Floats& one : row) one = Floats(0);
  }
  simd::for_lanes(layer.inputs, [&](int64_t k, auto lanes) {
    Floats w[kOutputs];
    for (int j = 0; j < kOutputs; j++) w[j] = lanes.load(weight + j * layer.inputs + k);
    for (int i = 0; i < kRows; i++) {
      const Floats value = lanes.load(x + i * layer.inputs + k);
      for (int j = 0; j < kOutputs; j++) sum[i][j] = simd::madd(value, w[j], sum[i][j]);
    }
  });
  for (int j = 0; j < kOutputs; j++) {
    const float bias = layer.bias ? layer.bias[output + j] : 0;
    for (int i = 0; i < kRows; i++)
      y[i * layer.outputs + output + j] = simd::reduce_add(sum[i][j]) + bias;
  }
}

// Outputs by two; of an odd number the last but one is made twice, which gives the same bits.
template <int kRows>
void dense_rows(const Dense& layer, const float* x, float* y) noexcept {
  for (int64_t o = 0; o < layer.outputs; o += 2) {
    const int64_t first = std::min(o, layer.outputs - 2);
    dense_block<kRows, 2>(layer, x, layer.weight + first * layer.inputs, first, y);
  }
}

// One input: the weights are a row, and so is the result.
void dense_scalar(const Dense& layer, float x, float* y) noexcept {
  if (layer.bias)
    scale_add(layer.weight, x, layer.bias, layer.outputs, y);
  else
    scale(layer.weight, x, layer.outputs, y);
}

// d_W += d_yᵀ · x
void add_weight_gradient(const Dense& layer, const float* x, const float* d_y, int64_t rows,
                         float* d_weight) noexcept {
  float column[kChunk];
  for (int64_t o = 0; o < layer.outputs; o++, d_weight += layer.inputs) {
    for (int64_t i = 0; i < rows; i++) column[i] = d_y[i * layer.outputs + o];
    add_rows(x, layer.inputs, rows, column, layer.inputs, 1, d_weight);
  }
}

}  // namespace

void dense(const Dense& layer, const float* x, int64_t rows, float* y) noexcept {
  if (layer.inputs == 1) {
    for (int64_t i = 0; i < rows; i++) dense_scalar(layer, x[i], y + i * layer.outputs);
    return;
  }
  if (layer.outputs == 1) {
    const float bias = layer.bias ? *layer.bias : 0;
    for (int64_t i = 0; i < rows; i++)
      y[i] = dot(x + i * layer.inputs, layer.weight, layer.inputs) + bias;
    return;
  }
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) dense_rows<4>(layer, x + i * layer.inputs, y + i * layer.outputs);
  for (; i < rows; i++) dense_rows<1>(layer, x + i * layer.inputs, y + i * layer.outputs);
}

void dense_backward(const Dense& layer, const float* x, const float* d_y, int64_t rows,
                    const DenseGradients& gradients) noexcept {
  for (int64_t first = 0; first < rows; first += kChunk) {
    const int64_t count = std::min(kChunk, rows - first);
    const float* its_x = x + first * layer.inputs;
    const float* its_d_y = d_y + first * layer.outputs;
    if (gradients.weight && layer.inputs > 1) {
      add_weight_gradient(layer, its_x, its_d_y, count, gradients.weight);
    }
    for (int64_t i = 0; i < count; i++) {
      const float* d_row = its_d_y + i * layer.outputs;
      if (gradients.bias) add(d_row, layer.outputs, gradients.bias);
      if (gradients.weight && layer.inputs == 1) {
        scale_add(d_row, its_x[i], gradients.weight, layer.outputs, gradients.weight);
      }
      if (gradients.x == nullptr) continue;
      float* d_x = gradients.x + (first + i) * layer.inputs;
      std::fill_n(d_x, layer.inputs, 0.0F);
      add_rows(layer.weight, layer.inputs, layer.outputs, d_row, layer.inputs, 1, d_x);
    }
  }
}

}  // namespace posenc::kernels
