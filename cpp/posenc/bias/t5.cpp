#include "posenc/bias/t5.hpp"

#include <cmath>

namespace posenc {

Status T5::prepare() noexcept {
  auto buckets = DistanceBuckets::make(options_.num_buckets, options_.max_distance, options_.bidirectional,
                                       "numBuckets", "maxDistance");
  if (!buckets) return std::unexpected(buckets.error());
  buckets_ = std::move(*buckets);
  return {};
}

void T5::evaluate(int64_t head, const double* distances, int64_t count, float* out) const noexcept {
  const float* column = parameters_.values("table") + head;
  for (int64_t i = 0; i < count; i++) out[i] = column[buckets_.of(distances[i]) * options_.heads];
}

void T5::backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                  Gradients& gradients) const noexcept {
  float* d_table = gradients.of[0];
  if (d_table == nullptr) return;
  for (int64_t i = 0; i < count; i++) d_table[buckets_.of(distances[i]) * options_.heads + head] += d_bias[i];
}

Result<OperationResult> t5_buckets(const T5& encoding, const NoArguments&, OperationTensors inputs) noexcept {
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
