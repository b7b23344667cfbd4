#include "posenc/input/grid.hpp"

#include <cmath>
#include <numbers>

#include "posenc/core/adapters.hpp"
#include "reference/input/grid.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::GoldenCase;

std::vector<float> rows(GridOptions options, const std::vector<double>& positions) {
  const auto axes = options.axes;
  const Grid encoding = std::move(*make<Grid>(std::move(options)));
  const auto count = static_cast<int64_t>(positions.size()) / axes;
  std::vector<float> out(static_cast<std::size_t>(count * encoding.width()), NAN);
  encoding.encode(Positions::array(positions.data(), count, static_cast<int>(axes)), out.data());
  return out;
}

// All cells of a grid, the last axis fastest.
std::vector<double> cells(const std::vector<double>& extents) {
  std::vector<double> positions;
  double count = 1;
  for (double extent : extents) count *= extent;
  for (double i = 0; i < count; i++) {
    double step = count;
    for (double extent : extents) {
      step /= extent;
      positions.push_back(std::fmod(std::floor(i / step), extent));
    }
  }
  return positions;
}

NumberList list_of(const std::vector<int64_t>& values) {
  NumberList list = std::move(*NumberList::make(static_cast<int64_t>(values.size()), "list"));
  for (std::size_t i = 0; i < values.size(); i++)
    list[static_cast<int64_t>(i)] = static_cast<double>(values[i]);
  return list;
}

GridOptions options_of(const reference::GridRule& rule) {
  return {.dim = rule.dim,
          .axes = rule.axes,
          .base = rule.base,
          .layout = rule.concat ? GridLayout::kConcat : GridLayout::kInterleaved,
          .order = rule.reversed ? GridOrder::kReversed : GridOrder::kForward,
          .parts = list_of(rule.parts)};
}

void check_golden(const GoldenCase& golden, const reference::GridRule& rule,
                  const std::vector<double>& positions, const std::vector<float>& want) {
  check_close(reference::grid(rule, positions), want, 1e-6, golden.name + ", the plain loop");
  const auto got = rows(options_of(rule), positions);
  MESSAGE(golden.name << ": " << testing::largest_error(got, want));
  check_close(got, want, testing::golden_bound(golden.tolerance), golden.name);
}

TEST_CASE("grid: tables of multidim-positional-encoding, widths cut off") {
  for (const char* name : {"sincos-1d--tatp22-l11-ch7", "sincos-2d--tatp22-4x5-ch12",
                           "sincos-3d--tatp22-3x4x2-ch18"}) {
    const auto golden = testing::load_golden(name);
    const auto shape = golden.numbers("shape");
    const reference::GridRule rule = {.dim = static_cast<int64_t>(golden.number("channels")),
                                      .axes = static_cast<int64_t>(shape.size())};
    check_golden(golden, rule, cells(shape), golden["pos"].floats);
  }
}

TEST_CASE("grid: MAE's tables, the column first, no position for the class token") {
  for (const char* name : {"sincos-2d--mae-d16-grid4-cls", "sincos-2d--mae-d8-grid5"}) {
    const auto golden = testing::load_golden(name);
    const double side = golden.number("grid");
    const reference::GridRule rule = {
        .dim = static_cast<int64_t>(golden.number("dim")), .concat = true, .reversed = true};
    auto want = golden["pos"].floats;
    if (golden.number("cls_token") != 0) want.erase(want.begin(), want.begin() + rule.dim);
    check_golden(golden, rule, cells({side, side}), want);
  }
}

// Positions of a padded batch by the operation, as doubles.
std::vector<double> positions_of(const std::vector<double>& mask, const Shape& shape,
                                 const MaskPositionsArguments& arguments) {
  const TensorView<const double> inputs[] = {{mask, shape}};
  const auto result = mask_positions(arguments, inputs);
  REQUIRE(result.has_value());
  const auto values = result->data.span();
  return {values.begin(), values.end()};
}

