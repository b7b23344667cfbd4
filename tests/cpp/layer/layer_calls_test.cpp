// What a layer must not depend on, its weights and their forms, its cache, and what it refuses.
#include <cmath>

#include "layer/layer_setup.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/input/sinusoidal.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::check_error;
using testing::LayerSetup;
using Floats = std::vector<float>;

LayerSetup decoder(Causal causal = Causal::kBottomRight) {
  LayerSetup setup;
  setup.options.attention = {.heads = 4, .kv_heads = 2, .causal = causal};
  setup.options.dim = 24;
  setup.batch = 2, setup.q_len = setup.k_len = 9;
  setup.table = std::make_unique<testing::TableRows>(50, 24, 1.5F, 3);
  setup.rope = std::make_unique<RotaryAdapter<Rope>>(
      std::move(*posenc::make<Rope>({.head_dim = 6, .base = 100})));
  setup.make();
  setup.fill(4);
  return setup;
}

TEST_CASE("layer: one token at a time with a cache is the whole") {
  LayerSetup setup = decoder();
  const Floats whole = testing::run_forward(setup).out;
  KvCache cache = std::move(*KvCache::make(setup.layer->attention(), {.batch = 2}));
  double largest = 0;
  for (int64_t step = 0, taken = 1; step < 9;
       step += taken, taken = step == 1 ? 5 : 1) {  // tokens 0, 1 to 5, 6, 7, 8
    Floats x, out(static_cast<std::size_t>(2 * taken * 24)), want;
    for (int64_t b = 0; b < 2; b++) {
      const auto first = (b * 9 + step) * 24;
      x.insert(x.end(), setup.x.begin() + first, setup.x.begin() + first + taken * 24);
      want.insert(want.end(), whole.begin() + first, whole.begin() + first + taken * 24);
    }
    LayerInputs in;
    in.x = x.data();
    in.attention.batch = 2, in.attention.q_len = taken;
    REQUIRE(setup.layer->forward(in, {out.data(), nullptr, nullptr}, cache).has_value());
    CHECK(cache.longest() == step + taken);
    largest = std::max(largest, testing::largest_error(out, want));
  }
  CHECK(largest <= 1e-6);
  MESSAGE("largest difference " << largest);
}

TEST_CASE("layer: cross-attention reads its context once, and then from the cache") {
  LayerSetup setup;
  setup.options.attention.heads = 2;
  setup.options.dim = 8, setup.options.context_dim = 5;
  setup.cross = true, setup.q_len = 3, setup.k_len = 7;
  setup.make();
  setup.fill(1);
  const Floats whole = testing::run_forward(setup).out;
  KvCache cache = std::move(*KvCache::make(setup.layer->attention(), {}));
  for (int64_t i = 0; i < 3; i++) {
    LayerInputs in = setup.inputs();
    in.x += i * 8;
    in.attention.q_len = 1, in.attention.k_len = i == 0 ? 7 : 0;
    Floats out(8);
    REQUIRE(setup.layer->forward(in, {out.data(), nullptr, nullptr}, cache).has_value());
    CHECK(testing::largest_error(out, Floats(whole.begin() + i * 8, whole.begin() + (i + 1) * 8)) <=
          1e-6);
    CHECK(cache.longest() == 7);
  }
}

TEST_CASE("layer: padding on the right changes nothing for the tokens") {
  LayerSetup setup = decoder();
  setup.lengths = {9, 4};
  const Floats padded = testing::run_forward(setup).out;
  setup.lengths = {};
  LayerSetup row = decoder();
  row.batch = 1, row.q_len = row.k_len = 4;
  row.x.assign(setup.x.begin() + 9 * 24, setup.x.begin() + 13 * 24);
  const Floats alone = testing::run_forward(row).out;
  CHECK(testing::largest_error(Floats(padded.begin() + 9 * 24, padded.begin() + 13 * 24), alone) <=
        1e-6);
}

TEST_CASE("layer: what hidden tokens of the context hold reaches neither output nor gradients") {
  LayerSetup setup;
  setup.options.attention.heads = 2;
  setup.options.dim = 6, setup.options.add_to = AddTo::kQ;
  setup.cross = true, setup.q_len = 3, setup.k_len = 8;
  setup.lengths = {5};
  setup.make();
  setup.fill(1);
  const auto output = testing::run_forward(setup);
  const auto gradient = testing::run_backward(setup, output);
  std::fill(setup.context.begin() + 5 * 6, setup.context.end(), NAN);
  const auto poisoned = testing::run_forward(setup);
  CHECK(poisoned.out == output.out);
  const auto again = testing::run_backward(setup, poisoned);
  CHECK(again.dx == gradient.dx);
  CHECK(again.d_context == gradient.d_context);
  for (std::size_t i = 0; i < again.weights.size(); i++) {
    CHECK(testing::largest_error(again.weights[i], gradient.weights[i]) <= 1e-7);
  }
}

