// What RoPE offers beside rotating: its frequencies, and weights moved from one channel layout to
// the other.
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/scaling.hpp"

namespace posenc {

Result<OperationResult> frequency_tensor(const RopeOptions& options, double reached) noexcept {
  const int64_t pairs = *options.rotary_dim / 2;
  Buffer<double> frequencies;
  if (Status status = frequencies.allocate(pairs, "rotaryDim"); !status)
    return std::unexpected(status.error());
  scaled_frequencies(options, reached, 0, frequencies.span());
  Result<OperationResult> result = OperationResult::make({pairs}, "rotaryDim");
  if (!result) return result;
  for (int64_t m = 0; m < pairs; m++) result->data[m] = static_cast<float>(frequencies[m]);
  return result;
}

Result<OperationResult> amplitude_tensor(const RopeOptions& options, double reached) noexcept {
  Result<OperationResult> result = OperationResult::make({1}, "rotaryDim");
  if (result) result->data[0] = static_cast<float>(rotary_amplitude(options.scaling, reached));
  return result;
}

Result<OperationResult> rope_frequencies(const Rope& rope, const RopeReachArguments& arguments,
                                         OperationTensors) noexcept {
  return frequency_tensor(rope.options(), arguments.reached);
}

Result<OperationResult> rope_attention_factor(const Rope& rope, const RopeReachArguments& arguments,
                                              OperationTensors) noexcept {
  return amplitude_tensor(rope.options(), arguments.reached);
}

Result<OperationResult> permute_weights(const PermuteArguments& arguments,
                                        OperationTensors inputs) noexcept {
  const TensorView<const double>& weights = inputs[0];
  const bool two = weights.shape.rank == 1 || weights.shape.rank == 2;
  if (!two || weights.shape[0] % arguments.heads != 0) {
    return fail(ErrorCode::kShapeMismatch, "weights", text_of_shape(weights.shape),
                text_of("[heads * headDim, n] or [heads * headDim], heads is ", arguments.heads));
  }
  const int64_t head_dim = weights.shape[0] / arguments.heads;
  const int64_t rotary_dim = arguments.rotary_dim.value_or(head_dim);
  if (rotary_dim > head_dim || rotary_dim % 2 != 0) {
    return fail(ErrorCode::kOutOfRange, "rotaryDim", text_of(rotary_dim),
                text_of("an even number of at most headDim, which is ", head_dim));
  }
  Result<OperationResult> result = OperationResult::make(weights.shape, "weights");
  if (!result) return result;
  const int64_t width = weights.shape.rank == 2 ? weights.shape[1] : 1, pairs = rotary_dim / 2;
  for (int64_t row = 0; row < weights.shape[0]; row++) {
    const int64_t head = row / head_dim, channel = row % head_dim;
    int64_t from =
        channel;  // half: channel m of the first half was 2m, of the second 2m + 1; and the reverse
    if (channel < rotary_dim) {
      from = arguments.to == PairLayout::kHalf ? channel % pairs * 2 + channel / pairs
                                               : channel % 2 * pairs + channel / 2;
    }
    for (int64_t i = 0; i < width; i++) {
      const double value =
          weights.data[static_cast<std::size_t>((head * head_dim + from) * width + i)];
      result->data[row * width + i] = static_cast<float>(value);
    }
  }
  return result;
}

}  // namespace posenc