TEST_CASE("grid: DETR's maps from masks") {
  for (const char* name : {"detr-sine--plain-4x3-nf6", "detr-sine--normalize-mask-5x7"}) {
    const auto golden = testing::load_golden(name);
    const auto mask = golden["mask"].as_doubles();
    const Shape shape = golden["mask"].shape;
    const bool normalize = golden.number("normalize") != 0;
    const auto positions =
        positions_of(mask, shape, {.normalize = normalize, .scale = golden.number("scale")});
    const auto half = static_cast<int64_t>(golden.number("num_pos_feats"));
    const int64_t width = 2 * half, rows_of = shape[1], cols = shape[2];
    // The file has [batch, channels, rows, cols].
    const auto& file = golden["pos"].floats;
    std::vector<float> want;
    for (int64_t b = 0; b < shape[0]; b++) {
      for (int64_t cell = 0; cell < rows_of * cols; cell++) {
        for (int64_t c = 0; c < width; c++) {
          want.push_back(file[static_cast<std::size_t>((b * width + c) * rows_of * cols + cell)]);
        }
      }
    }
    check_golden(golden, {.dim = width}, positions, want);
    for (int64_t b = 0; b < shape[0]; b++) {
      const auto size = static_cast<std::size_t>(rows_of * cols),
                 first = static_cast<std::size_t>(b) * size;
      const std::vector<double> one(mask.begin() + static_cast<std::ptrdiff_t>(first),
                                    mask.begin() + static_cast<std::ptrdiff_t>(first + size));
      const auto plain = reference::mask_positions(one, static_cast<std::size_t>(rows_of),
                                                   static_cast<std::size_t>(cols),
                                                   normalize ? golden.number("scale") : 0, 0);
      const std::vector<double> its(
          positions.begin() + static_cast<std::ptrdiff_t>(2 * first),
          positions.begin() + static_cast<std::ptrdiff_t>(2 * (first + size)));
      check_close(its, plain, 1e-7, "positions");
    }
  }
}

TEST_CASE("grid: Deformable DETR's offset, lines that are all padding") {
  const std::vector<double> mask = {0, 0, 1, 0, 0, 1};
  const auto got = positions_of(mask, {2, 3}, {.normalize = true, .scale = 1, .offset = -0.5});
  check_close(got, reference::mask_positions(mask, 2, 3, 1, -0.5), 1e-6, "offset");
  const auto plain = positions_of(mask, {2, 3}, {});
  CHECK(plain == std::vector<double>{1, 1, 1, 2, 0, 2, 2, 1, 2, 2, 0, 2});
}

TEST_CASE("grid: every width, layout and order equals the plain loop") {
  double largest = 0;
  std::vector<double> numbers = {0,  1,  -3,  0.5, 1e5, 16777216, 7, 8.25, 63,
                                 64, 65, -64, 3,   3,   3,        1, 2,    0};
  for (int64_t axes = 1; axes <= 3; axes++) {
    for (int64_t dim = 1; dim <= 53; dim++) {
      for (int choice = 0; choice < 4; choice++) {
        const reference::GridRule rule = {
            dim, axes, choice == 3 ? 100.0 : 10000.0, (choice & 1) != 0, (choice & 2) != 0, {}};
        largest = std::max(largest, testing::largest_error(rows(options_of(rule), numbers),
                                                           reference::grid(rule, numbers)));
      }
    }
  }
  MESSAGE("grid: largest relative error " << largest);
  CHECK(largest <= 1e-7);
}

