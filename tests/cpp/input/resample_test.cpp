#include "posenc/input/resample.hpp"

#include "reference/input/resample.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::GoldenCase;
using testing::list_of;

ResampleRule rule_of(const reference::ResampleCase& one) {
  const ResampleMode mode = one.mode == "nearest"  ? ResampleMode::kNearest
                            : one.mode == "linear" ? ResampleMode::kLinear
                                                   : ResampleMode::kCubic;
  return {mode, one.align_corners, one.antialias, one.scale_offset};
}

ResampleGrid grid_of(const reference::ResampleCase& one) {
  ResampleGrid grid;
  REQUIRE(grid.prepare(rule_of(one), one.from_rows, one.from_cols, one.to_rows, one.to_cols, "to"));
  return grid;
}

TensorView<const double> view(const std::vector<double>& values, int64_t rows) {
  return {values, {rows, static_cast<int64_t>(values.size()) / rows}};
}

ResampleArguments arguments_of(const reference::ResampleCase& one, int64_t prefix) {
  ResampleArguments arguments;
  arguments.from =
      list_of({static_cast<double>(one.from_rows), static_cast<double>(one.from_cols)});
  arguments.to = list_of({static_cast<double>(one.to_rows), static_cast<double>(one.to_cols)});
  arguments.prefix = prefix;
  arguments.rule = rule_of(one);
  return arguments;
}

struct Published {
  reference::ResampleCase one;
  int64_t prefix, width;
};

Published published(const GoldenCase& golden) {
  const auto whole = [&](const char* key, int64_t otherwise) {
    return static_cast<int64_t>(golden.number(key, static_cast<double>(otherwise)));
  };
  const std::string mode = golden.text("mode");
  Published result{{mode == "bicubic" ? "cubic" : mode, golden.number("align_corners") != 0,
                    golden.number("antialias") != 0, golden.number("scale_offset")},
                   whole("extra_tokens", 0),
                   whole("dim", 1)};
  result.one.from_rows = whole("grid", whole("in_len", 1));
  result.one.from_cols = whole("grid", 1);
  result.one.to_rows = whole("height", whole("out_len", 1));
  result.one.to_cols = whole("width", 1);
  return result;
}

constexpr const char* kCases[] = {"learned-1d--linear-8to13",
                                  "learned-1d--linear-corners-5to12",
                                  "learned-1d--nearest-4to7",
                                  "learned-2d--dino-4to7x3-offset",
                                  "learned-2d--dinov2-5to3x8-antialias",
                                  "learned-2d--mae-4to6-extra2",
                                  "learned-2d--vit-4-same",
                                  "learned-2d--vit-4to6x5"};

TEST_CASE("resample: tables of published implementations, and their gradients") {
  for (const char* name : kCases) {
    CAPTURE(name);
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    const auto [one, prefix, width] = published(golden);
    const auto table = golden["table"].as_doubles();
    const auto front = table.begin() + prefix * width;
    auto want = std::vector<double>(table.begin(), front);
    const auto grid = reference::resample(one, {front, table.end()}, width);
    want.insert(want.end(), grid.begin(), grid.end());
    check_close(want, golden["out"].floats, bound, "reference");

    const auto arguments = arguments_of(one, prefix);
    const TensorView<const double> input[] = {view(table, prefix + one.from_rows * one.from_cols)};
    const auto out = resample_table(arguments, input);
    REQUIRE(out.has_value());
    check_close(out->data.span(), golden["out"].floats, bound, "out");
    if (!golden.tensors.contains("dout")) continue;
    const auto d_out = golden["dout"].as_doubles();
    const TensorView<const double> upstream[] = {view(d_out, prefix + one.to_rows * one.to_cols)};
    const auto d_table = resample_table_backward(arguments, upstream);
    REQUIRE(d_table.has_value());
    check_close(d_table->data.span(), golden["dtable"].floats, bound, "dtable");
  }
}

