// Tables of grids as published implementations have them.
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

}  // namespace
}  // namespace posenc
