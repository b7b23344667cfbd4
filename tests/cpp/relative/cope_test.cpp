#include "posenc/relative/cope.hpp"

#include <cmath>
#include <tuple>

#include "reference/relative/cope.hpp"
#include "relative/support.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::Setup;
using testing::values_of;
using Doubles = std::vector<double>;

reference::Cope plain_of(const Setup& setup, const Encoding& encoding, int64_t count,
                         bool scaled = true) {
  reference::Cope plain{setup.reference(), values_of(encoding, "table"), count, 1};
  if (scaled) plain.gate_scale = plain.attention.scale;
  return plain;
}

void check_golden(const std::string& name) {
  const auto golden = testing::load_golden(name);
  const double bound = testing::golden_bound(golden.tolerance);
  Setup setup = testing::golden_setup(golden);
  setup.options.causal = Causal::kTopLeft;
  const auto count = static_cast<int64_t>(golden.number("npos"));
  const int64_t width = setup.options.head_dim;
  const auto encoding =
      testing::relative_encoding<Cope>({.head_dim = width, .max_positions = count});
  const auto turned = [&](const std::vector<float>& x, bool back) {  // [dim, npos] and [npos, dim]
    std::vector<float> out(x.size());
    for (int64_t r = 0; r < count; r++) {
      for (int64_t c = 0; c < width; c++) {
        const auto table = static_cast<std::size_t>(r * width + c),
                   file = static_cast<std::size_t>(c * count + r);
        out[back ? file : table] = x[back ? table : file];
      }
    }
    return out;
  };
  REQUIRE(encoding->parameters().set("table", turned(golden["pos_emb"].floats, false)).has_value());
  const auto plain = plain_of(setup, *encoding, count);
  const auto want = cope_forward(plain);
  check_close(want.out, golden["out"].floats, 1e-6, name + " plain out");
  const auto seen = [&](std::size_t n) { return plain.attention.visible[n]; };
  for (std::size_t n = 0; n < want.positions.size(); n++) {
    if (seen(n))
      CHECK(std::abs(want.positions[n] - static_cast<double>(golden["positions"].floats[n])) <=
            1e-5);
  }
  const auto got = testing::run_relative(setup, *encoding);
  check_close(got.out, golden["out"].floats, bound, name + " out");
  check_close(got.dq, golden["dq"].floats, bound, name + " dq");
  check_close(got.dk, golden["dk"].floats, bound, name + " dk");
  check_close(got.dv, golden["dv"].floats, bound, name + " dv");
  check_close(turned(got.params[0], true), golden["dpos_emb"].floats, bound, name + " dpos_emb");
  const auto d = cope_backward(plain, golden["dout"].as_doubles());
  check_close(d.dq, golden["dq"].floats, 1e-6, name + " plain dq");
  check_close(d.dk, golden["dk"].floats, 1e-6, name + " plain dk");
}

TEST_CASE("cope: published implementations") {
  check_golden("cope--h2-l9-npos10");
  check_golden("cope--h3-l11-npos4-clamped");
}

// Positions that stand close to a whole number or to the clamp go either way in float: there the
// loss has a corner.
double distance_to_corner(const reference::CopeResult& result) {
  double least = 1;
  for (double p : result.positions)
    least = std::min(least, std::abs(p - std::round(p)) + (p == std::round(p) ? 1 : 0));
  return least;
}

TEST_CASE("cope: random calls against the plain loops, over several tiles") {
  double out = 0, gradient = 0, table = 0;
  uint64_t calls = 0;
  constexpr uint64_t kRandomCalls = 60;
  const auto awkward = testing::awkward_pairs();  // sizes of the calls behind the random ones
  for (uint64_t seed = 0; seed < kRandomCalls + awkward.size(); seed++) {
    CAPTURE(seed);
    Random random(seed + 77);
    const auto pick = [&](std::initializer_list<int64_t> from) {
      return from.begin()[random.next() % from.size()];
    };
    Setup setup;
    setup.q_len = pick({1, 2, 5, 17, 64, 65}), setup.k_len = pick({1, 3, 17, 63, 64, 65, 130});
    setup.batch = pick({1, 2});
    if (seed >= kRandomCalls) std::tie(setup.q_len, setup.k_len) = awkward[seed - kRandomCalls];
    setup.options = {.heads = pick({1, 2}) * 2,
                     .kv_heads = 2,
                     .head_dim = pick({1, 3, 8, 20}),
                     .value_dim = pick({1, 3, 8})};
    if (seed >= kRandomCalls)
      std::tie(setup.options.value_dim, setup.options.head_dim) = awkward[seed - kRandomCalls];
    if (pick({0, 1})) setup.options.causal = Causal::kBottomRight;
    if (pick({0, 1, 2}) == 0) setup.options.window_left = 20;
    if (pick({0, 1}) && setup.k_len > 2)
      setup.lengths.assign(static_cast<std::size_t>(setup.batch),
                           static_cast<int32_t>(setup.k_len - 2));
    setup.fill(seed);
    const int64_t count = pick({1, 2, 5, 40, 100});
    const bool scaled = pick({0, 1}) == 0;
    const auto encoding =
        testing::relative_encoding<Cope>({.head_dim = setup.options.head_dim,
                                          .max_positions = count,
                                          .gates = scaled ? CopeGates::kScaled : CopeGates::kRaw},
                                         seed);
    const auto plain = plain_of(setup, *encoding, count, scaled);
    const auto want = cope_forward(plain);
    const auto got = testing::run_relative(setup, *encoding);
    out = std::max({out, testing::largest_error(got.out, want.out),
                    testing::largest_error(got.lse, want.lse),
                    testing::largest_error(got.raw, want.raw),
                    testing::largest_error(got.weights, want.weights)});
    CHECK(out <= 5e-6);
    if (distance_to_corner(want) < 1e-5) continue;
    calls++;
    const auto d = cope_backward(
        plain, setup.by_heads(setup.d_out, setup.heads(), setup.q_len, setup.value_dim()));
    gradient =
        std::max({gradient, testing::error_of_sums(got.dq, d.dq),
                  testing::error_of_sums(got.dk, d.dk), testing::error_of_sums(got.dv, d.dv)});
    table = std::max(
        table, testing::error_of_sums({got.params[0].begin(), got.params[0].end()}, d.d_table));
    CHECK(gradient <= 5e-6);
    CHECK(table <= 5e-6);
  }
  CHECK(calls >= 20);
  MESSAGE("cope: largest errors: out and scores " << out << ", gradients " << gradient << ", table "
                                                  << table << ", of " << calls << " calls");
}

