#include "posenc/bias/t5.hpp"

#include <cmath>

namespace posenc {

Status T5::prepare() noexcept {
  return buckets_.prepare(options_.num_buckets, options_.max_distance, options_.bidirectional,
                          "numBuckets", "maxDistance");
}

void T5::evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept {
  const float* column = parameters_.values("table") + head;
  for (int64_t i = 0; i < count; i++) out[i] = column[buckets_.of(distances[i]) * options_.heads];
}

void T5::backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                  Gradients& gradients) const noexcept {
  float* d_table = gradients.of[0];
  if (d_table == nullptr) return;
  for (int64_t i = 0; i < count; i++)
    d_table[buckets_.of(distances[i]) * options_.heads + head] += d_bias[i];
}

ContentGate T5::gate() const noexcept {
  const int index = parameters_.find("gateWeight");
  if (index < 0) return {};
  return {.dim = options_.head_dim,
          .width = options_.gate_width,
          .reads_input = options_.gate == T5Gate::kInput,
          .weight = parameters_[index].values.data(),
          .bias = parameters_[index + 1].values.data(),
          .scale = parameters_[index + 2].values.data(),
          .tensor = index};
}

Result<OperationResult> t5_gates(const T5& encoding, const NoArguments&,
                                 OperationTensors inputs) noexcept {
  const TensorView<const double>& content = inputs[0];
  const ContentGate gate = encoding.gate();
  if (!gate.given())
    return fail(ErrorCode::kUnsupported, "gates", "an encoding whose gate is none",
                "gate query or input");
  const Shape& shape = content.shape;
  if (shape.rank < 3 || shape.back(0) != gate.dim || shape.back(2) != encoding.heads()) {
    return fail(ErrorCode::kShapeMismatch, "content", text_of_shape(shape),
                text_of("[.., ", encoding.heads(), ", n, ", gate.dim, "]"));
  }
  Shape lines = shape;
  lines.rank--;
  Result<OperationResult> result = OperationResult::make(lines, "content");
  if (!result) return result;
  Buffer<float> rows;
  const auto floats = static_cast<int64_t>(content.data.size()) + 2 * gate.dim;
  if (Status status = rows.allocate(floats, "content"); !status)
    return std::unexpected(status.error());
  float* scratch = rows.data();
  float* values = scratch + 2 * gate.dim;
  for (std::size_t i = 0; i < content.data.size(); i++)
    values[i] = static_cast<float>(content.data[i]);
  const int64_t each = shape.back(1);
  for (int64_t n = 0; each > 0 && n < result->data.size() / each; n++) {
    open_gate(gate, n % encoding.heads(), {values + n * each * gate.dim, gate.dim, each}, scratch,
              result->data.data() + n * each);
  }
  return result;
}

Result<OperationResult> t5_buckets(const T5& encoding, const NoArguments&,
                                   OperationTensors inputs) noexcept {
  const TensorView<const double>& relative = inputs[0];
  Result<OperationResult> result = OperationResult::make(relative.shape, "relativePositions");
  for (int64_t i = 0; result && i < result->data.size(); i++) {
    const double value = relative.data[static_cast<std::size_t>(i)];
    if (!(std::abs(value) <= 0x1p53) || value != std::floor(value)) {
      return fail(ErrorCode::kOutOfRange, "relativePositions", text_of(value, " at index ", i),
                  "whole numbers of magnitude up to 2^53");
    }
    result->data[i] = static_cast<float>(encoding.buckets().of(value));
  }
  return result;
}

}  // namespace posenc