TEST_CASE("resample: every mode, size and width equals the dense matrices, both ways") {
  double largest = 0;
  uint64_t seed = 1;
  for (int choice = 0; choice < 7; choice++) {
    constexpr const char* kModes[] = {"nearest", "linear", "linear", "linear",
                                      "cubic",   "cubic",  "cubic"};
    reference::ResampleCase one{kModes[choice], choice == 2 || choice == 5,
                                choice == 3 || choice == 6};
    for (const auto& [rows, cols, to_rows, to_cols] : {std::array{1, 1, 1, 1},
                                                       {1, 1, 4, 3},
                                                       {5, 1, 1, 1},
                                                       {7, 1, 3, 1},
                                                       {3, 1, 17, 1},
                                                       {2, 9, 5, 4},
                                                       {4, 4, 4, 7},
                                                       {6, 5, 2, 2},
                                                       {14, 14, 5, 20},
                                                       {3, 4, 3, 4}}) {
      one.from_rows = rows, one.from_cols = cols, one.to_rows = to_rows, one.to_cols = to_cols;
      const ResampleGrid grid = grid_of(one);
      for (int64_t width : testing::awkward_sizes()) {
        const auto table =
            testing::random_floats(static_cast<std::size_t>(grid.from_count() * width), seed++);
        const auto d_out =
            testing::random_floats(static_cast<std::size_t>(grid.to_count() * width), seed++);
        std::vector<float> out(d_out.size(), NAN), d_table(table.size());
        kernels::resample(grid, table.data(), width, out.data());
        kernels::resample_backward(grid, d_out.data(), width, d_table.data());
        largest = std::max(
            largest,
            testing::largest_error(out, reference::resample(one, testing::widened(table), width)));
        largest = std::max(
            largest, testing::largest_error(d_table, reference::resample_backward(
                                                         one, testing::widened(d_out), width)));
      }
    }
  }
  MESSAGE("resample: largest relative error " << largest);
  CHECK(largest <= 1e-6);
}

TEST_CASE("resample: the reference's gradient is that of finite differences") {
  const reference::ResampleCase one{"cubic", false, true, 0, 5, 3, 2, 4};
  const auto table = testing::widened(testing::random_floats(5 * 3 * 2, 3));
  const auto d_out = testing::widened(testing::random_floats(2 * 4 * 2, 4));
  testing::check_gradient(
      reference::resample_backward(one, d_out, 2), table,
      [&](const std::vector<double>& at) {
        return testing::product(reference::resample(one, at, 2), d_out);
      },
      "table");
}

TEST_CASE("resample: the same size keeps every bit, DINO's offset or not") {
  auto table = testing::random_floats(12 * 5, 9);
  table[3] = -0.0F;
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    const reference::ResampleCase one{mode, false, false, 0.1, 3, 4, 3, 4};
    std::vector<float> out(table.size());
    kernels::resample(grid_of(one), table.data(), 5, out.data());
    CHECK(out == table);
    CHECK(std::signbit(out[3]));
  }
}

TEST_CASE("resample: sizes asked for are the sizes made, whatever their ratio") {
  const auto table = testing::widened(testing::random_floats(14 * 14, 2));
  for (double size : {60.0, 61.0, 115.0, 122.0}) {
    ResampleArguments arguments;
    arguments.from = list_of({14, 14});
    arguments.to = list_of({size, size});
    const TensorView<const double> input[] = {view(table, 196)};
    const auto out = resample_table(arguments, input);
    REQUIRE(out.has_value());
    CHECK(out->shape == Shape{static_cast<int64_t>(size * size), 1});
  }
}

Error refusal(ResampleArguments arguments, const std::vector<double>& table, int64_t rows) {
  const TensorView<const double> input[] = {view(table, rows)};
  const auto out = resample_table(arguments, input);
  REQUIRE_FALSE(out.has_value());
  return out.error();
}

TEST_CASE("resample: refused sizes and rules") {
  const std::vector<double> table(16, 1);  // 2 x 8, which must not pass for 4 x 4
  const auto with = [](const std::vector<double>& from, const std::vector<double>& to,
                       ResampleRule rule = {}) {
    ResampleArguments arguments;
    arguments.from = list_of(from);
    arguments.to = list_of(to);
    arguments.rule = rule;
    return arguments;
  };
  testing::check_error(refusal(with({}, {5, 5}), table, 16), ErrorCode::kMissingOption, "from");
  testing::check_error(refusal(with({3, 5}, {5, 5}), table, 16), ErrorCode::kShapeMismatch,
                       "table");
  testing::check_error(refusal(with({4, 4}, {5}), table, 16), ErrorCode::kShapeMismatch, "from");
  testing::check_error(refusal(with({4, 4}, {5, 5, 5}), table, 16), ErrorCode::kShapeMismatch,
                       "to");
  testing::check_error(refusal(with({4, 4}, {5, 2.5}), table, 16), ErrorCode::kInvalidType, "to");
  testing::check_error(refusal(with({4, 4}, {65536, 65536}), table, 16), ErrorCode::kTooLarge,
                       "to");
  testing::check_error(refusal(with({}, {5}, {ResampleMode::kNearest, false, true}), table, 16),
                       ErrorCode::kUnsupported, "antialias");
  testing::check_error(refusal(with({}, {5}, {ResampleMode::kCubic, true, true}), table, 16),
                       ErrorCode::kUnsupported, "alignCorners");
}

}  // namespace
}  // namespace posenc