TEST_CASE("cope: the plain backward pass against finite differences") {
  const auto doubles = [](std::size_t count, uint64_t seed) {
    const auto floats = testing::random_floats(count, seed);
    return Doubles(floats.begin(), floats.end());
  };
  reference::Cope cope{{.batch = 1,
                        .heads = 2,
                        .kv_heads = 1,
                        .q_len = 3,
                        .k_len = 6,
                        .head_dim = 2,
                        .value_dim = 2,
                        .scale = 0.7,
                        .q = doubles(12, 1),
                        .k = doubles(12, 2),
                        .v = doubles(12, 3),
                        .bias = {},
                        .visible = {}},
                       doubles(6, 4),
                       3,
                       0.9};
  for (std::size_t n = 0; n < 36; n++) cope.attention.visible.push_back(n % 7 != 3);
  const auto d_out = doubles(12, 5);
  const auto gradient = cope_backward(cope, d_out);
  const auto check = [&](Doubles& x, const Doubles& dx) {
    for (std::size_t n = 0; n < x.size(); n++) {
      const auto loss = [&](double step) {
        x[n] += step;
        const auto result = cope_forward(cope);
        x[n] -= step;
        double sum = 0;
        for (std::size_t i = 0; i < d_out.size(); i++) sum += d_out[i] * result.out[i];
        return sum;
      };
      CHECK(std::abs((loss(1e-6) - loss(-1e-6)) / 2e-6 - dx[n]) <= 1e-7);
    }
  };
  check(cope.attention.q, gradient.dq);
  check(cope.attention.k, gradient.dk);
  check(cope.attention.v, gradient.dv);
  check(cope.table, gradient.d_table);
}

TEST_CASE("cope: gates that are all closed or all open") {
  // k = 0: every gate is 1/2, so key j of a causal row i stands at (i - j + 1) / 2.
  Setup setup;
  setup.options = {.heads = 1, .head_dim = 2, .causal = Causal::kTopLeft, .scale = 1};
  setup.q_len = setup.k_len = 5;
  setup.fill(1);
  std::fill(setup.k.begin(), setup.k.end(), 0.0F);
  const auto encoding = testing::relative_encoding<Cope>({.head_dim = 2, .max_positions = 8});
  for (int64_t r = 0; r < 8; r++) {
    encoding->parameters()[0].values[2 * r] = static_cast<float>(r);
    encoding->parameters()[0].values[2 * r + 1] = 0;
  }
  const auto raw = testing::run_relative(setup, *encoding).raw;
  for (std::size_t i = 0; i < 5; i++) {
    for (std::size_t j = 0; j <= i; j++) {
      CHECK(raw[i * 5 + j] ==
            doctest::Approx(setup.q[2 * i] * 0.5 * static_cast<double>(i - j + 1)).epsilon(1e-5));
    }
  }
}

TEST_CASE("cope: what is refused") {
  testing::check_error(make<Cope>({.head_dim = 2}).error(), ErrorCode::kOutOfRange, "maxPositions");
  const auto encoding = testing::relative_encoding<Cope>(
      {.head_dim = 2, .max_positions = 3, .gates = CopeGates::kRaw});
  Encoding* one[] = {encoding.get()};
  testing::check_error(Attention::make({.heads = 1, .head_dim = 2, .scale = 0}, one).error(),
                       ErrorCode::kUnsupported, "encodings[0]");
}

}  // namespace
}  // namespace posenc
