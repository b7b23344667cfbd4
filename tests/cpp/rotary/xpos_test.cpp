#include "posenc/rotary/xpos.hpp"

#include <algorithm>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "reference/attention/attention.hpp"
#include "reference/rotary/xpos.hpp"
#include "rotary/turned.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using reference::XposRule;
using testing::check_close;
using testing::doubles;
using testing::random_floats;
using testing::turned;

RotaryAdapter<Xpos> adapted(XposOptions options) {
  return RotaryAdapter<Xpos>(std::move(*make<Xpos>(options)));
}

std::vector<double> from(double first, int64_t count) {
  std::vector<double> positions;
  for (int64_t i = 0; i < count; i++) positions.push_back(first + static_cast<double>(i));
  return positions;
}

TEST_CASE("xpos: published implementations, and scores whatever the centre") {
  for (const char* name : {"xpos--torchscale-d8-l11", "xpos--lucidrains-d12-l9"}) {
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    const auto dim = static_cast<int64_t>(golden.number("head_dim")),
               length = static_cast<int64_t>(golden.number("k_len"));
    const XposRule rule{
        .dim = dim, .scale_base = golden.number("scale_base"), .centre = -golden.number("center")};
    const auto xpos =
        adapted({.head_dim = dim, .scale_base = rule.scale_base, .centre = rule.centre});
    const auto positions = Positions::range(0, length);
    const auto &q = golden["q"].floats, &k = golden["k"].floats;
    check_close(turned(xpos, q, positions), golden["q_out"].floats, bound, golden.name + " q");
    check_close(turned(xpos, k, positions, {.side = RotarySide::kKey}), golden["k_out"].floats,
                bound, golden.name + " k");
    check_close(xpos_turned(rule, doubles(q), from(0, length), false), golden["q_out"].floats,
                bound, "reference q");
    check_close(xpos_turned(rule, doubles(k), from(0, length), true), golden["k_out"].floats, bound,
                "reference k");
    std::vector<double> logits;
    const auto rows = doubles(q), keys = doubles(k);
    for (int64_t h = 0; h < 2; h++) {
      for (int64_t i = 0; i < length; i++) {
        for (int64_t j = 0; j < length; j++) {
          logits.push_back(xpos_score(rule, &rows[static_cast<std::size_t>((h * length + i) * dim)],
                                      &keys[static_cast<std::size_t>((h * length + j) * dim)],
                                      static_cast<double>(i - j)));
        }
      }
    }
    check_close(logits, golden["logits"].floats, bound, "reference logits");
    auto encoding = adapted({.head_dim = dim, .scale_base = rule.scale_base});
    Encoding* list[] = {&encoding};
    const Attention attention =
        std::move(*Attention::make({.heads = 2, .head_dim = dim, .scale = 1}, list));
    std::vector<float> scores(logits.size());
    const AttentionInputs inputs{.batch = 1,
                                 .q_len = length,
                                 .k_len = length,
                                 .q = HeadRows<const float>::heads(q.data(), 2, length, dim),
                                 .k = HeadRows<const float>::heads(k.data(), 2, length, dim),
                                 .v = {},
                                 .mask = {},
                                 .q_positions = {},
                                 .k_positions = {}};
    REQUIRE(attention.scores(inputs, ScoreStage::kRaw, scores.data()).has_value());
    check_close(scores, golden["logits"].floats, bound, "logits");
  }
}

