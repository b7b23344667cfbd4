// Everything wrong is refused by name, before anything is written; and the memory that a call
// takes.
#include <cmath>

#include "attention/setup.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/input/sinusoidal.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::check_error;
using testing::Setup;

Error refused(const AttentionOptions& options, std::vector<Encoding*> encodings = {}) {
  const Result<Attention> attention = Attention::make(options, encodings);
  REQUIRE_FALSE(attention.has_value());
  return attention.error();
}

DistanceBiasAdapter<Alibi> alibi(int64_t heads) {
  return DistanceBiasAdapter<Alibi>(std::move(*make<Alibi>({.heads = heads})));
}

TEST_CASE("attention: refused options and encodings") {
  check_error(refused({.heads = 0, .head_dim = 8}), ErrorCode::kOutOfRange, "heads");
  check_error(refused({.heads = 4, .head_dim = 0}), ErrorCode::kOutOfRange, "headDim");
  check_error(refused({.heads = 4, .kv_heads = 3, .head_dim = 8}), ErrorCode::kOutOfRange,
              "kvHeads");
  check_error(refused({.heads = 4, .kv_heads = 8, .head_dim = 8}), ErrorCode::kOutOfRange,
              "kvHeads");
  check_error(refused({.heads = 4, .head_dim = 8, .scale = NAN}), ErrorCode::kOutOfRange, "scale");
  check_error(refused({.heads = 4, .head_dim = 8, .scale = INFINITY}), ErrorCode::kOutOfRange,
              "scale");
  check_error(refused({.heads = 4, .head_dim = 8, .softcap = -1}), ErrorCode::kOutOfRange,
              "softcap");
  check_error(refused({.heads = 4, .head_dim = 8, .window_left = -1}), ErrorCode::kOutOfRange,
              "window.left");
  auto wrong_heads = alibi(3);
  check_error(refused({.heads = 4, .head_dim = 8}, {&wrong_heads}), ErrorCode::kShapeMismatch,
              "encodings[0]");
  testing::PlainRotary rotary(8, 8, PairLayout::kHalf), wide(16, 8, PairLayout::kHalf);
  testing::PlainRotary values(8, 8, PairLayout::kHalf, true);
  check_error(refused({.heads = 4, .head_dim = 8}, {&wide}), ErrorCode::kShapeMismatch,
              "encodings[0]");
  check_error(refused({.heads = 4, .head_dim = 8}, {&rotary, &rotary}), ErrorCode::kUnsupported,
              "encodings[1]");
  check_error(refused({.heads = 4, .head_dim = 8, .value_dim = 6}, {&values}),
              ErrorCode::kShapeMismatch, "encodings[0]");
}

