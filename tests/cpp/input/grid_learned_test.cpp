#include "posenc/input/grid_learned.hpp"

#include "reference/input/grid_learned.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/input_rows.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::GoldenCase;
using testing::gradients_of;
using testing::rows_of;

int64_t whole(const GoldenCase& golden, const char* key) {
  return static_cast<int64_t>(golden.number(key));
}

GridLearnedOptions vit_options(const GoldenCase& golden) {
  GridLearnedOptions options{
      .dim = whole(golden, "dim"), .rows = whole(golden, "grid"), .cols = whole(golden, "grid")};
  options.to_rows = whole(golden, "height");
  options.to_cols = whole(golden, "width");
  options.prefix = whole(golden, "extra_tokens");
  options.resample = {ResampleMode::kCubic, false, golden.number("antialias") != 0,
                      golden.number("scale_offset")};
  return options;
}

TEST_CASE("gridLearned: patch tables of published implementations, and their gradients") {
  for (const char* name :
       {"learned-2d--dino-4to7x3-offset", "learned-2d--dinov2-5to3x8-antialias",
        "learned-2d--mae-4to6-extra2", "learned-2d--vit-4-same", "learned-2d--vit-4to6x5"}) {
    CAPTURE(name);
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    auto encoding = adapted<GridLearned>(vit_options(golden));
    testing::set_values(encoding, "table", golden["table"].floats);
    const auto all = Positions::range(0, golden["out"].shape[0]);
    check_close(rows_of(encoding, all), golden["out"].floats, bound, "out");
    if (golden.tensors.contains("dout")) {
      check_close(gradients_of(encoding, all, golden["dout"].floats)["table"],
                  golden["dtable"].floats, bound, "dtable");
    }
  }
}

// From [channels, cells] to [cells, channels].
std::vector<float> channels_last(const std::vector<float>& values, std::size_t channels) {
  std::vector<float> turned(values.size());
  const std::size_t cells = values.size() / channels;
  for (std::size_t i = 0; i < values.size(); i++)
    turned[i % cells * channels + i / cells] = values[i];
  return turned;
}

std::vector<double> cells_of(int64_t rows, int64_t cols) {
  std::vector<double> cells;
  for (int64_t i = 0; i < rows * cols; i++) {
    cells.push_back(static_cast<double>(i / cols));
    cells.push_back(static_cast<double>(i % cols));
  }
  return cells;
}

TEST_CASE("gridLearned: DETR's tables of rows and columns") {
  const auto golden = testing::load_golden("detr-learned--h4w6-nf8");
  const double bound = testing::golden_bound(golden.tolerance);
  auto encoding =
      adapted<GridLearned>({.dim = 16, .kind = GridLearnedKind::kAxes, .rows = 50, .cols = 50});
  testing::set_values(encoding, "rowTable", golden["row_embed"].floats);
  testing::set_values(encoding, "colTable", golden["col_embed"].floats);
  const auto cells = cells_of(4, 6);
  const auto want = channels_last(golden["pos"].floats, 16),
             d_out = channels_last(golden["dout"].floats, 16);
  check_close(rows_of(encoding, given(cells, 2)), want, bound, "pos");
  auto gradients = gradients_of(encoding, given(cells, 2), d_out);
  check_close(gradients["rowTable"], golden["drow_embed"].floats, bound, "row gradient");
  check_close(gradients["colTable"], golden["dcol_embed"].floats, bound, "column gradient");
  check_close(reference::grid_axes(golden["row_embed"].as_doubles(),
                                   golden["col_embed"].as_doubles(), 8, cells, true),
              want, bound, "reference");
}

TEST_CASE("gridLearned: TimeSformer's tables of space and time") {
  for (const char* name : {"timesformer--resize-3to4x5-frames4to7", "timesformer--same-size"}) {
    CAPTURE(name);
    const auto golden = testing::load_golden(name);
    const int64_t dim = whole(golden, "dim"), frames = whole(golden, "frames");
    GridLearnedOptions options{.dim = dim, .kind = GridLearnedKind::kSpaceTime};
    options.rows = options.cols = whole(golden, "pretrained_grid");
    options.frames = whole(golden, "pretrained_frames");
    options.to_rows = whole(golden, "height"), options.to_cols = whole(golden, "width"),
    options.to_frames = frames;
    options.prefix = 1;
    options.resample.mode = ResampleMode::kNearest;
    auto encoding = adapted<GridLearned>(std::move(options));
    testing::set_values(encoding, "table", golden["space"].floats);
    testing::set_values(encoding, "timeTable", golden["time"].floats);
    // Embeddings in the order of the output: the class token, then all frames of each patch.
    const auto& x = golden["x"].floats;
    const int64_t cells = golden["x"].shape[0] / frames;
    auto out = golden["cls"].floats;
    for (int64_t i = 0; i < cells * frames; i++) {
      const auto from = x.begin() + (i % frames * cells + i / frames) * dim;
      out.insert(out.end(), from, from + dim);
    }
    const auto rows = rows_of(encoding, Positions::range(0, cells * frames + 1));
    for (std::size_t i = 0; i < out.size(); i++) out[i] += rows[i];
    check_close(out, golden["out"].floats, testing::golden_bound(golden.tolerance), "out");
  }
}

TEST_CASE("gridLearned: every kind equals the plain loop, forward and backward") {
  for (int64_t dim : {1, 4, 5, 8, 19, 34}) {
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
