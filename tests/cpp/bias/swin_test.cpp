#include "posenc/bias/swin.hpp"

#include "attention/bias_case.hpp"
#include "bias/window_table.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::floats_of;

SwinOptions options_of(const testing::GoldenCase& golden) {
  const auto window = golden.numbers("window");
  return {.heads = static_cast<int64_t>(golden.number("heads")),
          .window = {static_cast<int64_t>(window[0]), static_cast<int64_t>(window[1])}};
}

reference::Window plain_of(const SwinOptions& options) {
  return {options.window.height, options.window.width};
}

TEST_CASE("swin: the authors' code, with the mask of shifted windows and the table's gradient") {
  for (const char* name : {"swin-bias--v1-win3x3", "swin-bias--v1-win2x4-mask"}) {
    const auto golden = testing::load_golden(name);
    const SwinOptions options = options_of(golden);
    auto bias = adapted<Swin>(options);
    REQUIRE(bias.parameters().set("table", golden["table"].floats).has_value());
    const auto index = window_index({options.window.height, options.window.width});
    check_close(floats_of(*index), golden["index"].ints, 0, "index");
    CHECK(reference::window_index(plain_of(options)) == testing::wide(golden["index"].ints));

    testing::Setup setup = testing::bias_setup(golden, bias);
    const Positions all = Positions::range(0, setup.q_len);
    check_close(testing::written_out(bias, all, all), golden["bias"].floats,
                testing::golden_bound(golden.tolerance), name);
    if (golden.tensors.contains("mask")) {
      setup.mask_kind = AttentionMask::Kind::kAdditive;
      setup.mask_shape = {setup.batch, 1, setup.q_len, setup.k_len};
      setup.additive = golden["mask"].floats;
    }
    const auto plain = reference::looked_up(golden["table"].as_doubles(), options.heads,
                                            testing::wide(golden["index"].ints));
    const auto gradient = testing::check_bias_case(setup, golden, plain);
    check_close(gradient.params[0], golden["dtable"].floats,
                testing::golden_bound(golden.tolerance), "dtable");
  }
}

TEST_CASE("swin: a window of 2 x 3 has 15 rows, each its own") {
  const auto index = window_index({2, 3});
  REQUIRE(index.has_value());
  const auto values = floats_of(*index);
  check_close(std::vector(values.begin(), values.begin() + 6), std::vector{7, 6, 5, 2, 1, 0}, 0,
              "place 0");
  CHECK(values[5 * 6] == 14);
  std::vector<float> distinct = values;
  std::ranges::sort(distinct);
  CHECK(std::unique(distinct.begin(), distinct.end()) - distinct.begin() == 15);
  CHECK(adapted<Swin>({.heads = 2, .window = {2, 3}}).parameters()[0].shape == Shape{15, 2});
}

TEST_CASE("swin: windows of any shape match the plain loop") {
  for (const auto& [height, width] : testing::window_shapes()) {
    CAPTURE(height);
    CAPTURE(width);
    const auto bias = adapted<Swin>({.heads = 3, .window = {height, width}}, 4);
    testing::check_window(bias, {height, width}, testing::tensor_of(bias, "table"), 0);
    const int64_t places = height * width;
    const Positions all = Positions::range(0, places);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(3 * places * places), 5);
    const auto index = reference::window_index({height, width});
    testing::check_sums(testing::taken_back(bias, all, all, d_bias, 16)[0],
                        reference::looked_up_backward((2 * height - 1) * (2 * width - 1), 3, index,
                                                      testing::widened(d_bias)),
                        2e-6, "gradient");
  }
}

TEST_CASE("swin: the plain gradient against finite differences") {
  const auto index = reference::window_index({2, 3});
  auto table = testing::widened(testing::random_floats(30, 1));
  const auto d_bias = testing::widened(testing::random_floats(72, 2));
  testing::check_differences(
      table, reference::looked_up_backward(15, 2, index, d_bias),
      [&] { return testing::product(reference::looked_up(table, 2, index), d_bias); }, "table");
}

TEST_CASE("swin: the mask of shifted windows") {
  for (const auto& [window, image, shift] :
       {std::tuple{WindowSize{2, 3}, WindowSize{4, 9}, WindowSize{1, 1}},
        std::tuple{WindowSize{4, 4}, WindowSize{8, 8}, WindowSize{2, 2}},
        std::tuple{WindowSize{3, 2}, WindowSize{3, 6}, WindowSize{0, 1}},
        std::tuple{WindowSize{2, 2}, WindowSize{2, 2}, WindowSize{1, 0}}}) {
    const auto mask = shift_mask({window.height, window.width}, {image, shift, -100});
    REQUIRE(mask.has_value());
    const int64_t places = window.height * window.width;
    CHECK(mask->shape == Shape{image.height * image.width / places, 1, places, places});
    check_close(floats_of(*mask),
                reference::shift_mask({window.height, window.width}, image.height, image.width,
                                      shift.height, shift.width, -100),
                0, "mask");
  }
  testing::check_error(shift_mask({2, 3}, {{4, 8}, {1, 1}, -100}).error(), ErrorCode::kOutOfRange,
                       "image.width");
  testing::check_error(shift_mask({2, 3}, {{4, 9}, {2, 1}, -100}).error(), ErrorCode::kOutOfRange,
                       "shift.height");
}

TEST_CASE("swin: a table resized to another window is its grid of offsets resampled") {
  const auto table = testing::random_floats(15 * 2, 3);
  const std::vector<double> wide(table.begin(), table.end());
  const TensorView<const double> view{wide, {15, 2}};
  WindowResizeArguments same{{2, 3}, {2, 3}, {}};
  CHECK(floats_of(*resize_window_table(same, {&view, 1})) == table);
  WindowResizeArguments larger{{2, 3}, {3, 4}, {.mode = ResampleMode::kCubic}};
  const auto resized = resize_window_table(larger, {&view, 1});
  REQUIRE(resized.has_value());
  CHECK(resized->shape == Shape{35, 2});
  ResampleGrid grid;
  REQUIRE(grid.prepare(larger.rule, 3, 5, 5, 7, "to"));
  std::vector<float> want(35 * 2);
  kernels::resample(grid, table.data(), 2, want.data());
  CHECK(floats_of(*resized) == want);
  WindowResizeArguments wrong{{3, 3}, {2, 3}, {}};
  testing::check_error(resize_window_table(wrong, {&view, 1}).error(), ErrorCode::kShapeMismatch,
                       "table");
}

TEST_CASE("swin: refused options and places") {
  testing::check_error(make<Swin>({.heads = 0, .window = {2, 2}}).error(), ErrorCode::kOutOfRange,
                       "heads");
  testing::check_error(make<Swin>({.heads = 1, .window = {0, 2}}).error(), ErrorCode::kOutOfRange,
                       "window.height");
  const auto bias = adapted<Swin>({.heads = 1, .window = {2, 3}});
  testing::check_error(
      check_positions(Positions::range(0, 7), bias.domain(), "positions.q").error(),
      ErrorCode::kOutsideDomain, "positions.q");
  CHECK(check_positions(Positions::range(0, 6), bias.domain(), "positions.q").has_value());
}

}  // namespace
}  // namespace posenc
