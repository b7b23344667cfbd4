#include "posenc/input/grid.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"
#include "posenc/input/sines.hpp"
#include "posenc/kernels/angles.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {

Status Grid::resolve(GridOptions& options) noexcept {
  const NumberList& parts = options.parts;
  if (parts.size() == 0) return {};
  if (parts.size() != options.axes) {
    return fail(ErrorCode::kShapeMismatch, "parts", text_of(parts.size(), " numbers"),
                text_of("one per axis: ", options.axes));
  }
  double total = 0;
  for (int64_t i = 0; i < parts.size(); i++) {
    const bool even = parts[i] >= 0 && parts[i] <= 0x1p20 && std::fmod(parts[i], 2) == 0;
    if (!even) {
      return fail(ErrorCode::kOutOfRange, "parts", text_of(parts[i], " at index ", i),
                  "even numbers of columns from 0 to 1048576");
    }
    total += parts[i];
  }
  if (total >= static_cast<double>(options.dim)) return {};
  return fail(ErrorCode::kOutOfRange, "parts", text_of("a sum of ", total),
              text_of("dim or more: ", options.dim));
}

int64_t Grid::part_of(int64_t axis) const noexcept {
  if (options_.parts.size() > 0) return static_cast<int64_t>(options_.parts[axis]);
  return (options_.dim + 2 * options_.axes - 1) / (2 * options_.axes) * 2;
}

Status Grid::prepare() noexcept {
  int64_t count = 0;
  for (int64_t axis = 0; axis < options_.axes; axis++) count += part_of(axis) / 2;
  if (Status status = frequencies_.allocate(count, "dim"); !status) return status;
  double* out = frequencies_.data();
  for (int64_t axis = 0; axis < options_.axes; axis++) {
    const int64_t pairs = part_of(axis) / 2;
    for (int64_t i = 0; i < pairs; i++) {
      *out++ = math::power(options_.base, -static_cast<double>(i) / static_cast<double>(pairs));
    }
  }
  int64_t first = 0;
  for (int64_t n = 0; n < options_.axes; n++) {
    const int64_t axis = options_.order == GridOrder::kForward ? n : options_.axes - 1 - n;
    Part& part = parts_[static_cast<std::size_t>(axis)];
    part.first = first;
    part.width = std::clamp<int64_t>(options_.dim - first, 0, part_of(axis));
    for (int64_t before = 0; before < axis; before++) part.frequency += part_of(before) / 2;
    first += part_of(axis);
  }
  return {};
}

PositionDomain Grid::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = static_cast<int>(options_.axes);
  return domain;
}

// A part of the rows at a time: what is new on each axis, then the cells as copies of that, axis by
// axis of a few cells, so that memory is written nearly in its order.
void Grid::encode(const Positions& positions, float* out) const noexcept {
  constexpr int64_t kRows = kernels::RowOrigins::kRows, kCells = 8;
  const auto axes = static_cast<int>(options_.axes);
  kernels::RowOrigins origins[kMaxAxes];
  for (int axis = 0; axis < axes; axis++) kernels::begin(origins[axis]);
  for (int64_t begin = 0; begin < positions.count; begin += kRows) {
    const int64_t end = std::min(begin + kRows, positions.count);
    for (int axis = 0; axis < axes; axis++)
      encode_new(positions, axis, begin, end, origins[axis], out);
    for (int64_t first = begin; first < end; first += kCells) {
      const int64_t last = std::min(first + kCells, end);
      for (int axis = 0; axis < axes; axis++) {
        const Part& part = parts_[static_cast<std::size_t>(axis)];
        const int64_t* from = origins[axis].first + (first - begin);
        kernels::copy_rows(from, first, last, part.width, out + part.first, options_.dim);
      }
    }
  }
}

void Grid::encode_new(const Positions& positions, int axis, int64_t begin, int64_t end,
                      kernels::RowOrigins& origins, float* out) const noexcept {
  const int64_t dim = options_.dim, half = part_of(axis) / 2;
  const auto [first, width, frequency] = parts_[static_cast<std::size_t>(axis)];
  const double* frequencies = frequencies_.data() + frequency;
  out += first;
  const bool interleaved = options_.layout == GridLayout::kInterleaved;
  // Pairs, and sines without a cosine: one in the last column, or those whose cosines are cut off.
  const int64_t sines = interleaved ? (width + 1) / 2 : std::min(width, half),
                pairs = width - sines;
  const kernels::Angles angles = {frequencies, pairs, positions, axis};
  if (interleaved)
    kernels::new_angles_interleaved(angles, begin, end, origins, out, dim);
  else
    kernels::new_angles_apart(angles, begin, end, origins, out, out + half, dim);
  const Positions part = positions.slice(begin, end - begin);
  for (int64_t i = pairs; i < sines; i++) {
    write_sines(frequencies[i], part, axis, out + begin * dim + (interleaved ? 2 * i : i), dim);
  }
}

}  // namespace posenc