TEST_CASE("xpos: widths and layouts equal the plain loop on both sides, and turn back") {
  double largest = 0;
  const std::vector<double> positions = {0, 1, -7, 1000, 0.5, 4000};
  const auto places = Positions::array(positions.data(), 6);
  for (int64_t dim = 2; dim <= 70; dim += 2) {
    for (const auto layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
      const auto xpos =
          adapted({.head_dim = dim, .layout = layout, .scale_base = 3000, .centre = 500});
      const XposRule rule{.dim = dim,
                          .scale_base = 3000,
                          .centre = 500,
                          .interleaved = layout == PairLayout::kInterleaved};
      const auto x = random_floats(6 * static_cast<std::size_t>(dim), 9);
      for (const auto side : {RotarySide::kQuery, RotarySide::kKey}) {
        const auto want = xpos_turned(rule, doubles(x), positions, side == RotarySide::kKey);
        const auto out = turned(xpos, x, places, {.side = side});
        const auto back =
            turned(xpos, out, places, {.direction = RotaryDirection::kInvert, .side = side});
        largest =
            std::max({largest, testing::largest_error(out, want), testing::largest_error(back, x)});
      }
      // The gradient is the transpose: <R x, y> = <x, Rᵀ y>.
      const auto y = random_floats(x.size(), 10);
      const auto forward = turned(xpos, x, places),
                 gradient = turned(xpos, y, places, {RotaryDirection::kGradient});
      for (std::size_t row = 0; row < 6; row++) {
        double left = 0, right = 0, size = 1;
        for (std::size_t c = row * static_cast<std::size_t>(dim);
             c < (row + 1) * static_cast<std::size_t>(dim); c++) {
          left += static_cast<double>(forward[c]) * y[c],
              right += static_cast<double>(x[c]) * gradient[c];
          size += std::abs(static_cast<double>(forward[c]) * y[c]);
        }
        CHECK(std::abs(left - right) <= 1e-6 * size);
      }
    }
  }
  MESSAGE("xpos: largest relative error " << largest);
  CHECK(largest <= 8e-7);
}

TEST_CASE("xpos: factors far from the centre") {
  const Xpos xpos = std::move(*make<Xpos>({.head_dim = 8}));
  double largest = 0;
  for (const double position : {-16000.0, -300.5, 1.0, 5000.0, 16000.0}) {
    for (const auto side : {RotarySide::kQuery, RotarySide::kKey}) {
      float cos[4], sin[4];
      xpos.table(Positions::range(position, 1), {.side = side}, cos, sin);
      for (int m = 0; m < 4; m++) {
        const double power = (side == RotarySide::kQuery ? position : -position) / 512;
        const double want = std::pow((m / 4.0 + 0.4) / 1.4, power),
                     angle = position * std::pow(10000, -m / 4.0);
        largest = std::max({largest, std::abs(cos[m] / want - std::cos(angle)),
                            std::abs(sin[m] / want - std::sin(angle))});
      }
    }
  }
  MESSAGE("xpos: largest error of factors, relative to the fading " << largest);
  CHECK(largest <= 4e-7);
}

struct Call {
  int64_t heads, queries, keys, dim;
  double first_query, first_key;
  bool causal = true;
  PairLayout layout = PairLayout::kInterleaved;
  std::vector<double> q_given = {}, k_given = {};  // instead of the two

  std::vector<double> query_positions() const {
    return q_given.empty() ? from(first_query, queries) : q_given;
  }
  std::vector<double> key_positions() const {
    return k_given.empty() ? from(first_key, keys) : k_given;
  }
};

// Scores in double straight from distances; hidden ones are not looked at.
reference::Attention plain(const Call& call, const std::vector<float>& q,
                           const std::vector<float>& k, const std::vector<float>& v,
                           double origin) {
  const XposRule rule{
      .dim = call.dim, .centre = origin, .interleaved = call.layout == PairLayout::kInterleaved};
  reference::Attention a{.heads = call.heads,
                         .kv_heads = call.heads,
                         .q_len = call.queries,
                         .k_len = call.keys,
                         .head_dim = call.dim,
                         .value_dim = call.dim,
                         .scale = 1 / std::sqrt(static_cast<double>(call.dim)),
                         .q = xpos_turned(rule, doubles(q), call.query_positions(), false),
                         .k = xpos_turned(rule, doubles(k), call.key_positions(), true),
                         .v = doubles(v),
                         .bias = {},
                         .visible = {}};
  for (int64_t row = 0; row < call.heads * call.queries; row++) {
    for (int64_t j = 0; j < call.keys; j++) {
      a.visible.push_back(!call.causal || j <= call.keys - call.queries + row % call.queries);
    }
  }
  return a;
}