TEST_CASE("attention: refused inputs, and nothing is written") {
  auto bias = alibi(2);
  Setup good;
  good.options = {.heads = 2, .head_dim = 4};
  good.batch = 2, good.q_len = 3, good.k_len = 5;
  good.bias = &bias;
  good.fill(1);
  const std::vector<int32_t> six(6, 1);
  std::vector<float> out(48, 7);
  const auto check = [&](auto spoil, ErrorCode code, const char* parameter) {
    Setup setup = good;
    AttentionInputs in = setup.inputs();
    spoil(in);
    const auto rows = HeadRows<float>::heads(out.data(), 2, 3, 4);
    const Status status = setup.make().forward(in, {rows, nullptr});
    REQUIRE_FALSE(status.has_value());
    check_error(status.error(), code, parameter);
    CHECK(out == std::vector<float>(48, 7));
  };
  const float mask[64] = {};
  const int32_t long_lengths[] = {5, 6}, negative[] = {-1, 2};
  const double whole[] = {0, 1, 2, 3, NAN, 5};
  const Positions short_entry[] = {Positions::range(0, 4)},
                  nan_entry[] = {Positions::array(whole, 5)};
  const Positions three[] = {Positions::range(0, 3), Positions::range(0, 3),
                             Positions::range(0, 3)};
  const Positions two_axes[] = {Positions::array(whole, 3, 2)};
  using In = AttentionInputs;
  check([](In& in) { in.batch = -1; }, ErrorCode::kOutOfRange, "q");
  check([](In& in) { in.q_len = int64_t{1} << 40; }, ErrorCode::kTooLarge, "q");
  check([](In& in) { in.k_len = int64_t{1} << 40; }, ErrorCode::kTooLarge, "k");
  check([](In& in) { in.q.data = nullptr; }, ErrorCode::kMissingOption, "q");
  check([](In& in) { in.k.data = nullptr; }, ErrorCode::kMissingOption, "k");
  check([](In& in) { in.v.data = nullptr; }, ErrorCode::kMissingOption, "v");
  for (const Shape& shape :
       {Shape{}, Shape{6}, Shape{2, 5}, Shape{3, 3, 5}, Shape{3, 1, 3, 5}, Shape{1, 2, 2, 3, 5}}) {
    check([&](In& in) { in.mask = {AttentionMask::Kind::kAdditive, mask, shape}; },
          ErrorCode::kShapeMismatch, "mask");
  }
  check([](In& in) { in.mask = {AttentionMask::Kind::kBoolean, nullptr, Shape{5}}; },
        ErrorCode::kMissingOption, "mask");
  check([&](In& in) { in.key_lengths = long_lengths; }, ErrorCode::kOutOfRange, "keyLengths");
  check([&](In& in) { in.key_lengths = negative; }, ErrorCode::kOutOfRange, "keyLengths");
  check([&](In& in) { in.query_segments = six.data(); }, ErrorCode::kMissingOption, "segments.k");
  check([&](In& in) { in.key_segments = six.data(); }, ErrorCode::kMissingOption, "segments.q");
  check([&](In& in) { in.q_positions = short_entry; }, ErrorCode::kShapeMismatch, "positions.q");
  check([&](In& in) { in.k_positions = short_entry; }, ErrorCode::kShapeMismatch, "positions.k");
  check([&](In& in) { in.q_positions = three; }, ErrorCode::kShapeMismatch, "positions.q");
  check([&](In& in) { in.q_positions = two_axes; }, ErrorCode::kShapeMismatch, "positions.q");
  check([&](In& in) { in.k_positions = nan_entry; }, ErrorCode::kOutsideDomain, "positions.k");

  Setup setup = good;
  const Attention attention = setup.make();
  check_error(attention.forward(setup.inputs(), {}).error(), ErrorCode::kMissingOption, "into");
  check_error(attention.scores(setup.inputs(), ScoreStage::kRaw, nullptr).error(),
              ErrorCode::kMissingOption, "into");
  const auto rows = HeadRows<const float>::heads(out.data(), 2, 3, 4);
  std::vector<float> lse(12);
  AttentionGradients gradients;
  check_error(attention.backward(setup.inputs(), rows, nullptr, rows, gradients).error(),
              ErrorCode::kMissingOption, "lse");
  check_error(attention.backward(setup.inputs(), {}, lse.data(), rows, gradients).error(),
              ErrorCode::kMissingOption, "out");
  check_error(attention.backward(setup.inputs(), rows, lse.data(), {}, gradients).error(),
              ErrorCode::kMissingOption, "dOut");
  gradients.d_mask = out.data();
  check_error(attention.backward(setup.inputs(), rows, lse.data(), rows, gradients).error(),
              ErrorCode::kUnsupported, "dMask");
  std::vector<Gradients> two(2);
  gradients = {};
  gradients.of = two;
  check_error(attention.backward(setup.inputs(), rows, lse.data(), rows, gradients).error(),
              ErrorCode::kShapeMismatch, "params");
}

TEST_CASE("attention: hidden positions need not be in the domain; empty calls do nothing") {
  auto bias = alibi(2);
  Setup setup;
  setup.options = {.heads = 2, .head_dim = 4};
  setup.q_len = 3, setup.k_len = 5;
  setup.bias = &bias;
  setup.fill(1);
  setup.lengths = {4};
  setup.k_positions = {{0, 1, 2, 3, NAN}};
  setup.q_positions = {{0, 1, 2}};
  const auto output = testing::run_forward(setup);
  for (double value : output.out) CHECK(std::isfinite(value));
  Setup none = setup;
  none.batch = 0, none.q_positions = none.k_positions = {}, none.lengths = {};
  none.fill(1);
  CHECK(testing::run_forward(none).out.empty());
}

TEST_CASE("attention: 32,768 keys take the memory of the packed keys and values, and no matrix") {
  constexpr int64_t kKeys = 32768, kDim = 64;
  auto bias = alibi(1);
  Setup setup;
  setup.options = {.heads = 1, .head_dim = kDim, .causal = Causal::kBottomRight};
  setup.q_len = 8, setup.k_len = kKeys;
  setup.bias = &bias;
  setup.fill(1);
  // Of K and V each 8 MiB, and less than 1 MiB beside them; the scores of one head alone would be 4
  // GiB at q = k.
  setup.q_len = kKeys;
  setup.q.resize(kKeys * kDim);
  std::vector<float> out(kKeys * kDim);
  const Attention attention = setup.make();
  const int64_t before = allocated_bytes();
  reset_peak_bytes();
  setup.options.window_left = 100;
  REQUIRE(
      setup.make()
          .forward(setup.inputs(), {HeadRows<float>::heads(out.data(), 1, kKeys, kDim), nullptr})
          .has_value());
  const int64_t taken = peak_bytes() - before;
  MESSAGE("scratch of a call with 32,768 keys of width 64: " << taken / 1024 << " KiB");
  CHECK(taken <= (2 * kKeys * kDim + 2 * kKeys) * 4 + (1 << 20));
}

}  // namespace
}  // namespace posenc
