// Attention with encodings of several coordinates: the same as attention over what the encoding
// rotates by itself.
#include <cmath>

#include "attention/setup.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/rotary/mrope.hpp"
#include "posenc/rotary/rope_nd.hpp"
#include "rotary/turned.hpp"

namespace posenc {
namespace {

using testing::list_of;
using testing::Setup;

constexpr int64_t kHeads = 2, kDim = 16, kLength = 70, kBatch = 2;

struct Axes {
  const RotaryEncoding& rotary;
  std::vector<double> values;  // [batch, length, axes]
  std::vector<Positions> rows;

  Axes(const RotaryEncoding& encoding, int axes) : rotary(encoding) {
    for (int64_t i = 0; i < kBatch * kLength * axes; i++)
      values.push_back(static_cast<double>((i * 31) % 17));
    for (int64_t b = 0; b < kBatch; b++) {
      rows.push_back(Positions::array(values.data() + b * kLength * axes, kLength, axes));
    }
  }
  // x [batch, heads, length, dim] turned by its rows of positions.
  std::vector<float> turned(const std::vector<float>& x, RotaryDirection direction) const {
    std::vector<float> out(x.size());
    REQUIRE(rotate(rotary, {.batch = kBatch,
                            .heads = kHeads,
                            .seq = kLength,
                            .x = HeadRows<const float>::heads(x.data(), kHeads, kLength, kDim),
                            .out = HeadRows<float>::heads(out.data(), kHeads, kLength, kDim),
                            .positions = rows,
                            .direction = direction})
                .has_value());
    return out;
  }
};

Setup plain_setup() {
  Setup setup;
  setup.options = {.heads = kHeads, .head_dim = kDim, .causal = Causal::kBottomRight};
  setup.batch = kBatch, setup.q_len = kLength, setup.k_len = kLength;
  setup.fill(5);
  return setup;
}

void check_axes(RotaryEncoding& encoding, int axes) {
  const Axes positions(encoding, axes);
  Setup turned = plain_setup();
  turned.q = positions.turned(turned.q, RotaryDirection::kForward);
  turned.k = positions.turned(turned.k, RotaryDirection::kForward);
  const auto want = run_forward(turned);
  const auto d_want = run_backward(turned, want);

  const Setup inner = plain_setup();
  Encoding* list[] = {&encoding};
  const Attention attention = std::move(*Attention::make(inner.options, list));
  const auto in = [](const std::vector<float>& x) {
    return HeadRows<const float>::heads(x.data(), kHeads, kLength, kDim);
  };
  const auto out = [](std::vector<float>& x) {
    return HeadRows<float>::heads(x.data(), kHeads, kLength, kDim);
  };
  const AttentionInputs inputs{.batch = kBatch,
                               .q_len = kLength,
                               .k_len = kLength,
                               .q = in(inner.q),
                               .k = in(inner.k),
                               .v = in(inner.v),
                               .mask = {},
                               .q_positions = positions.rows,
                               .k_positions = positions.rows};
  std::vector<float> got(inner.q.size()), lse(want.lse.size()), dq(got.size()), dk(got.size()),
      dv(got.size());
  REQUIRE(attention.forward(inputs, {out(got), lse.data()}).has_value());
  testing::check_close(got, want.raw_out, 1e-6, "out");
  REQUIRE(attention
              .backward(inputs, in(got), lse.data(), in(inner.d_out),
                        {.dq = out(dq), .dk = out(dk), .dv = out(dv), .of = {}})
              .has_value());
  const auto floats = [](const std::vector<double>& x) {
    return std::vector<float>(x.begin(), x.end());
  };
  testing::check_close(dq, positions.turned(floats(d_want.dq), RotaryDirection::kGradient), 2e-6,
                       "dq");
  testing::check_close(dk, positions.turned(floats(d_want.dk), RotaryDirection::kGradient), 2e-6,
                       "dk");
  testing::check_close(dv, d_want.dv, 2e-6, "dv");

  for (const CacheKeys keys : {CacheKeys::kRotated, CacheKeys::kRaw}) {
    KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .keys = keys}));
    std::vector<float> parts(got.size(), NAN);
    for (int64_t first = 0; first < kLength; first += first == 0 ? 50 : 1) {
      const int64_t count = first == 0 ? 50 : 1;
      AttentionInputs part = inputs;
      part.q_len = part.k_len = count;
      part.q.data += first * kDim, part.k.data += first * kDim, part.v.data += first * kDim;
      const Positions rows[] = {positions.rows[0].slice(first, count),
                                positions.rows[1].slice(first, count)};
      part.q_positions = {}, part.k_positions = rows;
      auto place = out(parts);
      place.data += first * kDim;
      REQUIRE(attention.forward(part, {place, nullptr}, cache).has_value());
    }
    testing::check_close(parts, got, 1e-6, kCacheKeysNames[static_cast<std::size_t>(keys)]);
  }
}

