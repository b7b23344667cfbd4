#include "posenc/bias/kerple.hpp"

#include "reference/bias/kerple.hpp"
#include "support/bias.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::counted;
using testing::taken_back;
using testing::written_out;

reference::Kerple head_of(const KerpleOptions& options, const ParameterSet& parameters,
                          int64_t head) {
  const double p = parameters.values("p")[head], a = parameters.values("a")[head];
  const bool log = options.kind == KerpleKind::kLog;
  return {log, options.sides == KerpleSides::kSymmetric,
          std::clamp(p, options.minimum, log ? 1e9 : 2.0), std::max(a, options.minimum)};
}

std::vector<double> plain_bias(const KerpleOptions& options, const ParameterSet& parameters,
                               const std::vector<double>& query, const std::vector<double>& key) {
  std::vector<double> bias;
  for (int64_t h = 0; h < options.heads; h++) {
    const auto one = reference::kerple_bias(head_of(options, parameters, h), query, key);
    bias.insert(bias.end(), one.begin(), one.end());
  }
  return bias;
}

// Gradients p [heads] and a [heads].
std::vector<std::vector<double>> plain_gradient(const KerpleOptions& options,
                                                const ParameterSet& parameters,
                                                const std::vector<float>& d_bias,
                                                const std::vector<double>& query,
                                                const std::vector<double>& key) {
  std::vector<std::vector<double>> gradient(2);
  const auto size = static_cast<std::ptrdiff_t>(query.size() * key.size());
  for (int64_t h = 0; h < options.heads; h++) {
    const auto first = d_bias.begin() + h * size;
    const auto one = reference::kerple_backward(head_of(options, parameters, h),
                                                {first, first + size}, query, key);
    gradient[0].push_back(one.p);
    gradient[1].push_back(one.a);
  }
  return gradient;
}

TEST_CASE("kerple: the authors' code, forward and gradients") {
  for (const char* name : {"kerple--log-h3-l11", "kerple--power-h4-l9"}) {
    const auto golden = testing::load_golden(name);
    const KerpleOptions options{
        .heads = golden["p"].shape[0],
        .kind = golden.text("kind") == "log" ? KerpleKind::kLog : KerpleKind::kPower,
        .sides = KerpleSides::kCausal,
        .minimum = golden.number("eps")};
    auto bias = adapted<Kerple>(options);
    REQUIRE(bias.parameters().set("p", golden["p"].floats).has_value());
    REQUIRE(bias.parameters().set("a", golden["a"].floats).has_value());
    const int64_t length = golden["bias"].shape[1];
    const auto positions = counted(0, length);
    const double bound = testing::golden_bound(golden.tolerance);
    const Positions all = Positions::range(0, length);
    check_close(written_out(bias, all, all), golden["bias"].floats, bound, name);
    check_close(plain_bias(options, bias.parameters(), positions, positions), golden["bias"].floats,
                1e-7, name);
    const auto gradients = taken_back(bias, all, all, golden["dout"].floats);
    check_close(gradients[0], golden["dp"].floats, bound, std::string(name) + " dp");
    check_close(gradients[1], golden["da"].floats, bound, std::string(name) + " da");
    const auto plain =
        plain_gradient(options, bias.parameters(), golden["dout"].floats, positions, positions);
    check_close(plain[0], golden["dp"].floats, 2e-7, std::string(name) + " plain dp");
    check_close(plain[1], golden["da"].floats, 2e-7, std::string(name) + " plain da");
  }
}

