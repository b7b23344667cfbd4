#include "posenc/rotary/rope_nd.hpp"

#include <algorithm>

#include "reference/rotary/rope_nd.hpp"
#include "rotary/turned.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using reference::axial_angles;
using reference::Coordinates;
using testing::check_close;
using testing::doubles;
using testing::list_of;
using testing::random_floats;
using testing::turned;
const double kPi = std::acos(-1.0);

RotaryAdapter<RopeNd> adapted(RopeNdOptions options) {
  return RotaryAdapter<RopeNd>(std::move(*make<RopeNd>(std::move(options))));
}

RopeNd plain(RopeNdOptions options) { return std::move(*make<RopeNd>(std::move(options))); }

std::vector<double> positions_of(const RopeNd& rope, GridArguments arguments) {
  const Result<OperationResult> result = grid_positions(rope, arguments, {});
  REQUIRE(result.has_value());
  return {result->data.data(), result->data.data() + result->data.size()};
}

Positions given(const std::vector<double>& values, int axes) {
  return Positions::array(values.data(), static_cast<int64_t>(values.size()) / axes, axes);
}

// Compares what files hold, library and plain loops: q and k, or x.
void check_golden(const testing::GoldenCase& golden, const RotaryEncoding& rope,
                  const Positions& positions, const std::vector<std::vector<double>>& angles) {
  const double bound = testing::golden_bound(golden.tolerance);
  for (const auto& [in, out] :
       {std::pair("q", "q_out"), std::pair("k", "k_out"), std::pair("x", "out")}) {
    if (golden.tensors.count(in) == 0) continue;
    const auto& x = golden[in].floats;
    check_close(turned(rope, x, positions), golden[out].floats, bound, golden.name);
    const bool interleaved = rope.layout() == PairLayout::kInterleaved;
    check_close(reference::turned_by(doubles(x), rope.head_dim(), angles, interleaved),
                golden[out].floats, bound, golden.name + " reference");
  }
}

TEST_CASE("ropeNd: Pixtral deals the frequencies to rows and columns") {
  const auto golden = testing::load_golden("rope-2d--pixtral-d8-3x5");
  const auto options = [] {
    return RopeNdOptions{.head_dim = 8, .frequencies = AxisFrequencies::kDealt};
  };
  const auto positions = positions_of(plain(options()), {.grid = list_of({3, 5})});
  const auto all = reference::axis_frequencies(8, 10000);
  const auto angles =
      axial_angles(reference::grid_cells({3, 5}), {{all[0], all[2]}, {all[1], all[3]}}, {0, 1});
  check_golden(golden, adapted(options()), given(positions, 2), angles);
}

TEST_CASE("ropeNd: Qwen2-VL's pictures come in blocks of 2 x 2") {
  const auto golden = testing::load_golden("rope-2d--qwen2vl-vision-d16-4x6");
  const RopeNd rope = plain({.head_dim = 16});
  const auto positions = positions_of(rope, {.grid = list_of({4, 6}), .merge = 2});
  Coordinates cells;
  for (std::size_t i = 0; i < 24; i++) {
    cells.push_back(
        {static_cast<double>(golden["rows"].ints[i]), static_cast<double>(golden["cols"].ints[i])});
    CHECK(cells[i] == std::vector{positions[2 * i], positions[2 * i + 1]});
  }
  const auto own = reference::axis_frequencies(8, 10000);
  check_golden(golden, adapted({.head_dim = 16}), given(positions, 2),
               axial_angles(cells, {own, own}, {0, 1}));
}

TEST_CASE("ropeNd: EVA-02, SAM 2 with columns first") {
  const auto eva = testing::load_golden("rope-2d--eva02-d16-grid4");
  const auto own = reference::axis_frequencies(8, 10000);
  check_golden(eva,
               adapted({.head_dim = 16,
                        .layout = PairLayout::kInterleaved,
                        .coordinates = GridCoordinates::kResized,
                        .grid = list_of({4, 4}),
                        .trained_grid = list_of({4, 4})}),
               Positions::range(0, 16),
               axial_angles(reference::grid_cells({4, 4}), {own, own}, {0, 1}));
  const auto sam = testing::load_golden("rope-2d--sam2-d8-5x3");
  const auto small = reference::axis_frequencies(4, 10000);
  check_golden(sam,
               adapted({.head_dim = 8,
                        .layout = PairLayout::kInterleaved,
                        .order = AxisOrder::kReversed,
                        .grid = list_of({3, 5})}),
               Positions::range(0, 15),
               axial_angles(reference::grid_cells({3, 5}), {small, small}, {1, 0}));
}