double check_attention(const Call& call) {
  auto xpos = adapted({.head_dim = call.dim, .layout = call.layout});
  Encoding* list[] = {&xpos};
  const Attention attention =
      std::move(*Attention::make({.heads = call.heads,
                                  .head_dim = call.dim,
                                  .causal = call.causal ? Causal::kBottomRight : Causal::kOff},
                                 list));
  const auto size = [&](int64_t length) {
    return static_cast<std::size_t>(call.heads * length * call.dim);
  };
  const auto q = random_floats(size(call.queries), 1), k = random_floats(size(call.keys), 2),
             v = random_floats(size(call.keys), 3);
  const auto d_out = random_floats(size(call.queries), 4);
  const auto q_places = call.query_positions(), k_places = call.key_positions();
  const Positions query = call.q_given.empty() ? Positions::range(call.first_query, call.queries)
                                               : Positions::array(q_places.data(), call.queries);
  const Positions key = call.k_given.empty() ? Positions::range(call.first_key, call.keys)
                                             : Positions::array(k_places.data(), call.keys);
  const auto in = [&](const std::vector<float>& x, int64_t n) {
    return HeadRows<const float>::heads(x.data(), call.heads, n, call.dim);
  };
  const auto out = [&](std::vector<float>& x, int64_t n) {
    return HeadRows<float>::heads(x.data(), call.heads, n, call.dim);
  };
  const AttentionInputs inputs{.batch = 1,
                               .q_len = call.queries,
                               .k_len = call.keys,
                               .q = in(q, call.queries),
                               .k = in(k, call.keys),
                               .v = in(v, call.keys),
                               .mask = {},
                               .q_positions = std::span(&query, 1),
                               .k_positions = std::span(&key, 1)};
  std::vector<float> got(q.size()), lse(static_cast<std::size_t>(call.heads * call.queries)),
      dq(q.size()), dk(k.size()), dv(v.size());
  REQUIRE(attention.forward(inputs, {out(got, call.queries), lse.data()}).has_value());
  REQUIRE(attention
              .backward(inputs, in(got, call.queries), lse.data(), in(d_out, call.queries),
                        {.dq = out(dq, call.queries),
                         .dk = out(dk, call.keys),
                         .dv = out(dv, call.keys),
                         .of = {}})
              .has_value());
  const double origin = k_places.empty() ? 0 : k_places[k_places.size() / 2];
  const auto reference = plain(call, q, k, v, origin);
  const auto want = attention_forward(reference);
  auto g = attention_backward(reference, doubles(d_out));
  // Back through the plain factors: Rᵀ is the rotation by -p with the same factor.
  const auto back = [&](const std::vector<double>& d, const std::vector<double>& places,
                        bool keys) {
    std::vector<double> negative = places;
    for (double& p : negative) p = -p;
    XposRule rule{
        .dim = call.dim, .centre = -origin, .interleaved = call.layout == PairLayout::kInterleaved};
    return xpos_turned(rule, d, negative, !keys);
  };
  return std::max({testing::largest_error(got, want.out), testing::largest_error(lse, want.lse),
                   testing::largest_error(dq, back(g.dq, q_places, false)),
                   testing::largest_error(dk, back(g.dk, k_places, true)),
                   testing::largest_error(dv, g.dv)});
}

TEST_CASE(
    "xpos: attention at near and far positions, forward and backward, in tiles and row by row") {
  double largest = 0;
  for (const double origin : {0.0, 100000.0, 3e6}) {
    for (const auto layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
      for (const auto& [queries, keys] :
           {std::pair(int64_t{130}, int64_t{130}), std::pair(int64_t{2}, int64_t{200}),
            std::pair(int64_t{7}, int64_t{129})}) {
        for (const bool causal : {true, false}) {
          largest = std::max(largest, check_attention({2, queries, keys, 20,
                                                       origin + static_cast<double>(keys - queries),
                                                       origin, causal, layout}));
        }
      }
    }
  }
  MESSAGE("xpos attention: largest error " << largest);
  CHECK(largest <= 3e-6);
}

TEST_CASE("xpos: tokens in any order, and keys so far back that their fast pairs are gone") {
  std::vector<double> places;
  for (int64_t i = 0; i < 150; i++) places.push_back(static_cast<double>((i * 77) % 150) * 9);
  CHECK(check_attention({1, 150, 150, 16, 0, 0, false, PairLayout::kHalf, places, places}) <= 3e-6);
  const Call far{1, 5, 80, 16, 60000, 0};
  CHECK(check_attention(far) <= 3e-6);
}