TEST_CASE("attention: positions of two and three axes, forward, backward and with a cache") {
  RotaryAdapter<RopeNd> grid(std::move(*make<RopeNd>({.head_dim = kDim})));
  check_axes(grid, 2);
  RotaryAdapter<Mrope> mixed(std::move(*make<Mrope>({{.head_dim = kDim}, list_of({2, 3, 3})})));
  check_axes(mixed, 3);
}

TEST_CASE("attention: a picture's tokens in the order of the grid need no positions") {
  RotaryAdapter<RopeNd> grid(
      std::move(*make<RopeNd>({.head_dim = kDim, .grid = list_of({5, 13}), .prefix = 5})));
  std::vector<double> cells(10, 0.0);
  for (int i = 0; i < 65; i++) cells.push_back(i / 13), cells.push_back(i % 13);
  Setup setup = plain_setup();
  setup.encodings = {&grid};
  const auto got = run_forward(setup);
  RotaryAdapter<RopeNd> plain(std::move(*make<RopeNd>({.head_dim = kDim})));
  Encoding* list[] = {&plain};
  const Attention attention = std::move(*Attention::make(setup.options, list));
  AttentionInputs inputs = setup.inputs();
  const Positions positions = Positions::array(cells.data(), kLength, 2);
  inputs.q_positions = inputs.k_positions = std::span(&positions, 1);
  std::vector<float> out(got.raw_out.size());
  REQUIRE(attention
              .forward(inputs, {HeadRows<float>::heads(out.data(), kHeads, kLength, kDim), nullptr})
              .has_value());
  CHECK(out == got.raw_out);
  inputs.q_positions = inputs.k_positions = {};
  const Status status = attention.forward(
      inputs, {HeadRows<float>::heads(out.data(), kHeads, kLength, kDim), nullptr});
  testing::check_error(status.error(), ErrorCode::kShapeMismatch, "positions.q");
  KvCache cache = std::move(*KvCache::make(
      std::move(*Attention::make(setup.options, setup.encodings)), {.batch = kBatch}));
  testing::check_error(
      cache.append({.length = 1, .k = inputs.k, .v = inputs.v, .positions = {}}).error(),
      ErrorCode::kUnsupported, "positions.k");
}

TEST_CASE("cache: text behind a picture goes on after its largest coordinate") {
  RotaryAdapter<Mrope> rope(std::move(*make<Mrope>({{.head_dim = 8}, list_of({2, 1, 1})})));
  Encoding* list[] = {&rope};
  const Attention attention = std::move(
      *Attention::make({.heads = 1, .head_dim = 8, .causal = Causal::kBottomRight}, list));
  KvCache cache = std::move(*KvCache::make(attention, {}));
  const std::vector<float> x(40, 1);
  const auto rows = HeadRows<const float>::heads(x.data(), 1, 5, 8);
  const double picture[] = {2, 2, 2, 2, 2, 3, 2, 2, 4};
  const Positions three = Positions::array(picture, 3, 3);
  REQUIRE(cache.append({.length = 2, .k = rows, .v = rows, .positions = {}}).has_value());
  CHECK(cache.next_position(0) == 2);
  REQUIRE(cache.append({.length = 3, .k = rows, .v = rows, .positions = std::span(&three, 1)})
              .has_value());
  CHECK(cache.next_position(0) == 5);
  REQUIRE(cache.append({.length = 1, .k = rows, .v = rows, .positions = {}}).has_value());
  CHECK(cache.next_position(0) == 6);
  const Positions held = cache.positions(0);
  const std::vector<double> want = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 2, 2, 4, 5, 5, 5};
  CHECK(std::vector(held.given, held.given + 18) == want);
  REQUIRE(cache.truncate(5).has_value());
  CHECK(cache.next_position(0) == 5);
}

}  // namespace
}  // namespace posenc
