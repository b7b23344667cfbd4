#include "posenc/bias/beit.hpp"

#include "bias/window_table.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::floats_of;

WindowSize size_of(const testing::GoldenCase& golden, const char* key) {
  const auto window = golden.numbers(key);
  return {static_cast<int64_t>(window[0]), static_cast<int64_t>(window[1])};
}

TEST_CASE("beit: published code, with the class token and a resized table") {
  for (const char* name : {"beit-bias--win3x3-h4", "beit-bias--win4x4-to-3x3"}) {
    const auto golden = testing::load_golden(name);
    const WindowSize from = size_of(golden, "window"), to = size_of(golden, "new_window");
    auto bias =
        adapted<Beit>({.heads = static_cast<int64_t>(golden.number("heads")), .window = to});
    const auto wide = golden["table"].as_doubles();
    const TensorView<const double> view{wide, golden["table"].shape};
    ClassWindowResizeArguments arguments;
    arguments.from = from, arguments.to = to;
    const auto table = resize_window_table(arguments, {&view, 1});
    REQUIRE(table.has_value());
    REQUIRE(bias.parameters().set("table", table->data.span()).has_value());
    const Positions all = Positions::range(0, to.height * to.width + 1);
    const double bound = testing::golden_bound(golden.tolerance);
    check_close(testing::written_out(bias, all, all), golden["bias"].floats, bound, name);
    const auto index = window_index({to.height, to.width, true});
    check_close(floats_of(*index), golden["index"].ints, 0, "index");
    const auto plain = reference::window_index({to.height, to.width, true});
    CHECK(plain == testing::wide(golden["index"].ints));
    const auto values = floats_of(*table);
    check_close(reference::looked_up({values.begin(), values.end()}, bias.heads(), plain),
                golden["bias"].floats, bound, "plain bias");
  }
}

TEST_CASE("beit: windows of any shape match the plain loop") {
  for (const auto& [height, width] : testing::window_shapes()) {
    CAPTURE(height);
    CAPTURE(width);
    const int64_t rows = (2 * height - 1) * (2 * width - 1) + 3, tokens = height * width + 1;
    auto bias = adapted<Beit>({.heads = 2, .window = {height, width}});
    for (double value : testing::tensor_of(bias, "table")) CHECK(value == 0);
    REQUIRE(bias.parameters()
                .set("table", testing::random_floats(static_cast<std::size_t>(2 * rows), 4))
                .has_value());
    testing::check_window(bias, {height, width, true}, testing::tensor_of(bias, "table"), 0);
    const Positions all = Positions::range(0, tokens);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(2 * tokens * tokens), 5);
    testing::check_sums(
        testing::taken_back(bias, all, all, d_bias, 16)[0],
        reference::looked_up_backward(rows, 2, reference::window_index({height, width, true}),
                                      testing::widened(d_bias)),
        2e-6, "gradient");
  }
}

TEST_CASE("beit: the plain gradient against finite differences") {
  const auto index = reference::window_index({2, 2, true});
  auto table = testing::widened(testing::random_floats(24, 1));
  const auto d_bias = testing::widened(testing::random_floats(50, 2));
  testing::check_differences(
      table, reference::looked_up_backward(12, 2, index, d_bias),
      [&] { return testing::product(reference::looked_up(table, 2, index), d_bias); }, "table");
}

TEST_CASE(
    "beit: the same window keeps a table bit for bit, square or not; the class token's rows always "
    "stay") {
  const auto table = testing::random_floats((3 * 7 + 3) * 2, 3);
  const std::vector<double> wide(table.begin(), table.end());
  const TensorView<const double> view{wide, {24, 2}};
  ClassWindowResizeArguments arguments;
  arguments.from = arguments.to = {2, 4};
  CHECK(floats_of(*resize_window_table(arguments, {&view, 1})) == table);
  arguments.to = {5, 3};
  const auto resized = resize_window_table(arguments, {&view, 1});
  REQUIRE(resized.has_value());
  CHECK(resized->shape == Shape{9 * 5 + 3, 2});
  const auto values = floats_of(*resized);
  CHECK(std::vector(values.end() - 6, values.end()) == std::vector(table.end() - 6, table.end()));
  // <resize(x), y> = <x, its gradient of y>
  const auto y = testing::random_floats(values.size(), 9);
  const auto wide_y = testing::widened(y);
  const TensorView<const double> d_view{wide_y, {48, 2}};
  const auto back = resize_window_table_backward(arguments, {&d_view, 1});
  REQUIRE(back.has_value());
  CHECK(std::abs(testing::product(testing::widened(values), wide_y) -
                 testing::product(wide, testing::widened(floats_of(*back)))) < 1e-4);
}

TEST_CASE("beit: refused options and tokens") {
  testing::check_error(make<Beit>({.heads = 1, .window = {2, 0}}).error(), ErrorCode::kOutOfRange,
                       "window.width");
  const auto bias = adapted<Beit>({.heads = 1, .window = {2, 3}});
  CHECK(check_positions(Positions::range(0, 7), bias.domain(), "positions.q").has_value());
  testing::check_error(
      check_positions(Positions::range(1, 7), bias.domain(), "positions.q").error(),
      ErrorCode::kOutsideDomain, "positions.q");
}

}  // namespace
}  // namespace posenc