TEST_CASE("xpos: scores depend on the difference of positions alone, whole or cached") {
  auto xpos = adapted({.head_dim = 8});
  Encoding* list[] = {&xpos};
  const Attention attention = std::move(
      *Attention::make({.heads = 1, .head_dim = 8, .causal = Causal::kBottomRight}, list));
  const int64_t length = 90;
  const auto q = random_floats(90 * 8, 5), k = random_floats(90 * 8, 6),
             v = random_floats(90 * 8, 7);
  const auto in = [&](const std::vector<float>& x, int64_t at = 0) {
    auto rows = HeadRows<const float>::heads(x.data(), 1, length, 8);
    rows.data += at * 8;
    return rows;
  };
  const auto run = [&](double first) {
    const Positions places = Positions::range(first, length);
    std::vector<float> out(q.size());
    const AttentionInputs inputs{.batch = 1,
                                 .q_len = length,
                                 .k_len = length,
                                 .q = in(q),
                                 .k = in(k),
                                 .v = in(v),
                                 .mask = {},
                                 .q_positions = std::span(&places, 1),
                                 .k_positions = std::span(&places, 1)};
    REQUIRE(attention.forward(inputs, {HeadRows<float>::heads(out.data(), 1, length, 8), nullptr})
                .has_value());
    return out;
  };
  const auto near = run(0);
  check_close(run(100), near, 1e-6, "at 100");
  check_close(run(1e6), near, 1e-6, "at a million");
  for (const auto keys : {CacheKeys::kRotated, CacheKeys::kRaw}) {
    KvCache cache = std::move(*KvCache::make(attention, {.keys = keys}));
    std::vector<float> out(q.size());
    for (int64_t first = 0; first < length; first += first == 0 ? 70 : 1) {
      const int64_t count = first == 0 ? 70 : 1;
      const Positions places = Positions::range(500000 + static_cast<double>(first), count);
      const AttentionInputs inputs{.batch = 1,
                                   .q_len = count,
                                   .k_len = count,
                                   .q = in(q, first),
                                   .k = in(k, first),
                                   .v = in(v, first),
                                   .mask = {},
                                   .q_positions = {},
                                   .k_positions = std::span(&places, 1)};
      auto rows = HeadRows<float>::heads(out.data(), 1, length, 8);
      rows.data += first * 8;
      REQUIRE(attention.forward(inputs, {rows, nullptr}, cache).has_value());
    }
    check_close(out, near, 1e-6, "with a cache");
  }
}

TEST_CASE("xpos: what has to be refused") {
  using enum ErrorCode;
  const auto refused = [](XposOptions options, const char* parameter) {
    const auto made = make<Xpos>(options);
    REQUIRE_FALSE(made.has_value());
    testing::check_error(made.error(), kOutOfRange, parameter);
  };
  refused({.head_dim = 7}, "headDim");
  refused({.head_dim = 8, .scale_base = 0}, "scaleBase");
  refused({.head_dim = 8, .gamma = 0}, "gamma");
  refused({.head_dim = 8, .base = NAN}, "base");
  refused({.head_dim = 8, .centre = 1e300}, "centre");
  const auto xpos = adapted({.head_dim = 8, .centre = 1000});
  const auto turn = [&](double position) {
    std::vector<float> x(8, 1);
    const Positions places = Positions::range(position, 1);
    const auto rows = HeadRows<float>::heads(x.data(), 1, 1, 8);
    return rotate(xpos, {.batch = 1,
                         .heads = 1,
                         .seq = 1,
                         .x = rows,
                         .out = rows,
                         .positions = std::span(&places, 1)});
  };
  CHECK(turn(1000 + 16347).has_value());
  testing::check_error(turn(1000 + 16349).error(), kOutsideDomain, "positions");
  testing::check_error(turn(-15349).error(), kOutsideDomain, "positions");
  auto plain_xpos = adapted({.head_dim = 8});
  Encoding* list[] = {&plain_xpos};
  const Attention attention = std::move(*Attention::make({.heads = 1, .head_dim = 8}, list));
  const std::vector<float> x(16, 1);
  const double apart[] = {0, 1e6};
  const Positions places = Positions::array(apart, 2);
  const auto rows = HeadRows<const float>::heads(x.data(), 1, 2, 8);
  std::vector<float> out(16);
  const AttentionInputs inputs{.batch = 1,
                               .q_len = 2,
                               .k_len = 2,
                               .q = rows,
                               .k = rows,
                               .v = rows,
                               .mask = {},
                               .q_positions = std::span(&places, 1),
                               .k_positions = std::span(&places, 1)};
  testing::check_error(
      attention.forward(inputs, {HeadRows<float>::heads(out.data(), 1, 2, 8), nullptr}).error(),
      kOutsideDomain, "positions.q");
}

}  // namespace
}  // namespace posenc
