#include "posenc/rotary/xpos.hpp"

#include <algorithm>

#include "posenc/attention/attention.hpp"
#include "reference/rotary/xpos.hpp"
#include "rotary/turned.hpp"
#include "rotary/xpos_support.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using reference::XposRule;
using testing::adapted_xpos;
using testing::check_close;
using testing::doubles;
using testing::positions_from;
using testing::random_floats;
using testing::turned;

TEST_CASE("xpos: published implementations, and scores whatever the centre") {
  for (const char* name : {"xpos--torchscale-d8-l11", "xpos--lucidrains-d12-l9"}) {
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    const auto dim = static_cast<int64_t>(golden.number("head_dim")),
               length = static_cast<int64_t>(golden.number("k_len"));
    const XposRule rule{
        .dim = dim, .scale_base = golden.number("scale_base"), .centre = -golden.number("center")};
    const auto xpos =
        adapted_xpos({.head_dim = dim, .scale_base = rule.scale_base, .centre = rule.centre});
    const auto positions = Positions::range(0, length);
    const auto &q = golden["q"].floats, &k = golden["k"].floats;
    check_close(turned(xpos, q, positions), golden["q_out"].floats, bound, golden.name + " q");
    check_close(turned(xpos, k, positions, {.side = RotarySide::kKey}), golden["k_out"].floats,
                bound, golden.name + " k");
    check_close(xpos_turned(rule, doubles(q), positions_from(0, length), false),
                golden["q_out"].floats, bound, "reference q");
    check_close(xpos_turned(rule, doubles(k), positions_from(0, length), true),
                golden["k_out"].floats, bound, "reference k");
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
    auto encoding = adapted_xpos({.head_dim = dim, .scale_base = rule.scale_base});
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
          adapted_xpos({.head_dim = dim, .layout = layout, .scale_base = 3000, .centre = 500});
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
  const auto xpos = adapted_xpos({.head_dim = 8, .centre = 1000});
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
  auto plain_xpos = adapted_xpos({.head_dim = 8});
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