TEST_CASE("layer: scores are those of its attention on what it projects") {
  LayerSetup setup = decoder();
  Floats scores(2 * 4 * 9 * 9);
  REQUIRE(setup.layer->scores(setup.inputs(), ScoreStage::kWeights, scores.data()).has_value());
  const reference::Layer r = setup.reference();
  CHECK(testing::largest_error(scores, reference::layer_forward(r).weights) <= 1e-6);
}

TEST_CASE("layer: initial weights, by seed") {
  const LayerOptions options{.attention = {.heads = 2}, .dim = 64};
  const AttentionLayer one = std::move(*AttentionLayer::make(options, {}, 7));
  const AttentionLayer same = std::move(*AttentionLayer::make(options, {}, 7));
  const AttentionLayer other = std::move(*AttentionLayer::make(options, {}, 8));
  CHECK(one.parameters().count() == 8);
  const double bound = std::sqrt(6.0 / 128);
  Random random(7);
  for (int i = 0; i < 4; i++) {
    CHECK(one.parameters()[i].shape == Shape{64, 64});
    for (int64_t n = 0; n < 64 * 64; n++) {
      const float value = one.parameters()[i].values[n];
      CHECK(value == same.parameters()[i].values[n]);
      CHECK(value == static_cast<float>(bound * (2 * random.uniform() - 1)));
    }
    CHECK(one.parameters()[i].values[0] != other.parameters()[i].values[0]);
  }
  for (int i = 4; i < 8; i++) {
    for (float value : one.parameters()[i].values.span()) CHECK(value == 0);
  }
}

TEST_CASE("layer: packed weights are the three side by side, in either layout") {
  for (const WeightLayout layout : {WeightLayout::kInOut, WeightLayout::kOutIn}) {
    LayerOptions options{
        .attention = {.heads = 4, .kv_heads = 2, .value_dim = 3}, .dim = 8, .head_dim = 5};
    options.weight_layout = layout;
    AttentionLayer layer = std::move(*AttentionLayer::make(options, {}));
    ParameterSet& weights = layer.parameters();
    const int64_t total = 20 + 10 + 6;
    const Floats packed = testing::random_floats(static_cast<std::size_t>(8 * total), 1);
    const Floats bias = testing::random_floats(static_cast<std::size_t>(total), 2);
    REQUIRE(set_packed(layer.options(), weights, "Wqkv", packed, false).has_value());
    CHECK(weights.values("Wq")[0] != packed[0]);
    REQUIRE(set_packed(layer.options(), weights, "Wqkv", packed, true).has_value());
    REQUIRE(set_packed(layer.options(), weights, "bqkv", bias, true).has_value());
    for (int64_t i = 0; i < 8; i++) {
      for (int64_t o = 0; o < total; o++) {
        const bool in_out = layout == WeightLayout::kInOut;
        const float want = packed[static_cast<std::size_t>(in_out ? i * total + o : o * 8 + i)];
        const char* name = o < 20 ? "Wq" : o < 30 ? "Wk" : "Wv";
        const int64_t width = o < 20   ? 20
                              : o < 30 ? 10
                                       : 6,
                      column = o < 20   ? o
                               : o < 30 ? o - 20
                                        : o - 30;
        CHECK(weights.values(name)[in_out ? i * width + column : column * 8 + i] == want);
      }
    }
    CHECK(weights.values("bv")[5] == bias.back());
    check_error(set_packed(layer.options(), weights, "bqkv", packed, false).error(),
                ErrorCode::kShapeMismatch, "weights.bqkv");
    Floats spoiled = packed;
    spoiled[3] = NAN;
    check_error(set_packed(layer.options(), weights, "Wqkv", spoiled, true).error(),
                ErrorCode::kOutOfRange, "weights.Wqkv");
    CHECK(weights.values("Wq")[0] == packed[0]);
  }
}

Error refused(const LayerOptions& options, std::vector<Encoding*> encodings = {}) {
  const Result<AttentionLayer> layer = AttentionLayer::make(options, encodings);
  REQUIRE_FALSE(layer.has_value());
  return layer.error();
}

TEST_CASE("layer: refused options and encodings") {
  check_error(refused({.attention = {.heads = 2}}), ErrorCode::kOutOfRange, "dim");
  check_error(refused({.attention = {.heads = 3}, .dim = 8}), ErrorCode::kOutOfRange, "dim");
  check_error(refused({.attention = {.heads = 4, .kv_heads = 3}, .dim = 8}), ErrorCode::kOutOfRange,
              "kvHeads");
  check_error(refused({.attention = {.heads = 4}, .dim = 8, .head_dim = 0}), ErrorCode::kOutOfRange,
              "headDim");
  check_error(refused({.attention = {.heads = 2}, .dim = 8, .context_dim = 0}),
              ErrorCode::kOutOfRange, "contextDim");
  InputAdapter<Sinusoidal> rows(std::move(*make<Sinusoidal>({.dim = 8}))),
      wide(std::move(*make<Sinusoidal>({.dim = 9})));
  DistanceBiasAdapter<Alibi> alibi(std::move(*make<Alibi>({.heads = 3})));
  check_error(refused({.attention = {.heads = 2}, .dim = 8}, {&rows, &wide}),
              ErrorCode::kShapeMismatch, "encodings[1]");
  check_error(refused({.attention = {.heads = 2}, .dim = 8}, {&rows, &alibi}),
              ErrorCode::kShapeMismatch, "encodings[1]");
  check_error(refused({.attention = {.heads = 2}, .dim = 8, .context_dim = 4}, {&rows}),
              ErrorCode::kUnsupported, "encodings[0]");
}

