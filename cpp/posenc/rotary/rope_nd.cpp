#include "posenc/rotary/rope_nd.hpp"

#include <algorithm>
#include <numbers>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int64_t kTokens = 64;  // whose coordinates are worked out at a time

Status check_length(const NumberList& list, int64_t axes, const char* name) noexcept {
  if (list.size() == 0 || list.size() == axes) return {};
  return fail(ErrorCode::kShapeMismatch, name, text_of(list.size(), " numbers"),
              text_of(axes, " numbers, one per axis"));
}

Status resolve_dims(RopeNdOptions& options) noexcept {
  const int64_t axes = options.axes, dim = *options.rotary_dim;
  if (options.axis_dims.size() == 0) {
    if (dim % (2 * axes) != 0) {
      return fail(ErrorCode::kOutOfRange, "rotaryDim", text_of(dim),
                  text_of("a multiple of ", 2 * axes, ", twice the number of axes, or axisDims"));
    }
    if (Status status = options.axis_dims.allocate(axes, "axisDims"); !status) return status;
    for (double& value : options.axis_dims.span()) value = static_cast<double>(dim / axes);
    return {};
  }
  double sum = 0;
  for (const double value : options.axis_dims.span()) sum += value;
  if (sum == static_cast<double>(dim)) return {};
  return fail(ErrorCode::kShapeMismatch, "axisDims", text_of("a sum of ", sum),
              text_of("rotaryDim, which is ", dim));
}

Status check_dealt(const RopeNdOptions& options) noexcept {
  if (options.frequencies != AxisFrequencies::kDealt) return {};
  const auto dims = options.axis_dims.span();
  if (std::ranges::all_of(dims, [&](double dim) { return dim == dims[0]; })) return {};
  return fail(ErrorCode::kUnsupported, "axisDims", "unequal shares",
              "equal ones where frequencies are dealt in turn");
}

Status check_grid(const RopeNdOptions& options) noexcept {
  const bool needs_grid = options.coordinates != GridCoordinates::kIndex || options.prefix > 0;
  if (options.grid.size() == 0) {
    if (!needs_grid) return {};
    return fail(ErrorCode::kMissingOption, "grid", "nothing",
                text_of(options.axes, " numbers, which coordinates and prefix go by"));
  }
  Shape shape;
  for (const double extent : options.grid.span()) {
    shape.push(static_cast<int64_t>(std::min(extent, static_cast<double>(kMaxElements))));
  }
  const Result<int64_t> cells = element_count(shape, "grid");
  return cells ? Status{} : std::unexpected(cells.error());
}

// Frequency i of an axis of `dim` channels.
double frequency_of(const RopeNdOptions& options, int64_t i, int64_t axis, int64_t dim) noexcept {
  const auto rank = static_cast<double>(i), width = static_cast<double>(dim);
  switch (options.frequencies) {
    case AxisFrequencies::kShared: break;
    case AxisFrequencies::kDealt: {
      const auto dealt = static_cast<double>(i * options.axes + axis);
      return math::power(options.base, -2 * dealt / static_cast<double>(*options.rotary_dim));
    }
    case AxisFrequencies::kLinear: {
      const double step = dim > 2 ? (options.max_freq / 2 - 1) / (width / 2 - 1) : 0;
      return kPi * (1 + rank * step);
    }
  }
  return math::power(options.base, -2 * rank / width);
}

}  // namespace

double still_index(const RopeNdOptions& options, int64_t axis) noexcept {
  const bool about_middle = options.coordinates == GridCoordinates::kCentred ||
                            options.coordinates == GridCoordinates::kSpan;
  return about_middle ? (options.grid[axis] - 1) / 2 : 0;
}

Status RopeNd::resolve(RopeNdOptions& options) noexcept {
  if (!options.rotary_dim) options.rotary_dim = options.head_dim;
  if (*options.rotary_dim % 2 != 0) {
    return fail(ErrorCode::kOutOfRange, "headDim", text_of(options.head_dim),
                "an even number, or a smaller even rotaryDim");
  }
  Status status = check_length(options.axis_dims, options.axes, "axisDims");
  if (status) status = check_length(options.grid, options.axes, "grid");
  if (status) status = check_length(options.trained_grid, options.axes, "trainedGrid");
  if (status) status = resolve_dims(options);
  if (status) status = check_dealt(options);
  return status ? check_grid(options) : status;
}

Status RopeNd::prepare() noexcept {
  const int64_t pairs = rotary_dim() / 2;
  Buffer<uint8_t> axis_of;
  Status status = frequencies_.allocate(pairs, "rotaryDim");
  if (status) status = axis_of.allocate(pairs, "rotaryDim");
  if (!status) return status;
  const double turn = options_.coordinates == GridCoordinates::kCentred ? 2 * kPi : 1;
  int64_t m = 0;
  for (int64_t place = 0; place < options_.axes; place++) {
    const int64_t axis = options_.order == AxisOrder::kForward ? place : options_.axes - 1 - place;
    const auto dim = static_cast<int64_t>(options_.axis_dims[axis]);
    for (int64_t i = 0; i < dim / 2; i++, m++) {
      frequencies_[m] = turn * frequency_of(options_, i, axis, dim);
      axis_of[m] = static_cast<uint8_t>(axis);
    }
  }
  return pairs_.prepare(axis_of.span(), static_cast<int>(options_.axes));
}

PositionDomain RopeNd::domain() const noexcept {
  PositionDomain result{.axes = static_cast<int>(options_.axes)};
  if (options_.grid.size() == 0) return result;
  result.lone = LonePosition::kPlace;
  result.places = 1;
  for (const double extent : options_.grid.span()) result.places *= extent;
  result.places += static_cast<double>(options_.prefix);
  return result;
}

double RopeNd::coordinate(const Positions& positions, int64_t i, int axis) const noexcept {
  const double extent = options_.grid.size() > 0 ? options_.grid[axis] : 1;
  double index = 0;
  if (positions.axes > 1) {
    index = positions.at(i, axis);
  } else {
    auto cell = static_cast<int64_t>(positions.at(i)) - options_.prefix;
    if (cell < 0) return 0;
    for (auto after = static_cast<int>(options_.axes) - 1; after > axis; after--) {
      cell /= static_cast<int64_t>(options_.grid[after]);
    }
    index = static_cast<double>(cell % static_cast<int64_t>(extent));
  }
  switch (options_.coordinates) {
    case GridCoordinates::kIndex: break;
    case GridCoordinates::kCentred: return 2 * (index + 0.5) / extent - 1;
    case GridCoordinates::kSpan: return 2 * index / std::max(extent - 1, 1.0) - 1;
    case GridCoordinates::kResized: return index / extent * options_.trained_grid[axis];
  }
  return index;
}

void RopeNd::table(const Positions& positions, const RotaryContext&, float* cos,
                   float* sin) const noexcept {
  const int64_t pairs = rotary_dim() / 2;
  double coordinates[kTokens];
  for (int64_t first = 0; first < positions.count; first += kTokens) {
    const int64_t count = std::min(kTokens, positions.count - first);
    const FactorRows out{cos + first * pairs, sin + first * pairs, pairs};
    for (int axis = 0; axis < pairs_.axes(); axis++) {
      for (int64_t i = 0; i < count; i++) coordinates[i] = coordinate(positions, first + i, axis);
      pairs_.write(
          axis, Positions::array(coordinates, count), 0,
          [](int64_t m, const void* rope) noexcept {
            return static_cast<const RopeNd*>(rope)->frequency(m);
          },
          this, 1, out);
    }
  }
}

}  // namespace posenc