TEST_CASE(
    "ropeNd: DINOv3's class and register tokens do not turn, whichever way positions are given") {
  const auto golden = testing::load_golden("rope-2d--dinov3-d8-3x4-prefix2");
  const auto options = [] {
    return RopeNdOptions{.head_dim = 8,
                         .base = 100,
                         .coordinates = GridCoordinates::kCentred,
                         .grid = list_of({3, 4}),
                         .prefix = 2};
  };
  Coordinates centres = {{0, 0}, {0, 0}};
  for (const auto& cell : reference::grid_cells({3, 4})) {
    centres.push_back(
        {2 * kPi * (2 * (cell[0] + 0.5) / 3 - 1), 2 * kPi * (2 * (cell[1] + 0.5) / 4 - 1)});
  }
  const auto own = reference::axis_frequencies(4, 100);
  const auto rope = adapted(options());
  const auto angles = axial_angles(centres, {own, own}, {0, 1});
  check_golden(golden, rope, Positions::range(0, 14), angles);
  const auto positions = positions_of(plain(options()), {});
  check_golden(golden, rope, given(positions, 2), angles);
  const auto& q = golden["q"].floats;
  const auto whole = turned(rope, q, Positions::range(0, 14));
  CHECK(whole == turned(rope, q, given(positions, 2)));
  CHECK(std::equal(q.begin(), q.begin() + 16, whole.begin()));
}

TEST_CASE("ropeNd: lucidrains' axial rotation in 2-D and 3-D, channels left over pass through") {
  const auto own = reference::axis_frequencies(4, 10000);
  const auto flat = testing::load_golden("rope-2d--lucidrains-axial-lang-3x4");
  check_golden(flat,
               adapted({.head_dim = 10,
                        .rotary_dim = 8,
                        .layout = PairLayout::kInterleaved,
                        .grid = list_of({3, 4})}),
               Positions::range(0, 12),
               axial_angles(reference::grid_cells({3, 4}), {own, own}, {0, 1}));
  const auto deep = testing::load_golden("rope-3d--lucidrains-axial-lang-2x3x2");
  check_golden(deep,
               adapted({.head_dim = 12,
                        .axes = 3,
                        .layout = PairLayout::kInterleaved,
                        .grid = list_of({2, 3, 2})}),
               Positions::range(0, 12),
               axial_angles(reference::grid_cells({2, 3, 2}), {own, own, own}, {0, 1, 2}));
}

TEST_CASE("ropeNd: widths, layouts and unequal shares equal the plain loop, and turn back") {
  double largest = 0;
  const Coordinates cells = {{0, 0, 0}, {1, 2, 3}, {-7, 0.5, 1000}, {5, 5, 5}, {131071, 2, 0}};
  std::vector<double> flat;
  for (const auto& cell : cells) flat.insert(flat.end(), cell.begin(), cell.end());
  for (int64_t pairs = 1; pairs <= 2 * testing::lanes() + 3; pairs++) {
    for (PairLayout layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
      const std::vector<double> dims = {2.0 * static_cast<double>(pairs), 0, 4};
      const int64_t width = 2 * pairs + 4;
      const auto rope = adapted({.head_dim = width + 3,
                                 .axes = 3,
                                 .rotary_dim = width,
                                 .axis_dims = list_of(dims),
                                 .layout = layout,
                                 .order = AxisOrder::kReversed});
      const auto x = random_floats(cells.size() * static_cast<std::size_t>(width + 3), 3);
      const auto angles = axial_angles(cells,
                                       {reference::axis_frequencies(2 * pairs, 10000),
                                        {},
                                        reference::axis_frequencies(4, 10000)},
                                       {2, 1, 0});
      const auto want =
          reference::turned_by(doubles(x), width + 3, angles, layout == PairLayout::kInterleaved);
      const auto out = turned(rope, x, given(flat, 3));
      largest = std::max(
          {largest, testing::largest_error(out, want),
           testing::largest_error(turned(rope, out, given(flat, 3), {RotaryDirection::kInvert}), x),
           testing::largest_error(turned(rope, out, given(flat, 3), {RotaryDirection::kGradient}),
                                  x)});
    }
  }
  MESSAGE("ropeNd: largest relative error " << largest);
  CHECK(largest <= 4e-7);
}