TEST_CASE(
    "kerple: tiles, contiguous and given positions give the same bits, and match the plain loop") {
  for (KerpleKind kind : {KerpleKind::kLog, KerpleKind::kPower}) {
    for (KerpleSides sides : {KerpleSides::kSymmetric, KerpleSides::kCausal}) {
      const KerpleOptions options{.heads = 3, .kind = kind, .sides = sides};
      auto bias = adapted<Kerple>(options, 3);
      REQUIRE(bias.parameters().set("p", std::vector{-1.0F, 3.0F, 0.7F}).has_value());
      for (const auto& [queries, keys] :
           testing::awkward_pairs({{0, 3}, {1, 9}, {7, 3}, {13, 13}, {66, 130}, {5, 300}})) {
        CAPTURE(keys);
        const auto query = counted(17.5, queries), key = counted(-3, keys);
        const Positions q = Positions::range(17.5, queries), k = Positions::range(-3, keys);
        const auto contiguous = written_out(bias, q, k);
        CHECK(written_out(bias, Positions::array(query.data(), queries),
                          Positions::array(key.data(), keys)) == contiguous);
        CHECK(written_out(bias, q, k, 7) == contiguous);
        check_close(contiguous, plain_bias(options, bias.parameters(), query, key), 2e-7, "bias");
      }
    }
  }
}

TEST_CASE("kerple: far distances") {
  for (KerpleKind kind : {KerpleKind::kLog, KerpleKind::kPower}) {
    const KerpleOptions options{.heads = 2, .kind = kind};
    const auto bias = adapted<Kerple>(options, 8);
    const std::vector<double> query{0}, key{-0x1p24, -1e6, -1, 0, 3, 65537, 0x1p40};
    check_close(
        written_out(bias, Positions::array(query.data(), 1), Positions::array(key.data(), 7)),
        plain_bias(options, bias.parameters(), query, key), 2e-7, "bias");
  }
}

TEST_CASE("kerple: gradients through tiles") {
  for (const auto& [queries, keys] : testing::awkward_pairs({{21, 70}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(2 * queries * keys), 7);
    const auto query = counted(5, queries), key = counted(0, keys);
    for (KerpleKind kind : {KerpleKind::kLog, KerpleKind::kPower}) {
      for (KerpleSides sides : {KerpleSides::kSymmetric, KerpleSides::kCausal}) {
        const KerpleOptions options{.heads = 2, .kind = kind, .sides = sides};
        const auto bias = adapted<Kerple>(options, 4);
        const auto want = plain_gradient(options, bias.parameters(), d_bias, query, key);
        const auto contiguous =
            taken_back(bias, Positions::range(5, queries), Positions::range(0, keys), d_bias);
        const auto given = taken_back(bias, Positions::array(query.data(), queries),
                                      Positions::array(key.data(), keys), d_bias, 16);
        for (std::size_t t = 0; t < 2; t++) {
          testing::check_sums(contiguous[t], want[t], 5e-6, "contiguous");
          testing::check_sums(given[t], want[t], 5e-6, "given");
        }
      }
    }
  }
}

TEST_CASE("kerple: the plain gradient against finite differences") {
  const auto query = counted(2, 4), key = counted(0, 9);
  const auto d_bias = testing::widened(testing::random_floats(36, 2));
  for (bool log : {true, false}) {
    std::vector<double> shape{1.3, 0.4};
    const auto head = [&] { return reference::Kerple{log, true, shape[0], shape[1]}; };
    const auto gradient = reference::kerple_backward(head(), d_bias, query, key);
    testing::check_differences(
        shape, {gradient.p, gradient.a},
        [&] { return testing::product(reference::kerple_bias(head(), query, key), d_bias); },
        "p, a");
  }
}

TEST_CASE("kerple: initial values lie in their ranges, and options are checked") {
  const auto bias = adapted<Kerple>({.heads = 64}, 1);
  for (int64_t h = 0; h < 64; h++) {
    CHECK(bias.parameters().values("p")[h] >= 0);
    CHECK(bias.parameters().values("p")[h] < 2);
    CHECK(bias.parameters().values("a")[h] >= 0);
    CHECK(bias.parameters().values("a")[h] < 1);
  }
  testing::check_error(make<Kerple>({.heads = 0}).error(), ErrorCode::kOutOfRange, "heads");
  testing::check_error(make<Kerple>({.heads = 1, .minimum = 0}).error(), ErrorCode::kOutOfRange,
                       "minimum");
}

}  // namespace
}  // namespace posenc