TEST_CASE("grid: more cells than are written at a time, and than are remembered on an axis") {
  for (const auto& extents :
       {std::vector<double>{37, 41}, {300, 5}, {5, 300}, {11, 12, 13}, {2100}}) {
    const auto positions = cells(extents);
    const auto axes = static_cast<int64_t>(extents.size());
    for (int64_t dim : {9, 24}) {
      for (int choice = 0; choice < 4; choice++) {
        const reference::GridRule rule = {dim, axes, 10000, (choice & 1) != 0, (choice & 2) != 0,
                                          {}};
        check_close(rows(options_of(rule), positions), reference::grid(rule, positions), 1e-7,
                    "cells");
      }
    }
  }
  const auto line = *make<Grid>({.dim = 9, .axes = 1});
  std::vector<float> counted(2100 * 9);
  line.encode(Positions::range(0, 2100), counted.data());
  CHECK(counted == rows({.dim = 9, .axes = 1}, cells({2100})));
}

TEST_CASE("grid: axes of different widths, as V-JEPA and CogVideoX have them") {
  const auto positions = cells({2, 3, 4});
  for (const auto& parts : {std::vector<int64_t>{12, 6, 6}, {6, 10, 8}, {0, 24, 2}, {26, 2, 2}}) {
    for (int choice = 0; choice < 4; choice++) {
      const reference::GridRule rule = {24, 3, 10000, (choice & 1) != 0, (choice & 2) != 0, parts};
      check_close(rows(options_of(rule), positions), reference::grid(rule, positions), 1e-7,
                  "parts");
    }
  }
  testing::check_error(make<Grid>({.dim = 24, .parts = list_of({12, 6, 6})}).error(),
                       ErrorCode::kShapeMismatch, "parts");
  testing::check_error(make<Grid>({.dim = 24, .parts = list_of({13, 11})}).error(),
                       ErrorCode::kOutOfRange, "parts");
  testing::check_error(make<Grid>({.dim = 24, .parts = list_of({12, 8})}).error(),
                       ErrorCode::kOutOfRange, "parts");
}

TEST_CASE("grid: 3 x 4 is not 4 x 3, and the orders swap the halves") {
  CHECK(rows({.dim = 8}, cells({3, 4})) != rows({.dim = 8}, cells({4, 3})));
  const auto forward = rows({.dim = 8}, {2, 5});
  const auto reversed = rows({.dim = 8, .order = GridOrder::kReversed}, {5, 2});
  CHECK(forward == reversed);
}

TEST_CASE("grid: the slowest wavelength of an axis of n columns is 2 pi base^((n - 2) / n)") {
  for (double n : {4.0, 128.0}) {
    const double period = 2 * std::numbers::pi * std::pow(10000.0, (n - 2) / n);
    const auto row = rows({.dim = static_cast<int64_t>(2 * n)}, {period, period / 4});
    const auto size = row.size();
    check_close(std::vector{row[size / 2 - 2], row[size / 2 - 1], row[size - 2], row[size - 1]},
                std::vector{0.0, 1.0, 1.0, 0.0}, 1e-7, "slowest pair");
  }
}

TEST_CASE("grid: refused options, masks and positions") {
  testing::check_error(make<Grid>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<Grid>({.dim = 8, .axes = 0}).error(), ErrorCode::kOutOfRange, "axes");
  testing::check_error(make<Grid>({.dim = 8, .base = NAN}).error(), ErrorCode::kOutOfRange, "base");
  const std::vector<double> mask = {0, 2, 0, 1};
  const TensorView<const double> inputs[] = {{mask, {2, 2}}}, flat[] = {{mask, {4}}};
  testing::check_error(mask_positions({}, inputs).error(), ErrorCode::kOutOfRange, "mask");
  testing::check_error(mask_positions({}, flat).error(), ErrorCode::kShapeMismatch, "mask");
  const InputAdapter<Grid> three(std::move(*make<Grid>({.dim = 8, .axes = 3})));
  CHECK(three.domain().axes == 3);
  const double given[] = {1, 2, 3, 4};
  testing::check_error(
      check_positions(Positions::array(given, 2, 2), three.domain(), "positions").error(),
      ErrorCode::kShapeMismatch, "positions");
  CHECK(rows({.dim = 6}, {}).empty());
}

}  // namespace
}  // namespace posenc