TEST_CASE(
    "ropeNd: coordinates from -1 to 1, a finer grid over the trained one, even steps of "
    "frequency") {
  const auto pixel = adapted({.head_dim = 16,
                              .frequencies = AxisFrequencies::kLinear,
                              .max_freq = 20,
                              .layout = PairLayout::kInterleaved,
                              .coordinates = GridCoordinates::kSpan,
                              .grid = list_of({3, 5})});
  Coordinates span, resized;
  for (const auto& cell : reference::grid_cells({3, 5})) {
    span.push_back({cell[0] - 1, cell[1] / 2 - 1});
    resized.push_back({cell[0] / 3 * 2, cell[1] / 5 * 4});
  }
  const auto x = random_floats(15 * 16, 5);
  const auto steps = reference::linear_frequencies(8, 20),
             own = reference::axis_frequencies(8, 10000);
  check_close(
      turned(pixel, x, Positions::range(0, 15)),
      reference::turned_by(doubles(x), 16, axial_angles(span, {steps, steps}, {0, 1}), true), 4e-7,
      "span");
  const auto finer = adapted({.head_dim = 16,
                              .coordinates = GridCoordinates::kResized,
                              .grid = list_of({3, 5}),
                              .trained_grid = list_of({2, 4})});
  check_close(
      turned(finer, x, Positions::range(0, 15)),
      reference::turned_by(doubles(x), 16, axial_angles(resized, {own, own}, {0, 1}), false), 4e-7,
      "resized");
}

TEST_CASE("ropeNd: frames, tokens that stand still on both sides, indices from 1") {
  const RopeNd rope = plain({.head_dim = 8});
  CHECK(positions_of(
            rope, {.grid = list_of({1, 2}), .prefix = 1, .suffix = 1, .repeat = 2, .start = 1}) ==
        std::vector<double>{0, 0, 1, 1, 1, 2, 1, 1, 1, 2, 0, 0});
  const RopeNd video = plain({.head_dim = 12, .axes = 3});
  CHECK(
      positions_of(video, {.grid = list_of({2, 2, 2}), .merge = 2}) ==
      std::vector<double>{0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1});
}

TEST_CASE("ropeNd: what has to be refused") {
  using enum ErrorCode;
  const auto refused = [](RopeNdOptions options, ErrorCode code, const char* parameter) {
    const auto made = make<RopeNd>(std::move(options));
    REQUIRE_FALSE(made.has_value());
    testing::check_error(made.error(), code, parameter);
  };
  refused({.head_dim = 6}, kOutOfRange, "rotaryDim");
  refused({.head_dim = 7}, kOutOfRange, "headDim");
  refused({.head_dim = 8, .axis_dims = list_of({4, 6})}, kShapeMismatch, "axisDims");
  refused({.head_dim = 8, .axis_dims = list_of({3, 5})}, kOutOfRange, "axisDims");
  refused({.head_dim = 8, .axis_dims = list_of({8})}, kShapeMismatch, "axisDims");
  refused({.head_dim = 8, .axis_dims = list_of({2, 6}), .frequencies = AxisFrequencies::kDealt},
          kUnsupported, "axisDims");
  refused({.head_dim = 8, .coordinates = GridCoordinates::kCentred}, kMissingOption, "grid");
  refused({.head_dim = 8, .prefix = 1}, kMissingOption, "grid");
  refused({.head_dim = 8, .grid = list_of({2.5, 2})}, kInvalidType, "grid");
  refused({.head_dim = 8, .grid = list_of({70000, 70000})}, kTooLarge, "grid");
  refused({.head_dim = 8, .base = 0}, kOutOfRange, "base");
  refused({.head_dim = 8, .base = NAN}, kOutOfRange, "base");
  const auto rope = adapted({.head_dim = 8}),
             placed = adapted({.head_dim = 8, .grid = list_of({2, 2}), .prefix = 1});
  const auto turn = [](const RotaryEncoding& encoding, const Positions& positions) {
    std::vector<float> x(static_cast<std::size_t>(8 * positions.count));
    const auto rows = HeadRows<float>::heads(x.data(), 1, positions.count, 8);
    return rotate(encoding, {.batch = 1,
                             .heads = 1,
                             .seq = positions.count,
                             .x = rows,
                             .out = rows,
                             .positions = std::span(&positions, 1)});
  };
  testing::check_error(turn(rope, Positions::range(0, 3)).error(), kShapeMismatch, "positions");
  CHECK(turn(placed, Positions::range(0, 5)).has_value());
  testing::check_error(turn(placed, Positions::range(0, 6)).error(), kOutsideDomain, "positions");
  testing::check_error(turn(placed, Positions::range(-1, 2)).error(), kOutsideDomain, "positions");
  const double places[] = {0, 5};
  testing::check_error(turn(placed, Positions::array(places, 2)).error(), kOutsideDomain,
                       "positions");
  const RopeNd grid = plain({.head_dim = 8});
  testing::check_error(grid_positions(grid, {}, {}).error(), kMissingOption, "grid");
  testing::check_error(grid_positions(grid, {.grid = list_of({4, 5}), .merge = 2}, {}).error(),
                       kOutOfRange, "grid");
}

}  // namespace
}  // namespace posenc
