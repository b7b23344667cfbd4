// Logits that are cosines, with a learned factor per head.
#include "reference/attention/cosine.hpp"
#include "attention/bias_case.hpp"
#include "posenc/bias/swin_v2.hpp"
#include "reference/bias/window.hpp"
#include "support/bias.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::Setup;

constexpr double kLog100 = kLargestLogitScale;

// q and k of the plain loops made 1 long, q times the factor of its head.
struct Plain {
  reference::Attention raw, unit;
  std::vector<double> factors;

  explicit Plain(const Setup& setup) : raw(setup.reference()), unit(raw) {
    for (int64_t h = 0; h < setup.heads(); h++) {
      const double scale =
          setup.logit_scale.empty() ? 0 : setup.logit_scale[static_cast<std::size_t>(h)];
      factors.push_back(std::exp(std::min(scale, kLog100)));
    }
    unit.scale = 1;
    unit.q = reference::unit_rows(raw.q, raw.head_dim, factors, raw.q_len);
    unit.k = reference::unit_rows(raw.k, raw.head_dim);
  }
};

Setup setup_of(int64_t queries, int64_t keys, uint64_t seed, int64_t dim = 5) {
  Setup setup;
  setup.batch = 2, setup.q_len = queries, setup.k_len = keys;
  setup.options = {
      .heads = 4, .kv_heads = 2, .head_dim = dim, .value_dim = 3, .logits = Logits::kCosine};
  setup.fill(seed, 3);
  setup.logit_scale = {0.5F, -1.0F, 2.3F, 7.0F};
  return setup;
}

TEST_CASE("cosine: forward and scores match the plain loops") {
  for (const auto& [queries, keys] : testing::awkward_pairs({{1, 67}, {3, 9}, {70, 67}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    Setup setup = setup_of(queries, keys, 3, keys < 60 ? keys : 5);
    // With the factor 100 scores reach 100, where neighbouring floats are 8e-6 apart.
    const Plain plain(setup);
    check_close(testing::run_forward(setup).out, attention_forward(plain.unit).out, 2e-5, "out");
    check_close(testing::run_scores(setup, ScoreStage::kRaw), attention_scores(plain.unit).raw,
                8e-6, "scores");
    setup.logit_scale.clear();
    const Plain without(setup);
    check_close(testing::run_forward(setup).out, attention_forward(without.unit).out, 1e-6,
                "out, factor 1");
  }
}

TEST_CASE("cosine: rotation after the rows were made 1 long") {
  Setup setup = setup_of(6, 20, 4);
  setup.options.head_dim = 6;
  setup.fill(4, 3);
  const testing::PlainRotary rotary(6, 4, PairLayout::kHalf);
  setup.rotary = &rotary;
  setup.options.causal = Causal::kBottomRight;
  const Plain plain(setup);
  check_close(testing::run_forward(setup).out, attention_forward(plain.unit).out, 2e-5, "out");
}

TEST_CASE("cosine: gradients of q, k, v and the factors match the plain loops") {
  for (const auto& [queries, keys] : testing::awkward_pairs({{1, 9}, {3, 67}, {70, 67}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    const int64_t dim = keys < 60 ? keys : 5;
    Setup setup = setup_of(queries, keys, 5, dim);
    setup.options.causal = Causal::kBottomRight;
    const Plain plain(setup);
    const auto output = testing::run_forward(setup);
    const auto gradient = testing::run_backward(setup, output);
    const auto g = attention_backward(plain.unit, setup.by_heads(setup.d_out, 4, queries, 3));
    const auto q = reference::unit_rows_backward(plain.raw.q, dim, plain.factors, queries, g.dq);
    const auto k = reference::unit_rows_backward(plain.raw.k, dim, {1}, int64_t{1} << 40, g.dk);
    CHECK(testing::error_of_sums(gradient.dq, q.x) < 1e-5);
    CHECK(testing::error_of_sums(gradient.dk, k.x) < 1e-5);
    CHECK(testing::error_of_sums(gradient.dv, g.dv) < 1e-5);
    std::vector<double> d_scale;  // of the logarithm: times the factor; none beyond the bound
    for (std::size_t h = 0; h < 4; h++)
      d_scale.push_back(h == 3 ? 0 : q.factors[h] * plain.factors[h]);
    testing::check_sums(gradient.d_logit_scale, d_scale, 1e-5, "dLogitScale");
  }
}

TEST_CASE("cosine: the plain gradient against finite differences") {
  auto x = testing::widened(testing::random_floats(12, 1)), factors = std::vector{0.7, 2.0};
  const auto d = testing::widened(testing::random_floats(12, 2));
  const auto g = reference::unit_rows_backward(x, 3, factors, 2, d);
  const auto loss = [&] { return testing::product(reference::unit_rows(x, 3, factors, 2), d); };
  testing::check_differences(x, g.x, loss, "x");
  testing::check_differences(factors, g.factors, loss, "factors");
}

TEST_CASE("cosine: Swin v2's attention") {
  const auto golden = testing::load_golden("swin-bias--v2-win3x4");
  const auto window = golden.numbers("window");
  const WindowSize size{static_cast<int64_t>(window[0]), static_cast<int64_t>(window[1])};
  auto bias = testing::adapted<SwinV2>({.heads = static_cast<int64_t>(golden.number("heads")),
                                        .window = size,
                                        .hidden = static_cast<int64_t>(golden.number("hidden"))});
  for (const char* name : {"w1", "b1", "w2"}) {
    REQUIRE(bias.parameters().set(name, golden[name].floats).has_value());
  }
  Setup setup = testing::bias_setup(golden, bias);
  setup.options.logits = Logits::kCosine;
  setup.options.scale = {};
  setup.logit_scale = golden["logit_scale"].floats;
  check_close(testing::run_forward(setup).out, golden["out"].floats,
              testing::golden_bound(golden.tolerance), "out");
  Plain plain(setup);
  plain.unit.bias = golden["bias"].as_doubles();
  check_close(attention_forward(plain.unit).out, golden["out"].floats, 2e-7, "plain out");
}

TEST_CASE("cosine: rows of zeros have no direction, and hidden keys do not leak") {
  Setup setup = setup_of(8, 9, 6);
  std::fill_n(setup.q.begin(), 5, 0.0F);
  setup.lengths = {9, 6};
  const auto clean = testing::run_forward(setup);
  // Key/value head 0 of batch row 1: rows 6 to 8 are hidden.
  std::fill_n(setup.k.begin() + (2 * 9 + 6) * 5, 3 * 5, NAN);
  const auto output = testing::run_forward(setup);
  CHECK(output.out == clean.out);
  const auto gradient = testing::run_backward(setup, output);
  for (double value : gradient.dq) CHECK(std::isfinite(value));
  for (std::size_t i = (2 * 9 + 6) * 5; i < (2 * 9 + 9) * 5; i++) CHECK(gradient.dk[i] == 0);
}

TEST_CASE("cosine: what is refused") {
  Setup setup = setup_of(2, 3, 1);
  std::vector<float> out(2 * 4 * 2 * 3);
  const auto run = [&] {
    return setup.make()
        .forward(setup.inputs(), {HeadRows<float>::heads(out.data(), 4, 2, 3), nullptr})
        .error();
  };
  setup.logit_scale[1] = NAN;
  testing::check_error(run(), ErrorCode::kOutOfRange, "logitScale");
  setup.logit_scale[1] = 1;
  setup.options.logits = Logits::kDot;
  testing::check_error(run(), ErrorCode::kUnsupported, "logitScale");
}

}  // namespace
}  // namespace posenc
