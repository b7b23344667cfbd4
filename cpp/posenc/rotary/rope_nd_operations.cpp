// What RoPE over several axes offers beside rotating: positions of the tokens of a grid, and its
// frequencies.
#include <algorithm>
#include <cmath>

#include "posenc/rotary/rope_nd.hpp"

namespace posenc {
namespace {

// Where token `cell` of a grid stands that comes in blocks of merge x merge along its last two
// axes.
void place_of(int64_t cell, std::span<const int64_t> grid, int64_t merge, int64_t* place) noexcept {
  const std::size_t axes = grid.size();
  int64_t& column = place[axes - 1];
  int64_t& row = place[axes - 2];
  column = cell % merge, cell /= merge;
  row = cell % merge, cell /= merge;
  column += merge * (cell % (grid[axes - 1] / merge)), cell /= grid[axes - 1] / merge;
  row += merge * (cell % (grid[axes - 2] / merge)), cell /= grid[axes - 2] / merge;
  for (std::size_t axis = axes - 2; axis-- > 0;)
    place[axis] = cell % grid[axis], cell /= grid[axis];
}

struct Grid {
  int64_t extents[kMaxAxes] = {};
  int64_t axes = 0, cells = 1;
};

Result<Grid> grid_of(const RopeNd& rope, const GridArguments& arguments) noexcept {
  const NumberList& list = arguments.grid.size() > 0 ? arguments.grid : rope.options().grid;
  Grid grid{.axes = rope.options().axes};
  if (list.size() != grid.axes) {
    return fail(list.size() == 0 ? ErrorCode::kMissingOption : ErrorCode::kShapeMismatch, "grid",
                list.size() == 0 ? Text("nothing") : text_of(list.size(), " numbers"),
                text_of(grid.axes, " numbers, one per axis"));
  }
  for (int64_t axis = 0; axis < grid.axes; axis++) {
    const double extent = list[axis];
    const bool merged = axis >= grid.axes - 2;
    const auto step = static_cast<double>(merged ? arguments.merge : 1);
    grid.extents[axis] = static_cast<int64_t>(std::min(extent, static_cast<double>(kMaxElements)));
    const Result<int64_t> cells = checked_product(grid.cells, grid.extents[axis], "grid");
    if (!cells) return std::unexpected(cells.error());
    grid.cells = *cells;
    if (static_cast<double>(static_cast<int64_t>(extent / step)) * step == extent) continue;
    return fail(ErrorCode::kOutOfRange, "grid", text_of(extent),
                merged && step > 1 ? text_of("a multiple of merge, which is ", arguments.merge)
                                   : Text("whole numbers from 1"));
  }
  return grid;
}

// The ends of each axis, which begins at `start`.
Status check_ends(const Grid& grid, double start) noexcept {
  for (int64_t axis = 0; axis < grid.axes; axis++) {
    const double last = start + static_cast<double>(grid.extents[axis] - 1);
    const double far = std::abs(start) > std::abs(last) ? start : last;
    if (Status status = check_float_position(far, start == 0 ? "grid" : "start"); !status)
      return status;
  }
  return {};
}

}  // namespace

Result<OperationResult> grid_positions(const RopeNd& rope, const GridArguments& arguments,
                                       OperationTensors) noexcept {
  const Result<Grid> grid = grid_of(rope, arguments);
  if (!grid) return std::unexpected(grid.error());
  if (Status status = check_ends(*grid, arguments.start); !status)
    return std::unexpected(status.error());
  const int64_t prefix = arguments.prefix.value_or(rope.options().prefix);
  const Result<int64_t> cells = checked_product(grid->cells, arguments.repeat, "repeat");
  if (!cells) return std::unexpected(cells.error());
  const int64_t tokens = prefix + *cells + arguments.suffix;
  Result<OperationResult> result = OperationResult::make({tokens, grid->axes}, "grid");
  if (!result) return result;
  const std::span extents(grid->extents, static_cast<std::size_t>(grid->axes));
  int64_t place[kMaxAxes] = {};
  for (int64_t i = 0; i < tokens; i++) {
    const bool still = i < prefix || i >= prefix + *cells;
    if (!still) place_of((i - prefix) % grid->cells, extents, arguments.merge, place);
    for (int64_t axis = 0; axis < grid->axes; axis++) {
      const double index = still ? still_index(rope.options(), axis)
                                 : arguments.start + static_cast<double>(place[axis]);
      result->data[i * grid->axes + axis] = static_cast<float>(index);
    }
  }
  return result;
}

Result<OperationResult> axis_frequencies(const RopeNd& rope, const NoArguments&,
                                         OperationTensors) noexcept {
  const int64_t pairs = rope.rotary_dim() / 2;
  Result<OperationResult> result = OperationResult::make({pairs}, "rotaryDim");
  for (int64_t m = 0; result && m < pairs; m++)
    result->data[m] = static_cast<float>(rope.frequency(m));
  return result;
}

Result<OperationResult> axis_of_pairs(const RopeNd& rope, const NoArguments&,
                                      OperationTensors) noexcept {
  return axis_of_each(rope.pair_axes());
}

}  // namespace posenc
