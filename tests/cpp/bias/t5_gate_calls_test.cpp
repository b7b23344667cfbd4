// What holds of T5's gated bias in attention, whatever its numbers.
#include "bias/t5_gate_setup.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::check_sums;
using testing::counted;
using namespace testing::gated;

TEST_CASE("t5 with a gate: a query that sees nothing, NaN in it, leaves gradients alone") {
  const T5Options options{
      .heads = 2, .num_buckets = 8, .max_distance = 20, .gate = T5Gate::kQuery, .head_dim = 4};
  auto encoding = adapted<T5>(options, 5);
  testing::Setup setup = setup_of({1, 2, 2, 5, 5, 4}, encoding, T5Gate::kQuery, false);
  setup.query_segments = {0, 0, 9, 0, 0}, setup.key_segments = {0, 0, 0, 0, 0};
  const auto clean = testing::run_backward(setup, testing::run_forward(setup));
  for (int64_t h = 0; h < 2; h++) setup.q[static_cast<std::size_t>((h * 5 + 2) * 4)] = NAN;
  const testing::Output output = testing::run_forward(setup);
  const auto got = testing::run_backward(setup, output);
  for (std::size_t c = 0; c < 4; c++) CHECK(output.out[2 * 4 + c] == 0);
  CHECK(got.params == clean.params);
  CHECK(got.dk == clean.dk);
}

TEST_CASE("t5 with a gate: whole = prefix + one by one, with a cache") {
  for (T5Gate gate : {T5Gate::kQuery, T5Gate::kInput}) {
    auto encoding = adapted<T5>(
        {.heads = 2, .num_buckets = 9, .max_distance = 12, .gate = gate, .head_dim = 5}, 3);
    REQUIRE(encoding.parameters().set("table", testing::random_floats(18, 9, -2, 2)).has_value());
    testing::Setup setup = setup_of({2, 2, 1, 20, 20, 5}, encoding, gate, false);
    setup.options.causal = Causal::kBottomRight;
    const auto want = testing::run_forward(setup).out;
    for (CacheKeys keys : {CacheKeys::kRotated, CacheKeys::kRaw})
      check_close(testing::run_cached(setup, keys, 13), want, 1e-6, "cached");
  }
}

TEST_CASE("t5 with a gate: positions given make the same bits, and moved ones too") {
  for (T5Gate gate : {T5Gate::kQuery, T5Gate::kInput}) {
    auto encoding = adapted<T5>({.heads = 2, .gate = gate, .head_dim = 5}, 3);
    testing::Setup setup = setup_of({1, 2, 2, 9, 21, 5}, encoding, gate, false);
    const testing::Output counted_out = testing::run_forward(setup);
    const testing::Gradient gradient = testing::run_backward(setup, counted_out);
    for (double from : {0.0, 400.0}) {
      setup.q_positions = {counted(from, 9)}, setup.k_positions = {counted(from, 21)};
      const testing::Output given = testing::run_forward(setup);
      CHECK(given.raw_out == counted_out.raw_out);
      CHECK(given.lse == counted_out.lse);
      const testing::Gradient got = testing::run_backward(setup, given);
      CHECK(got.dq == gradient.dq);
      CHECK(got.d_gate_input == gradient.d_gate_input);
      for (std::size_t t = 0; t < 4; t++) check_sums(got.params[t], gradient.params[t], 1e-6, "");
    }
  }
}

TEST_CASE("t5 with a gate: the operation `gates`") {
  const T5 encoding =
      std::move(*make<T5>({.heads = 2, .gate = T5Gate::kInput, .head_dim = 3, .gate_width = 4}, 1));
  const auto content = testing::widened(testing::random_floats(2 * 2 * 5 * 3, 6));
  const TensorView<const double> view{content, {2, 2, 5, 3}};
  const auto result = t5_gates(encoding, {}, {&view, 1});
  REQUIRE(result.has_value());
  CHECK(result->shape == Shape{2, 2, 5});
  const auto bias =
      adapted<T5>({.heads = 2, .gate = T5Gate::kInput, .head_dim = 3, .gate_width = 4}, 1);
  check_close(std::vector<float>(result->data.span().begin(), result->data.span().end()),
              reference::gates(gate_of(bias), content, 5), 1e-6, "gates");
  const TensorView<const double> narrow{content, {2, 2, 3, 5}};
  testing::check_error(t5_gates(encoding, {}, {&narrow, 1}).error(), ErrorCode::kShapeMismatch,
                       "content");
  const T5 plain = std::move(*make<T5>({.heads = 2}));
  testing::check_error(t5_gates(plain, {}, {&view, 1}).error(), ErrorCode::kUnsupported, "gates");
}

TEST_CASE("t5 with a gate: what attention refuses") {
  auto encoding = adapted<T5>({.heads = 2, .gate = T5Gate::kInput, .head_dim = 4});
  Encoding* list[] = {&encoding};
  testing::check_error(Attention::make({.heads = 2, .head_dim = 8}, list).error(),
                       ErrorCode::kShapeMismatch, "encodings[0]");
  testing::Setup setup = setup_of({1, 2, 2, 3, 3, 4}, encoding, T5Gate::kInput, false);
  setup.gate_input.clear();
  std::vector<float> out(setup.q.size());
  const AttentionOutputs to{setup.rows<float>(out.data(), 2, 3, 4), nullptr};
  testing::check_error(setup.make().forward(setup.inputs(), to).error(), ErrorCode::kMissingOption,
                       "gateInput");
  auto plain = adapted<T5>({.heads = 2});
  setup.encodings = {&plain};
  setup.gate_input = setup.q;
  testing::check_error(setup.make().forward(setup.inputs(), to).error(), ErrorCode::kUnsupported,
                       "gateInput");
  testing::check_error(make<T5>({.heads = 2, .gate = T5Gate::kQuery}).error(),
                       ErrorCode::kOutOfRange, "headDim");
}

}  // namespace
}  // namespace posenc
