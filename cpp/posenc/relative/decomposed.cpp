#include "posenc/relative/decomposed.hpp"

#include <algorithm>

namespace posenc {
namespace {

// The last cell along one axis, in cells of the finer grid.
Status check_last(int64_t count, int64_t step, bool keys, const char* parameter) noexcept {
  const auto last = static_cast<double>((count - 1) * step + (keys ? step - 1 : 0));
  return count == 0 ? Status{} : check_float_position(last, parameter);
}

}  // namespace

Result<OperationResult> decomposed_positions(const DecomposedPositions& arguments,
                                             OperationTensors) noexcept {
  const Result<int64_t> cells = checked_product(arguments.rows, arguments.cols, "rows");
  if (!cells) return std::unexpected(cells.error());
  Status status = check_last(arguments.rows, arguments.row_step, arguments.keys, "rowStep");
  if (status) status = check_last(arguments.cols, arguments.col_step, arguments.keys, "colStep");
  if (!status) return std::unexpected(status.error());
  Result<OperationResult> result = OperationResult::make({arguments.prefix + *cells, 2}, "rows");
  if (!result) return result;
  float* out = std::fill_n(result->data.data(), 2 * arguments.prefix,
                           arguments.keys ? 0x1p24F : -0x1p24F);  // far from all
  for (int64_t i = 0; i < *cells; i++) {
    const int64_t y = i / arguments.cols, x = i % arguments.cols;
    *out++ =
        static_cast<float>(y * arguments.row_step + (arguments.keys ? arguments.row_step - 1 : 0));
    *out++ =
        static_cast<float>(x * arguments.col_step + (arguments.keys ? arguments.col_step - 1 : 0));
  }
  return result;
}

Status Decomposed::resolve(DecomposedOptions& options) noexcept {
  if (!options.grid_height) options.grid_height = options.height;
  if (!options.grid_width) options.grid_width = options.width;
  return {};
}

Status Decomposed::prepare() noexcept {
  const int64_t from[] = {options_.height, options_.width},
                to[] = {*options_.grid_height, *options_.grid_width};
  for (int axis = 0; axis < 2; axis++) {
    // What is a grid or more away has no term.
    terms_[static_cast<std::size_t>(axis)] = {.side = RelativeSide::kQuery,
                                              .axis = axis,
                                              .lowest = -to[axis],
                                              .highest = to[axis],
                                              .scaled = options_.scaled};
    Status status = resampling_[static_cast<std::size_t>(axis)].prepare(
        {.mode = ResampleMode::kLinear}, 2 * from[axis] - 1, 1, 2 * to[axis] - 1, 1,
        axis == 0 ? "gridHeight" : "gridWidth");
    if (!status) return status;
  }
  return {};
}

namespace {

// Calls body(r, row of the resampled table) for each distance within the grid.
template <typename Body>
void for_near(const RelativeRows& rows, int64_t grid, Body body) noexcept {
  for (int64_t r = 0; r < rows.count; r++) {
    const int64_t behind = -(rows.first + r);  // query - key
    if (behind > -grid && behind < grid) body(r, behind + grid - 1);
  }
}

}  // namespace

void Decomposed::write(const RelativeRows& rows, float* out, float*, float*) const noexcept {
  const auto axis = static_cast<std::size_t>(rows.term);
  const int64_t width = options_.head_dim;
  std::fill_n(out, rows.count * width, 0.0F);
  for_near(rows, terms_[axis].highest, [&](int64_t r, int64_t row) {
    kernels::resample_row(resampling_[axis], row, parameters_[rows.term].values.data(), width,
                          out + r * width);
  });
}

void Decomposed::backward(const RelativeRows& rows, int64_t, const float* d_rows, const float*,
                          float*, Gradients& gradients) const noexcept {
  const auto axis = static_cast<std::size_t>(rows.term);
  const int64_t width = options_.head_dim;
  float* d_table = gradients.of[axis];
  if (d_table == nullptr) return;
  for_near(rows, terms_[axis].highest, [&](int64_t r, int64_t row) {
    kernels::resample_row_backward(resampling_[axis], row, d_rows + r * width, width, d_table);
  });
}

}  // namespace posenc
