// Gradients of all rotations: the plain ones against finite differences of the plain rotations in
// double, and the library against the plain ones, at widths around that of a vector.
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "posenc/rotary/mrope.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/rope_nd.hpp"
#include "posenc/rotary/xpos.hpp"
#include "reference/rotary/mrope.hpp"
#include "reference/rotary/rope.hpp"
#include "reference/rotary/xpos.hpp"
#include "rotary/turned.hpp"
#include "support/lanes.hpp"
#include "support/numbers.hpp"

namespace posenc {
namespace {

using reference::Coordinates;
using testing::doubles;
using testing::list_of;
using Doubles = std::vector<double>;

constexpr int64_t kTokens = 3;

// An encoding of some pairs of channels, and its rotation in plain loops, forward or transposed.
struct Case {
  std::string name;
  std::unique_ptr<RotaryEncoding> rotary;
  std::function<Doubles(const Doubles& x, bool transposed)> plain;
  Doubles positions;
  RotarySide side = RotarySide::kQuery;
};

template <typename T>
std::unique_ptr<RotaryEncoding> owned(typename T::Options options) {
  return std::make_unique<RotaryAdapter<T>>(std::move(*make<T>(std::move(options))));
}

// A rotation transposed is one by the opposite angles, of the same amplitude.
Doubles signed_by(Doubles numbers, bool opposite) {
  for (double& x : numbers) x = opposite ? -x : x;
  return numbers;
}
std::vector<Doubles> signed_by(std::vector<Doubles> angles, bool opposite) {
  for (Doubles& row : angles) row = signed_by(row, opposite);
  return angles;
}

Case rope_case(int64_t pairs, PairLayout layout, bool scaled) {
  const Doubles positions = {0, -7, 131071};
  const int64_t width = 2 * pairs, dim = width + 1;  // the last channel passes through
  RopeOptions options{.head_dim = dim, .rotary_dim = width, .layout = layout};
  auto frequencies = reference::rope_frequencies(width, 10000);
  double amplitude = 1;
  if (scaled) {
    options.scaling = {.type = RopeScalingType::kYarn, .factor = 4, .original_length = 4096};
    frequencies = reference::yarn_frequencies(width, 10000, {.factor = 4, .original = 4096});
    amplitude = 0.1 * std::log(4.0) + 1;
  }
  return {"rope", owned<Rope>(std::move(options)),
          [=](const Doubles& x, bool transposed) {
            return reference::rotated(x, dim, signed_by(positions, transposed), frequencies,
                                      layout == PairLayout::kInterleaved, amplitude);
          },
          positions};
}

Case rope_nd_case(int64_t pairs, PairLayout layout) {
  const Coordinates cells = {{0, 0}, {-7, 0.5}, {5, 1000}};
  const Doubles dims = {2.0 * static_cast<double>(pairs), 4};
  const auto angles = reference::axial_angles(
      cells, {reference::axis_frequencies(2 * pairs, 10000), reference::axis_frequencies(4, 10000)},
      {0, 1});
  const int64_t dim = 2 * pairs + 4;
  return {"ropeNd",
          owned<RopeNd>({.head_dim = dim, .axis_dims = list_of(dims), .layout = layout}),
          [=](const Doubles& x, bool transposed) {
            return reference::turned_by(x, dim, signed_by(angles, transposed),
                                        layout == PairLayout::kInterleaved);
          },
          {0, 0, -7, 0.5, 5, 1000}};
}

Case mrope_case(int64_t pairs, SectionOrder order) {
  const Coordinates places = {{0, 0, 0}, {3, 70, 9}, {100, 2, 31}};
  const int64_t others = pairs / 4;
  const Doubles sections = {static_cast<double>(pairs - 2 * others), static_cast<double>(others),
                            static_cast<double>(others)};
  const auto angles = reference::mrope_angles(places, 2 * pairs, 10000, testing::rounded(sections),
                                              order == SectionOrder::kInterleaved);
  return {"mrope",
          owned<Mrope>({{.head_dim = 2 * pairs}, list_of(sections), order}),
          [=](const Doubles& x, bool transposed) {
            return reference::turned_by(x, 2 * pairs, signed_by(angles, transposed), false);
          },
          {0, 0, 0, 3, 70, 9, 100, 2, 31}};
}

// Queries times a factor, keys divided by it, whichever way they turn.
Case xpos_case(int64_t pairs, PairLayout layout, RotarySide side) {
  const Doubles positions = {0, -7, 1000};
  const reference::XposRule rule{.dim = 2 * pairs,
                                 .scale_base = 3000,
                                 .centre = 500,
                                 .interleaved = layout == PairLayout::kInterleaved};
  return {"xpos",
          owned<Xpos>({.head_dim = 2 * pairs, .layout = layout, .scale_base = 3000, .centre = 500}),
          [=](const Doubles& x, bool transposed) {
            if (!transposed) return xpos_turned(rule, x, positions, side == RotarySide::kKey);
            reference::XposRule back = rule;
            back.centre = -rule.centre;
            return xpos_turned(back, x, signed_by(positions, true), side != RotarySide::kKey);
          },
          positions, side};
}

std::vector<Case> cases(int64_t pairs) {
  std::vector<Case> all;
  for (const auto layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
    all.push_back(rope_case(pairs, layout, false));
    all.push_back(rope_case(pairs, layout, true));
    all.push_back(rope_nd_case(pairs, layout));
    all.push_back(xpos_case(pairs, layout, RotarySide::kQuery));
    all.push_back(xpos_case(pairs, layout, RotarySide::kKey));
  }
  all.push_back(mrope_case(pairs, SectionOrder::kChunked));
  all.push_back(mrope_case(pairs, SectionOrder::kInterleaved));
  return all;
}

TEST_CASE("rotary: gradients of every rotation, plain and by finite differences") {
  double largest = 0;
  for (int64_t pairs : testing::awkward_sizes()) {
    for (const Case& one : cases(pairs)) {
      CAPTURE(one.name);
      CAPTURE(pairs);
      const auto size = static_cast<std::size_t>(kTokens * one.rotary->head_dim());
      const auto x = testing::random_floats(size, 1), y = testing::random_floats(size, 2);
      const Positions places = Positions::array(one.positions.data(), kTokens,
                                                static_cast<int>(one.positions.size()) / kTokens);
      testing::check_close(testing::turned(*one.rotary, x, places, {.side = one.side}),
                           one.plain(doubles(x), false), 1e-6, "rotation");
      const Doubles gradient = one.plain(doubles(y), true);
      const auto got = testing::turned(*one.rotary, y, places,
                                       {.direction = RotaryDirection::kGradient, .side = one.side});
      testing::check_close(got, gradient, 1e-6, "gradient");
      largest = std::max(largest, testing::largest_error(got, gradient));
      Doubles at = doubles(x);
      testing::check_differences(
          at, gradient, [&] { return testing::product(one.plain(at, false), doubles(y)); },
          one.name);
    }
  }
  MESSAGE("rotary: largest error of gradients " << largest);
}

}  // namespace
}  // namespace posenc