TEST_CASE("layer: refused calls, and nothing is written") {
  LayerSetup good = decoder();
  Floats out(good.x.size(), 7);
  const auto check = [&](auto spoil, ErrorCode code, const char* parameter) {
    LayerInputs in = good.inputs();
    spoil(in);
    const Status status = good.layer->forward(in, {out.data(), nullptr, nullptr});
    REQUIRE_FALSE(status.has_value());
    check_error(status.error(), code, parameter);
    CHECK(out == Floats(good.x.size(), 7));
  };
  const Positions short_entry[] = {Positions::range(0, 4)}, beyond[] = {Positions::range(995, 9)};
  const Positions three[] = {Positions::range(0, 9), Positions::range(0, 9),
                             Positions::range(0, 9)};
  const int32_t lengths[] = {10, 3};
  const float mask[64] = {};
  check([](LayerInputs& in) { in.x = nullptr; }, ErrorCode::kMissingOption, "x");
  check([](LayerInputs& in) { in.attention.batch = -1; }, ErrorCode::kOutOfRange, "x");
  check([](LayerInputs& in) { in.attention.q_len = int64_t{1} << 40; }, ErrorCode::kTooLarge, "x");
  check([&](LayerInputs& in) { in.context = good.x.data(), in.attention.k_len = int64_t{1} << 40; },
        ErrorCode::kTooLarge, "context");
  check([&](LayerInputs& in) { in.attention.q_positions = short_entry; }, ErrorCode::kShapeMismatch,
        "positions.q");
  check([&](LayerInputs& in) { in.attention.q_positions = three; }, ErrorCode::kShapeMismatch,
        "positions.q");
  check([&](LayerInputs& in) { in.attention.q_positions = beyond; }, ErrorCode::kOutsideDomain,
        "positions.q");
  check([&](LayerInputs& in) { in.x_positions = beyond; }, ErrorCode::kOutsideDomain,
        "inputPositions.q");
  check([&](LayerInputs& in) { in.attention.key_lengths = lengths; }, ErrorCode::kOutOfRange,
        "keyLengths");
  check(
      [&](LayerInputs& in) {
        in.attention.mask = {AttentionMask::Kind::kAdditive, mask, Shape{2, 5}};
      },
      ErrorCode::kShapeMismatch, "mask");
  check_error(good.layer->forward(good.inputs(), {}).error(), ErrorCode::kMissingOption, "into");

  KvCache cache = std::move(*KvCache::make(good.layer->attention(), {.batch = 3}));
  check_error(good.layer->forward(good.inputs(), {out.data(), nullptr, nullptr}, cache).error(),
              ErrorCode::kShapeMismatch, "cache");

  const auto output = testing::run_forward(good);
  Floats d_mask(9, 7), dx(good.x.size(), 7);
  LayerGradients to;
  to.dx = dx.data(), to.d_mask = d_mask.data(), to.weights.of[0] = dx.data();
  const auto backward = [&](const float* attended, const float* lse, const float* d_out) {
    return good.layer->backward(good.inputs(), attended, lse, d_out, to).error();
  };
  check_error(backward(output.attended.data(), output.lse.data(), good.d_out.data()),
              ErrorCode::kUnsupported, "dMask");
  CHECK(dx == Floats(good.x.size(), 7));
  to = {};
  check_error(backward(nullptr, output.lse.data(), good.d_out.data()), ErrorCode::kMissingOption,
              "attended");
  check_error(backward(output.attended.data(), nullptr, good.d_out.data()),
              ErrorCode::kMissingOption, "lse");
  check_error(backward(output.attended.data(), output.lse.data(), nullptr),
              ErrorCode::kMissingOption, "dOut");
  std::vector<Gradients> five(5);
  to.of = five;
  check_error(backward(output.attended.data(), output.lse.data(), good.d_out.data()),
              ErrorCode::kShapeMismatch, "params");
}

TEST_CASE("layer: empty calls") {
  LayerSetup setup = decoder();
  setup.q_len = setup.k_len = 0;
  setup.fill(1);
  const auto none = testing::run_forward(setup);
  CHECK(none.out.empty());
  const auto gradient = testing::run_backward(setup, none);
  for (const Floats& weight : gradient.weights) CHECK(weight == Floats(weight.size(), 0));
  setup.batch = 0, setup.q_len = setup.k_len = 3;
  setup.fill(1);
  CHECK(testing::run_forward(setup).out.empty());
}

}  // namespace
}  // namespace posenc
