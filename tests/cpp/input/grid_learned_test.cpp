#include "posenc/input/grid_learned.hpp"

#include "reference/input/grid_learned.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::gradients_of;
using testing::rows_of;

TEST_CASE("gridLearned: space and time equal the plain loop, forward and backward") {
  for (int64_t dim : testing::awkward_sizes()) {
    for (const bool own : {false, true}) {
      for (const GridLearnedOrder order : {GridLearnedOrder::kPatch, GridLearnedOrder::kFrame}) {
        GridLearnedOptions options{
            .dim = dim, .kind = GridLearnedKind::kSpaceTime, .rows = 3, .cols = 2, .frames = 4};
        options.to_rows = 2, options.to_cols = 5, options.to_frames = 3;
        options.prefix = 2, options.prefix_rows = own, options.order = order;
        auto encoding = adapted<GridLearned>(std::move(options));
        const auto table = testing::random_floats(static_cast<std::size_t>((own ? 8 : 6) * dim), 1);
        const auto time = testing::random_floats(static_cast<std::size_t>(4 * dim), 2);
        testing::set_values(encoding, "table", table);
        testing::set_values(encoding, "timeTable", time);
        const std::vector<double> tokens = {0, 1, 2, 3, 9, 31, 17, 17, 4};
        const auto d_out = testing::random_floats(tokens.size() * static_cast<std::size_t>(dim), 3);
        const reference::SpaceTime rule{{"cubic", false, false, 0, 3, 2, 2, 5}, 4,  3, 2, own,
                                        order == GridLearnedOrder::kPatch,      dim};
        check_close(
            rows_of(encoding, given(tokens)),
            reference::space_time(rule, testing::widened(table), testing::widened(time), tokens),
            2e-6, "rows");
        auto gradients = gradients_of(encoding, given(tokens), d_out);
        const auto want = reference::space_time_backward(rule, tokens, testing::widened(d_out));
        check_close(gradients["table"], want.table, 2e-6, "table gradient");
        check_close(gradients["timeTable"], want.time, 2e-6, "time gradient");
      }
    }
  }
}

TEST_CASE("gridLearned: grids without frames equal the plain loop, forward and backward") {
  for (int64_t dim : testing::awkward_sizes()) {
    GridLearnedOptions options{.dim = dim, .rows = 3, .cols = 2};
    options.to_rows = 2, options.to_cols = 5, options.prefix = 1;
    const auto encoding = adapted<GridLearned>(std::move(options), 6);
    const reference::SpaceTime rule{
        {"cubic", false, false, 0, 3, 2, 2, 5}, 1, 1, 1, true, true, dim};
    const std::vector<double> tokens = {0, 1, 10, 7, 7, 4};
    const std::vector<double> none(static_cast<std::size_t>(dim));  // of time
    const auto d_out = testing::random_floats(tokens.size() * static_cast<std::size_t>(dim), 3);
    check_close(rows_of(encoding, given(tokens)),
                reference::space_time(rule, testing::values_of(encoding, "table"), none, tokens),
                2e-6, "rows");
    check_close(gradients_of(encoding, given(tokens), d_out)["table"],
                reference::space_time_backward(rule, tokens, testing::widened(d_out)).table, 2e-6,
                "gradient");
  }
}

TEST_CASE("gridLearned: tables of rows and columns equal the plain loop, forward and backward") {
  const std::vector<double> cells = {0, 0, 2, 3, 1, 3, 2, 0, 1, 3};
  for (int64_t half : testing::awkward_sizes()) {
    for (const GridLearnedHalf first : {GridLearnedHalf::kCol, GridLearnedHalf::kRow}) {
      const auto encoding = adapted<GridLearned>({.dim = 2 * half,
                                                  .kind = GridLearnedKind::kAxes,
                                                  .rows = 3,
                                                  .cols = 4,
                                                  .first_half = first},
                                                 7);
      const bool col_first = first == GridLearnedHalf::kCol;
      const auto d_out = testing::random_floats(static_cast<std::size_t>(10 * half), 4);
      check_close(
          rows_of(encoding, given(cells, 2)),
          reference::grid_axes(testing::values_of(encoding, "rowTable"),
                               testing::values_of(encoding, "colTable"), half, cells, col_first),
          0, "rows");
      auto gradients = gradients_of(encoding, given(cells, 2), d_out);
      const auto want =
          reference::grid_axes_backward(3, 4, half, cells, col_first, testing::widened(d_out));
      check_close(gradients["rowTable"], want.row, 1e-6, "row gradient");
      check_close(gradients["colTable"], want.col, 1e-6, "column gradient");
    }
  }
}

