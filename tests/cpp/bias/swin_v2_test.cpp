#include "posenc/bias/swin_v2.hpp"

#include "bias/window_table.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::floats_of;
using testing::tensor_of;

reference::WindowNetwork plain_of(const SwinV2Options& options, const Encoding& encoding) {
  return {{options.window.height, options.window.width},
          options.pretrained.height,
          options.pretrained.width,
          options.heads,
          options.hidden,
          tensor_of(encoding, "w1"),
          tensor_of(encoding, "b1"),
          tensor_of(encoding, "w2")};
}

TEST_CASE("swinV2: the authors' coordinates, index and bias") {
  const auto golden = testing::load_golden("swin-bias--v2-win3x4");
  const auto window = golden.numbers("window");
  const SwinV2Options options{
      .heads = static_cast<int64_t>(golden.number("heads")),
      .window = {static_cast<int64_t>(window[0]), static_cast<int64_t>(window[1])},
      .hidden = static_cast<int64_t>(golden.number("hidden"))};
  auto bias = adapted<SwinV2>(options);
  for (const char* name : {"w1", "b1", "w2"}) {
    REQUIRE(bias.parameters().set(name, golden[name].floats).has_value());
  }
  const double bound = testing::golden_bound(golden.tolerance);
  const SwinV2 encoding = std::move(*make<SwinV2>(options));
  const auto coordinates = swin_v2_coordinates(encoding, {}, {});
  CHECK(coordinates->shape == golden["coords"].shape);
  check_close(floats_of(*coordinates), golden["coords"].floats, 1e-7, "coordinates");
  check_close(floats_of(*swin_v2_index(encoding, {}, {})), golden["index"].ints, 0, "index");
  const Positions all = Positions::range(0, 12);
  check_close(testing::written_out(bias, all, all), golden["bias"].floats, bound, "bias");
  const auto plain = plain_of(options, bias);
  check_close(reference::window_coordinates(plain), golden["coords"].floats, 1e-7,
              "plain coordinates");
  check_close(reference::looked_up(reference::window_network(plain), options.heads,
                                   reference::window_index(plain.window)),
              golden["bias"].floats, 2e-7, "plain bias");
}

TEST_CASE("swinV2: coordinates go by the window of training, and beyond 1") {
  const SwinV2 small = std::move(*make<SwinV2>({.heads = 1, .window = {8, 8}}));
  const SwinV2 large =
      std::move(*make<SwinV2>({.heads = 1, .window = {16, 16}, .pretrained = {8, 8}}));
  CHECK(small.coordinates()[small.coordinates().size() - 1] ==
        doctest::Approx(1.056642).epsilon(1e-6));
  CHECK(large.coordinates()[large.coordinates().size() - 1] ==
        doctest::Approx(1.393778).epsilon(1e-6));
  CHECK(large.coordinates()[0] == doctest::Approx(-1.393778).epsilon(1e-6));
}

TEST_CASE("swinV2: windows of any shape match the plain loop, forward and gradients") {
  std::vector<SwinV2Options> all = {
      {.heads = 2, .window = {5, 3}, .pretrained = {4, 8}, .hidden = 33},
      {.heads = 4, .window = {7, 7}}};
  for (const auto& [height, width] : testing::window_shapes())
    all.push_back({.heads = 2, .window = {height, width}, .hidden = 5});
  for (const auto& [hidden, heads] : testing::awkward_pairs())
    all.push_back({.heads = heads, .window = {2, 3}, .hidden = hidden});
  for (const SwinV2Options& options : all) {
    CAPTURE(options.window.height);
    CAPTURE(options.window.width);
    CAPTURE(options.hidden);
    CAPTURE(options.heads);
    const auto bias = adapted<SwinV2>(options, 6);
    const auto plain = plain_of(options, bias);
    const auto table = reference::window_network(plain);
    testing::check_window(bias, plain.window, table, 2e-6);
    const int64_t places = options.window.height * options.window.width;
    const Positions all = Positions::range(0, places);
    const auto d_bias =
        testing::random_floats(static_cast<std::size_t>(options.heads * places * places), 5);
    const auto index = reference::window_index(plain.window);
    const auto offsets = static_cast<int64_t>(table.size()) / options.heads;
    const auto want = reference::window_network_backward(
        plain,
        reference::looked_up_backward(offsets, options.heads, index, testing::widened(d_bias)));
    const auto got = testing::taken_back(bias, all, all, d_bias, 16);
    testing::check_sums(got[SwinV2::kW1], want.w1, 5e-6, "w1");
    testing::check_sums(got[SwinV2::kB1], want.b1, 5e-6, "b1");
    testing::check_sums(got[SwinV2::kW2], want.w2, 5e-6, "w2");
  }
}

TEST_CASE("swinV2: new weights make new numbers") {
  auto bias = adapted<SwinV2>({.heads = 1, .window = {2, 2}, .hidden = 4}, 1);
  const Positions all = Positions::range(0, 4);
  const auto before = testing::written_out(bias, all, all);
  REQUIRE(bias.parameters().set("w2", std::vector{0.0F, 0.0F, 0.0F, 0.0F}).has_value());
  CHECK(testing::written_out(bias, all, all) == std::vector<float>(16, 8));
  CHECK(before != std::vector<float>(16, 8));
}

TEST_CASE("swinV2: the plain gradient against finite differences") {
  reference::WindowNetwork network{{2, 3},
                                   0,
                                   5,
                                   2,
                                   3,
                                   testing::widened(testing::random_floats(6, 1)),
                                   testing::widened(testing::random_floats(3, 2)),
                                   testing::widened(testing::random_floats(6, 3))};
  const auto d_table = testing::widened(testing::random_floats(30, 4));
  const auto loss = [&] { return testing::product(reference::window_network(network), d_table); };
  const auto g = reference::window_network_backward(network, d_table);
  testing::check_differences(network.w1, g.w1, loss, "w1");
  testing::check_differences(network.b1, g.b1, loss, "b1");
  testing::check_differences(network.w2, g.w2, loss, "w2");
}

TEST_CASE("swinV2: refused options") {
  testing::check_error(make<SwinV2>({.heads = 1, .window = {2, 2}, .hidden = 0}).error(),
                       ErrorCode::kOutOfRange, "hidden");
  testing::check_error(make<SwinV2>({.heads = 1, .window = {2, 2000}}).error(),
                       ErrorCode::kOutOfRange, "window.width");
}

}  // namespace
}  // namespace posenc
