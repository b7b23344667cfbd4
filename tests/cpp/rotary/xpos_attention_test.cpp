// xPos within attention: in tiles, row by row and with a cache, near and far.
#include <algorithm>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "reference/attention/attention.hpp"
#include "reference/rotary/xpos.hpp"
#include "rotary/turned.hpp"
#include "rotary/xpos_support.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using reference::XposRule;
using testing::adapted_xpos;
using testing::check_close;
using testing::doubles;
using testing::positions_from;
using testing::random_floats;
using testing::turned;

struct Call {
  int64_t heads, queries, keys, dim;
  double first_query, first_key;
  bool causal = true;
  PairLayout layout = PairLayout::kInterleaved;
  std::vector<double> q_given = {}, k_given = {};  // instead of the two

  std::vector<double> query_positions() const {
    return q_given.empty() ? positions_from(first_query, queries) : q_given;
  }
  std::vector<double> key_positions() const {
    return k_given.empty() ? positions_from(first_key, keys) : k_given;
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
  auto xpos = adapted_xpos({.head_dim = call.dim, .layout = call.layout});
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
  for (const auto& [pairs, keys] : testing::awkward_pairs()) {
    for (const auto layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
      for (int64_t queries : {int64_t{1}, keys}) {
        largest = std::max(largest, check_attention({2, queries, keys, 2 * pairs,
                                                     1000 + static_cast<double>(keys - queries),
                                                     1000, true, layout}));
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
  auto xpos = adapted_xpos({.head_dim = 8});
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

}  // namespace
}  // namespace posenc