TEST_CASE("gridLearned: the reference's gradients are those of finite differences") {
  const reference::SpaceTime rule{{"linear", false, true, 0, 3, 2, 2, 3}, 4, 3, 1, true, true, 2};
  const std::vector<double> tokens = {0, 3, 18, 7, 7};
  const auto table = testing::widened(testing::random_floats(14, 1)),
             time = testing::widened(testing::random_floats(8, 2));
  const auto d_out = testing::widened(testing::random_floats(10, 3));
  const auto gradients = reference::space_time_backward(rule, tokens, d_out);
  testing::check_gradient(
      gradients.table, table,
      [&](const std::vector<double>& at) {
        return testing::product(reference::space_time(rule, at, time, tokens), d_out);
      },
      "table");
  testing::check_gradient(
      gradients.time, time,
      [&](const std::vector<double>& at) {
        return testing::product(reference::space_time(rule, table, at, tokens), d_out);
      },
      "time");
  const std::vector<double> cells = {0, 1, 1, 0, 1, 2};
  auto row = testing::widened(testing::random_floats(4, 4)),
       col = testing::widened(testing::random_floats(6, 5));
  const auto d_cells = testing::widened(testing::random_floats(12, 6));
  const auto axes = reference::grid_axes_backward(2, 3, 2, cells, true, d_cells);
  const auto loss = [&] {
    return testing::product(reference::grid_axes(row, col, 2, cells, true), d_cells);
  };
  testing::check_differences(row, axes.row, loss, "rows");
  testing::check_differences(col, axes.col, loss, "columns");
}

TEST_CASE("gridLearned: 3 x 4 is not 4 x 3, and either half may come first") {
  const auto rows = [](GridLearnedHalf first) {
    return rows_of(
        adapted<GridLearned>(
            {.dim = 6, .kind = GridLearnedKind::kAxes, .rows = 3, .cols = 4, .first_half = first},
            4),
        given(std::vector<double>{2, 3}, 2));
  };
  const auto col = rows(GridLearnedHalf::kCol), row = rows(GridLearnedHalf::kRow);
  CHECK(std::vector<float>(col.begin(), col.begin() + 3) ==
        std::vector<float>(row.begin() + 3, row.end()));
  CHECK(std::vector<float>(col.begin() + 3, col.end()) ==
        std::vector<float>(row.begin(), row.begin() + 3));
  const auto encoding =
      adapted<GridLearned>({.dim = 6, .kind = GridLearnedKind::kAxes, .rows = 3, .cols = 4});
  const std::vector<double> past = {3, 2};
  testing::check_error(encoding.check(given(past, 2), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
}

TEST_CASE(
    "gridLearned: the trained grid gives the table's bits, and prefix rows are never resampled") {
  GridLearnedOptions options{.dim = 5, .rows = 4, .cols = 3, .prefix = 1};
  options.resample.scale_offset = 0.1;
  const auto same = adapted<GridLearned>(GridLearnedOptions(options), 3);
  check_close(rows_of(same, Positions::range(0, 13)), testing::values_of(same, "table"), 0,
              "same grid");
  options.to_rows = 9;
  const auto larger = adapted<GridLearned>(GridLearnedOptions(options), 3);
  const auto first = rows_of(larger, Positions::range(0, 1));
  const auto table = testing::values_of(larger, "table");
  check_close(first, std::vector<double>(table.begin(), table.begin() + 5), 0, "prefix");
  CHECK(larger.check(Positions::range(0, 28), "positions").has_value());
  testing::check_error(larger.check(Positions::range(0, 29), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
}

TEST_CASE("gridLearned: refused options") {
  testing::check_error(
      make<GridLearned>({.dim = 5, .kind = GridLearnedKind::kAxes, .rows = 3, .cols = 3}).error(),
      ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<GridLearned>({.dim = 4, .rows = 0, .cols = 3}).error(),
                       ErrorCode::kOutOfRange, "rows");
  testing::check_error(
      make<GridLearned>({.dim = 4, .kind = GridLearnedKind::kSpaceTime, .rows = 3, .cols = 3})
          .error(),
      ErrorCode::kOutOfRange, "frames");
  GridLearnedOptions nearest{.dim = 4, .rows = 3, .cols = 3};
  nearest.resample = {ResampleMode::kNearest, false, true};
  testing::check_error(make<GridLearned>(std::move(nearest)).error(), ErrorCode::kUnsupported,
                       "resample.antialias");
}

}  // namespace
}  // namespace posenc
