// What M-RoPE offers beside rotating: the positions of sequences of text, images and videos, and
// its frequencies.
#include <algorithm>
#include <cmath>

#include "posenc/rotary/mrope.hpp"

namespace posenc {
namespace {

// A row of `parts`.
struct Part {
  double frames, rows, columns, step;

  bool is_text() const noexcept { return rows == 0 && columns == 0; }
  double tokens() const noexcept { return is_text() ? frames : frames * rows * columns; }
  // The largest coordinate of its tokens, from its start.
  double reach() const noexcept {
    if (is_text()) return frames - 1;
    return std::max({std::floor((frames - 1) * step), rows - 1, columns - 1});
  }
};

Part part_at(const TensorView<const double>& parts, int64_t i) noexcept {
  const int64_t width = parts.shape[1];
  const double* row = parts.data.data() + i * width;
  return {row[0], row[1], row[2], width == 4 ? row[3] : 1};
}

Status check_part(const Part& part, int64_t i) noexcept {
  for (const double count : {part.frames, part.rows, part.columns}) {
    if (!(count >= 0 && count <= kLargestFloatPosition && count == std::floor(count))) {
      return fail(ErrorCode::kOutOfRange, "parts", text_of(count, " in row ", i),
                  "whole numbers from 0");
    }
  }
  if (!(part.step >= 0 && part.step <= kLargestFloatPosition)) {
    return fail(ErrorCode::kOutOfRange, "parts", text_of("a step of ", part.step, " in row ", i),
                "a number from 0");
  }
  if (!part.is_text() && part.tokens() == 0) {
    return fail(ErrorCode::kOutOfRange, "parts",
                text_of(part.frames, " x ", part.rows, " x ", part.columns, " in row ", i),
                "frames, rows and columns from 1, or text as [tokens, 0, 0]");
  }
  return {};
}

Status check_parts(const TensorView<const double>& parts, double start) noexcept {
  if (parts.shape.rank != 2 || (parts.shape[1] != 3 && parts.shape[1] != 4)) {
    return fail(ErrorCode::kShapeMismatch, "parts", text_of_shape(parts.shape), "[n, 3] or [n, 4]");
  }
  if (Status status = check_float_position(start, "start"); !status) return status;
  double next = start;
  for (int64_t i = 0; i < parts.shape[0]; i++) {
    const Part part = part_at(parts, i);
    if (Status status = check_part(part, i); !status) return status;
    next += part.reach() + 1;
    if (Status status = check_float_position(next - 1, "parts", i); !status) return status;
  }
  return {};
}

float* write_part(const Part& part, double start, float* out) noexcept {
  if (part.is_text()) {
    for (double i = 0; i < part.frames; i++)
      out = std::fill_n(out, 3, static_cast<float>(start + i));
    return out;
  }
  for (double frame = 0; frame < part.frames; frame++) {
    const double time = std::floor(frame * part.step);
    for (double row = 0; row < part.rows; row++) {
      for (double column = 0; column < part.columns; column++) {
        for (const double index : {time, row, column}) *out++ = static_cast<float>(start + index);
      }
    }
  }
  return out;
}

}  // namespace

Result<OperationResult> multimodal_positions(const MultimodalArguments& arguments,
                                             OperationTensors inputs) noexcept {
  const TensorView<const double>& parts = inputs[0];
  if (Status status = check_parts(parts, arguments.start); !status)
    return std::unexpected(status.error());
  double tokens = 0;
  for (int64_t i = 0; i < parts.shape[0]; i++) tokens += part_at(parts, i).tokens();
  const auto count = static_cast<int64_t>(std::min(tokens, static_cast<double>(kMaxElements)));
  Result<OperationResult> result = OperationResult::make({count, 3}, "parts");
  if (!result) return result;
  float* out = result->data.data();
  double start = arguments.start;
  for (int64_t i = 0; i < parts.shape[0]; i++) {
    const Part part = part_at(parts, i);
    out = write_part(part, start, out);
    start += part.reach() + 1;
  }
  return result;
}

Result<OperationResult> mrope_frequencies(const Mrope& rope, const RopeReachArguments& arguments,
                                          OperationTensors) noexcept {
  return frequency_tensor(rope.options().rope, arguments.reached);
}

Result<OperationResult> mrope_attention_factor(const Mrope& rope,
                                               const RopeReachArguments& arguments,
                                               OperationTensors) noexcept {
  return amplitude_tensor(rope.options().rope, arguments.reached);
}

Result<OperationResult> mrope_axis_of_pairs(const Mrope& rope, const NoArguments&,
                                            OperationTensors) noexcept {
  return axis_of_each(rope.pair_axes());
}

}  // namespace posenc
