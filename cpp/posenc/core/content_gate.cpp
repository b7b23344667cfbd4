#include "posenc/core/content_gate.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc {
namespace {

// Columns and biases of each half of z added up: z itself is never needed.
struct Halves {
  const float *update, *reset;  // [dim]
  float update_bias = 0, reset_bias = 0;

  Halves(const ContentGate& gate, float* scratch) noexcept
      : update(scratch), reset(scratch + gate.dim) {
    const int64_t half = gate.width / 2;
    for (int64_t c = 0; c < gate.dim; c++) {
      scratch[c] = kernels::sum(gate.weight + c * gate.width, half);
      scratch[gate.dim + c] = kernels::sum(gate.weight + c * gate.width + half, half);
    }
    update_bias = kernels::sum(gate.bias, half);
    reset_bias = kernels::sum(gate.bias + half, half);
  }
};

struct Sigmoids {
  float update, reset;
};

float sigmoid(float x) noexcept { return 1 / (1 + static_cast<float>(math::exp(-x))); }

Sigmoids sigmoids(const Halves& halves, const float* row, int64_t dim) noexcept {
  return {sigmoid(kernels::dot(row, halves.update, dim) + halves.update_bias),
          sigmoid(kernels::dot(row, halves.reset, dim) + halves.reset_bias)};
}

}  // namespace

void open_gate(const ContentGate& gate, int64_t head, const GateRows& rows, float* scratch,
               float* gates) noexcept {
  const Halves halves(gate, scratch);
  for (int64_t i = 0; i < rows.count; i++) {
    const auto [update, reset] = sigmoids(halves, rows.data + i * rows.stride, gate.dim);
    gates[i] = update * (reset * gate.scale[head] - 1) + 2;
  }
}

void differentiate_gate(const ContentGate& gate, int64_t head, const GateRows& rows,
                        const float* d_gates, float* scratch, float* d_rows, int64_t d_stride,
                        Gradients* gradients) noexcept {
  const Halves halves(gate, scratch);
  const int64_t half = gate.width / 2;
  const auto tensor = static_cast<std::size_t>(gate.tensor);
  const auto wanted = [&](std::size_t offset) {
    return gradients ? gradients->of[tensor + offset] : nullptr;
  };
  float *d_weight = wanted(0), *d_bias = wanted(1), *d_scale = wanted(2);
  for (int64_t i = 0; i < rows.count; i++) {
    const float d_gate = d_gates[i];
    if (d_gate == 0) continue;
    const float* row = rows.data + i * rows.stride;
    const auto [update, reset] = sigmoids(halves, row, gate.dim);
    const float d_update = d_gate * (reset * gate.scale[head] - 1) * update * (1 - update);
    const float d_reset = d_gate * update * gate.scale[head] * reset * (1 - reset);
    if (d_scale) d_scale[head] += d_gate * update * reset;
    for (int64_t c = 0; d_weight && c < gate.dim; c++) {
      kernels::add_number(d_update * row[c], half, d_weight + c * gate.width);
      kernels::add_number(d_reset * row[c], half, d_weight + c * gate.width + half);
    }
    if (d_bias) {
      kernels::add_number(d_update, half, d_bias);
      kernels::add_number(d_reset, half, d_bias + half);
    }
    if (d_rows == nullptr) continue;
    float* d_row = d_rows + i * d_stride;
    kernels::scale_add(halves.update, d_update, d_row, gate.dim, d_row);
    kernels::scale_add(halves.reset, d_reset, d_row, gate.dim, d_row);
  }
}

}  // namespace posenc
