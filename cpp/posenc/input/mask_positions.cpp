#include "posenc/input/mask_positions.hpp"

namespace posenc {
namespace {

// One line of cells, `stride` apart: their coordinate goes to out[2 · stride · i].
void write_line(const MaskPositionsArguments& arguments, const double* mask, int64_t count,
                int64_t stride, float* out) noexcept {
  int64_t last = 0;
  for (int64_t i = 0; i < count; i++) last += mask[i * stride] == 0 ? 1 : 0;
  const double unit =
      arguments.normalize ? arguments.scale / (static_cast<double>(last) + 1e-6) : 1;
  int64_t seen = 0;
  for (int64_t i = 0; i < count; i++) {
    seen += mask[i * stride] == 0 ? 1 : 0;
    const double shift = arguments.normalize ? arguments.offset : 0;
    out[2 * i * stride] = static_cast<float>((static_cast<double>(seen) + shift) * unit);
  }
}

}  // namespace

Result<OperationResult> mask_positions(const MaskPositionsArguments& arguments,
                                       OperationTensors inputs) noexcept {
  const TensorView<const double>& mask = inputs[0];
  if (mask.shape.rank < 2 || mask.shape.rank == kMaxRank) {
    return fail(ErrorCode::kShapeMismatch, "mask", text_of_shape(mask.shape), "[.., rows, cols]");
  }
  for (std::size_t i = 0; i < mask.data.size(); i++) {
    if (mask.data[i] == 0 || mask.data[i] == 1) continue;
    return fail(ErrorCode::kOutOfRange, "mask",
                text_of(mask.data[i], " at index ", static_cast<int64_t>(i)), "1 (padding) and 0");
  }
  Shape shape = mask.shape;
  shape.push(2);
  Result<OperationResult> result = OperationResult::make(shape, "mask");
  if (!result) return result;
  const int64_t rows = mask.shape.back(1), cols = mask.shape.back(0), cells = rows * cols;
  for (int64_t first = 0; first < static_cast<int64_t>(mask.data.size()); first += cells) {
    const double* image = mask.data.data() + first;
    float* out = result->data.data() + 2 * first;
    for (int64_t c = 0; c < cols; c++) write_line(arguments, image + c, rows, cols, out + 2 * c);
    for (int64_t r = 0; r < rows; r++)
      write_line(arguments, image + r * cols, cols, 1, out + 2 * r * cols + 1);
  }
  return result;
}

}  // namespace posenc
