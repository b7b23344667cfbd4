#include "posenc/input/grid.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"
#include "posenc/input/sines.hpp"
#include "posenc/kernels/angles.hpp"

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
  return fail(ErrorCode::kOutOfRange, "parts", text_of("a sum of ", total), text_of("dim or more: ", options.dim));
}

int64_t Grid::part_of(int64_t axis) const noexcept {
  if (options_.parts.size() > 0) return static_cast<int64_t>(options_.parts[axis]);
  return (options_.dim + 2 * options_.axes - 1) / (2 * options_.axes) * 2;
}

Status Grid::prepare() noexcept {
  int64_t count = 0;
  for (int64_t axis = 0; axis < options_.axes; axis++) count += part_of(axis) / 2;
  Result<Buffer<double>> frequencies = Buffer<double>::make(count, "dim");
  if (!frequencies) return std::unexpected(frequencies.error());
  double* out = frequencies->data();
  for (int64_t axis = 0; axis < options_.axes; axis++) {
    const int64_t pairs = part_of(axis) / 2;
    for (int64_t i = 0; i < pairs; i++) {
      *out++ = math::power(options_.base, -static_cast<double>(i) / static_cast<double>(pairs));
    }
  }
  frequencies_ = std::move(*frequencies);
  return {};
}

PositionDomain Grid::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = static_cast<int>(options_.axes);
  return domain;
}

void Grid::encode(const Positions& positions, float* out) const noexcept {
  const bool forward = options_.order == GridOrder::kForward;
  const double* frequencies = frequencies_.data() + (forward ? 0 : frequencies_.size());
  int64_t first = 0;
  for (int64_t a = 0; a < options_.axes; a++) {
    const int64_t axis = forward ? a : options_.axes - 1 - a, part = part_of(axis);
    if (!forward) frequencies -= part / 2;
    const int64_t width = std::min(part, options_.dim - first);
    if (width > 0) encode_axis(positions, static_cast<int>(axis), frequencies, width, out + first);
    if (forward) frequencies += part / 2;
    first += part;
  }
}

// The first `width` columns of an axis' part.
void Grid::encode_axis(const Positions& positions, int axis, const double* frequencies, int64_t width,
                       float* out) const noexcept {
  const int64_t dim = options_.dim, half = part_of(axis) / 2;
  if (options_.layout == GridLayout::kInterleaved) {
    kernels::angles_interleaved({frequencies, width / 2, positions, axis}, out, dim);
    if (width % 2 != 0) write_sines(frequencies[width / 2], positions, axis, out + width - 1, dim);
    return;
  }
  const int64_t sines = std::min(width, half), cosines = width - sines;
  kernels::angles_apart({frequencies, cosines, positions, axis}, 1, out, out + half, dim);
  for (int64_t i = cosines; i < sines; i++) write_sines(frequencies[i], positions, axis, out + i, dim);
}

}  // namespace posenc
