// T5's bias with a gate: in attention, forward and backward, against plain loops in double.
#include "attention/setup.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/bias/t5.hpp"
#include "reference/bias/gate.hpp"
#include "reference/bias/t5.hpp"
#include "support/bias.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::check_sums;
using testing::counted;

reference::Gate gate_of(const BiasEncoding& bias) {
  const ContentGate gate = bias.gate();
  const auto all = [](const float* data, int64_t count) {
    return std::vector<double>(data, data + count);
  };
  return {bias.heads(),
          gate.dim,
          gate.width,
          all(gate.weight, gate.dim * gate.width),
          all(gate.bias, gate.width),
          all(gate.scale, bias.heads())};
}

// What a gated call has beside plain attention: its content by heads, the bias [heads, q, k] and
// the gates.
struct Gated {
  reference::Gate gate;
  reference::Buckets buckets;
  std::vector<double> content, bias, gates;
  reference::Attention attention;

  Gated(const testing::Setup& setup, const BiasEncoding& encoding, const T5Options& options)
      : gate(gate_of(encoding)),
        buckets{options.num_buckets, options.max_distance, options.bidirectional} {
    const bool input = options.gate == T5Gate::kInput;
    content = setup.by_heads(input ? setup.gate_input : setup.q, setup.heads(), setup.q_len,
                             setup.options.head_dim);
    gates = reference::gates(gate, content, setup.q_len);
    const auto table = encoding.parameters()[0].values.span();
    for (std::size_t h = 0; h < static_cast<std::size_t>(setup.heads()); h++) {
      std::vector<double> column;
      for (std::size_t b = h; b < table.size(); b += static_cast<std::size_t>(setup.heads()))
        column.push_back(table[b]);
      const auto one = reference::t5_bias(
          buckets, column, counted(static_cast<double>(setup.offset(0)), setup.q_len),
          counted(0, setup.k_len));
      bias.insert(bias.end(), one.begin(), one.end());
    }
    attention = setup.reference();
    attention.bias.resize(static_cast<std::size_t>(setup.batch) * bias.size());
    for (std::size_t n = 0; n < attention.bias.size(); n++) {
      attention.bias[n] += gates[n / static_cast<std::size_t>(setup.k_len)] * bias[n % bias.size()];
    }
  }
};

struct Sizes {
  int64_t batch, heads, kv_heads, q_len, k_len, head_dim;
};
constexpr Sizes kSizes[] = {{1, 1, 1, 1, 1, 1},    {1, 3, 1, 2, 9, 4},   {2, 2, 2, 5, 5, 6},
                            {1, 4, 2, 17, 33, 8},  {1, 2, 2, 65, 70, 3}, {2, 3, 3, 64, 64, 5},
                            {1, 2, 1, 66, 130, 17}};

testing::Setup setup_of(const Sizes& sizes, BiasEncoding& encoding, T5Gate gate, bool packed) {
  testing::Setup setup;
  setup.batch = sizes.batch, setup.q_len = sizes.q_len, setup.k_len = sizes.k_len;
  setup.options = {.heads = sizes.heads, .kv_heads = sizes.kv_heads, .head_dim = sizes.head_dim};
  setup.packed = packed;
  setup.encodings = {&encoding};
  setup.fill(static_cast<uint64_t>(sizes.q_len));
  if (gate == T5Gate::kInput) setup.gate_input = testing::random_floats(setup.q.size(), 77, -2, 2);
  return setup;
}

