#include "posenc/bias/fire.hpp"

#include "reference/bias/fire.hpp"
#include "support/bias.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::counted;
using testing::taken_back;
using testing::widened;
using testing::written_out;

reference::Fire plain_of(const FireOptions& options, const ParameterSet& parameters) {
  const auto tensor = [&](const char* name) {
    const auto values = parameters[parameters.find(name)].values.span();
    return std::vector<double>(values.begin(), values.end());
  };
  return {options.heads, options.width, options.init_l, options.eps,    tensor("w1"),
          tensor("b1"),  tensor("w2"),  tensor("b2"),   tensor("c")[0], tensor("lMultiplier")[0]};
}

std::vector<std::vector<double>> in_order(const reference::FireGradient& g) {
  return {g.w1, g.b1, g.w2, g.b2, {g.c}, {g.multiplier}};
}

TEST_CASE("fire: published code, forward and all gradients, a query at the threshold among them") {
  const auto golden = testing::load_golden("fire--h3-l12-threshold6");
  const FireOptions options{.heads = static_cast<int64_t>(golden.number("heads")),
                            .width = static_cast<int64_t>(golden.number("mlp_width")),
                            .init_l = golden.number("init_L"),
                            .eps = golden.number("eps")};
  auto bias = adapted<Fire>(options);
  for (const char* name : {"w1", "b1", "w2", "b2"}) {
    REQUIRE(bias.parameters().set(name, golden[name].floats).has_value());
  }
  REQUIRE(
      bias.parameters().set("c", std::vector{static_cast<float>(golden.number("c"))}).has_value());
  REQUIRE(bias.parameters().set("lMultiplier", std::vector{1.5F}).has_value());
  const auto positions = counted(0, 12);
  const Positions all = Positions::range(0, 12), given = Positions::array(positions.data(), 12);
  const double bound = testing::golden_bound(golden.tolerance);
  auto plain = plain_of(options, bias.parameters());
  plain.c = golden.number("c");  // the published run has it in double
  check_close(written_out(bias, all, all), golden["bias"].floats, bound, "bias");
  check_close(written_out(bias, given, given), golden["bias"].floats, bound, "bias, given");
  check_close(fire_bias(plain, positions, positions), golden["bias"].floats, 1e-7, "plain bias");
  const auto want =
      in_order(fire_backward(plain, widened(golden["dout"].floats), positions, positions));
  const auto contiguous = taken_back(bias, all, all, golden["dout"].floats);
  const auto rows = taken_back(bias, given, given, golden["dout"].floats);
  std::size_t i = 0;
  for (const char* name : {"dw1", "db1", "dw2", "db2", "dc", "dL_multiplier"}) {
    check_close(contiguous[i], golden[name].floats, bound, name);
    check_close(rows[i], golden[name].floats, bound, std::string(name) + ", given");
    check_close(want[i++], golden[name].floats, 2e-7, std::string("plain ") + name);
  }
}

TEST_CASE(
    "fire: tiles, contiguous and given positions give the same bits, and match the plain loop") {
  for (const FireOptions& options :
       {FireOptions{.heads = 3}, FireOptions{.heads = 2, .width = 5, .init_l = 20},
        FireOptions{.heads = 1, .width = 1, .init_l = 1e-3}}) {
    const auto bias = adapted<Fire>(options, 5);
    const auto plain = plain_of(options, bias.parameters());
    for (const auto& [queries, keys] :
         testing::awkward_pairs({{0, 3}, {3, 0}, {1, 9}, {7, 3}, {13, 13}, {66, 130}, {5, 300}})) {
      CAPTURE(queries);
      CAPTURE(keys);
      const auto query = counted(4.5, queries), key = counted(-3, keys);
      const Positions q = Positions::range(4.5, queries), k = Positions::range(-3, keys);
      const auto contiguous = written_out(bias, q, k);
      CHECK(written_out(bias, Positions::array(query.data(), queries),
                        Positions::array(key.data(), keys)) == contiguous);
      CHECK(written_out(bias, q, k, 7) == contiguous);
      check_close(contiguous, fire_bias(plain, query, key), 1e-6, "bias");
    }
  }
}

TEST_CASE("fire: gradients through tiles, with magnitudes of negative c and lMultiplier") {
  const FireOptions options{.heads = 2, .width = 7, .init_l = 16};
  auto bias = adapted<Fire>(options, 9);
  REQUIRE(bias.parameters().set("c", std::vector{-0.3F}).has_value());
  REQUIRE(bias.parameters().set("lMultiplier", std::vector{-1.0F}).has_value());
  for (const auto& [queries, keys] : testing::awkward_pairs({{31, 70}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(2 * queries * keys), 7);
    const auto query = counted(0, queries), key = counted(-20, keys);
    const auto want =
        in_order(fire_backward(plain_of(options, bias.parameters()), widened(d_bias), query, key));
    const auto contiguous =
        taken_back(bias, Positions::range(0, queries), Positions::range(-20, keys), d_bias, 16);
    const auto given = taken_back(bias, Positions::array(query.data(), queries),
                                  Positions::array(key.data(), keys), d_bias);
    for (std::size_t t = 0; t < want.size(); t++) {
      testing::check_sums(contiguous[t], want[t], 5e-6, "contiguous");
      testing::check_sums(given[t], want[t], 5e-6, "given");
    }
  }
}

TEST_CASE("fire: the plain gradient against finite differences") {
  reference::Fire fire{2, 3, 4, 1e-6, {}, {}, {}, {}, 0.2, 1.1};
  fire.w1 = widened(testing::random_floats(3, 1)), fire.b1 = widened(testing::random_floats(3, 2));
  fire.w2 = widened(testing::random_floats(6, 3)), fire.b2 = widened(testing::random_floats(2, 4));
  const auto query = counted(1, 6), key = counted(0, 5);
  const auto d_bias = widened(testing::random_floats(60, 5));
  const auto loss = [&] { return testing::product(fire_bias(fire, query, key), d_bias); };
  const auto g = fire_backward(fire, d_bias, query, key);
  testing::check_differences(fire.w1, g.w1, loss, "w1");
  testing::check_differences(fire.b1, g.b1, loss, "b1");
  testing::check_differences(fire.w2, g.w2, loss, "w2");
  testing::check_differences(fire.b2, g.b2, loss, "b2");
  std::vector<double> shape{fire.c, fire.multiplier};
  const auto shaped = [&] {
    fire.c = shape[0], fire.multiplier = shape[1];
    return loss();
  };
  testing::check_differences(shape, {g.c, g.multiplier}, shaped, "c, lMultiplier");
}

TEST_CASE("fire: refused options") {
  testing::check_error(make<Fire>({.heads = 0}).error(), ErrorCode::kOutOfRange, "heads");
  testing::check_error(make<Fire>({.heads = 1, .width = 0}).error(), ErrorCode::kOutOfRange,
                       "width");
  testing::check_error(make<Fire>({.heads = 1, .init_l = -1}).error(), ErrorCode::kOutOfRange,
                       "initL");
}

}  // namespace
}  // namespace posenc