TEST_CASE("t5 with a gate: attention and all its gradients against plain loops, at awkward sizes") {
  for (T5Gate gate : {T5Gate::kQuery, T5Gate::kInput}) {
    for (const Sizes& sizes : kSizes) {
      CAPTURE(sizes.q_len);
      const T5Options options{.heads = sizes.heads,
                              .num_buckets = 9,
                              .max_distance = 40,
                              .gate = gate,
                              .head_dim = sizes.head_dim,
                              .gate_width = sizes.head_dim % 2 == 0 ? 8 : 2};
      auto encoding = adapted<T5>(options, 3);
      REQUIRE(encoding.parameters().set(
          "gateScale", testing::random_floats(static_cast<std::size_t>(sizes.heads), 8)));
      REQUIRE(encoding.parameters().set(
          "table", testing::random_floats(static_cast<std::size_t>(9 * sizes.heads), 9, -2, 2)));
      testing::Setup setup = setup_of(sizes, encoding, gate, sizes.q_len % 2 == 1);
      if (sizes.q_len == 17)
        setup.options.causal = Causal::kBottomRight, setup.options.softcap = 1.5;
      const Gated plain(setup, encoding, options);

      const testing::Output output = testing::run_forward(setup);
      check_close(output.out, reference::attention_forward(plain.attention).out, 2e-6, "out");
      const auto weights = reference::attention_scores(plain.attention).weights;
      check_close(testing::run_scores(setup, ScoreStage::kWeights), weights, 2e-6, "weights");

      const testing::Gradient got = testing::run_backward(setup, output);
      const auto d_out = setup.by_heads(setup.d_out, sizes.heads, sizes.q_len, setup.value_dim());
      auto want = reference::attention_backward(plain.attention, d_out);
      std::vector<double> d_gates(plain.gates.size()), d_bias(plain.bias.size());
      for (std::size_t n = 0; n < want.d_bias.size(); n++) {
        const std::size_t row = n / static_cast<std::size_t>(sizes.k_len),
                          cell = n % plain.bias.size();
        d_gates[row] += want.d_bias[n] * plain.bias[cell];
        d_bias[cell] += want.d_bias[n] * plain.gates[row];
      }
      const auto g = reference::gates_backward(plain.gate, plain.content, sizes.q_len, d_gates);
      if (gate == T5Gate::kQuery)
        for (std::size_t i = 0; i < want.dq.size(); i++) want.dq[i] += g.content[i];
      check_sums(got.dq, want.dq, 3e-6, "dq");
      check_sums(got.dk, want.dk, 3e-6, "dk");
      check_sums(got.dv, want.dv, 3e-6, "dv");
      if (gate == T5Gate::kInput) check_sums(got.d_gate_input, g.content, 3e-6, "dGateInput");
      std::vector<double> d_table(static_cast<std::size_t>(9 * sizes.heads));
      const auto area = static_cast<std::ptrdiff_t>(sizes.q_len * sizes.k_len);
      for (std::size_t h = 0; h < static_cast<std::size_t>(sizes.heads); h++) {
        const auto first = d_bias.begin() + static_cast<std::ptrdiff_t>(h) * area;
        const auto one = reference::t5_backward(
            plain.buckets, {first, first + area},
            counted(static_cast<double>(setup.offset(0)), sizes.q_len), counted(0, sizes.k_len));
        for (std::size_t b = 0; b < one.size(); b++)
          d_table[b * static_cast<std::size_t>(sizes.heads) + h] = one[b];
      }
      REQUIRE(got.params.size() == 4);
      check_sums(got.params[0], d_table, 3e-6, "table");
      check_sums(got.params[1], g.weight, 5e-6, "gateWeight");
      check_sums(got.params[2], g.bias, 5e-6, "gateBias");
      check_sums(got.params[3], g.scale, 5e-6, "gateScale");
    }
  }
}

TEST_CASE("t5 with a gate: the plain gradients against finite differences") {
  reference::Gate gate{2,
                       3,
                       4,
                       testing::widened(testing::random_floats(12, 1)),
                       testing::widened(testing::random_floats(4, 2)),
                       testing::widened(testing::random_floats(2, 3))};
  auto content = testing::widened(testing::random_floats(2 * 2 * 5 * 3, 4));
  const auto d_gates = testing::widened(testing::random_floats(2 * 2 * 5, 5));
  const auto gradient = reference::gates_backward(gate, content, 5, d_gates);
  const auto loss = [&] { return testing::product(reference::gates(gate, content, 5), d_gates); };
  testing::check_differences(content, gradient.content, loss, "content");
  testing::check_differences(gate.weight, gradient.weight, loss, "weight");
  testing::check_differences(gate.bias, gradient.bias, loss, "bias");
  testing::check_differences(gate.scale, gradient.scale, loss, "scale");
}

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
