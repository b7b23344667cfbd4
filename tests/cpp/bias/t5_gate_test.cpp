// T5's bias with a gate: in attention, forward and backward, against plain loops in double.
#include "bias/t5_gate_setup.hpp"
#include "reference/bias/t5.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::check_sums;
using testing::counted;
using namespace testing::gated;

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

std::vector<Sizes> all_sizes() {
  std::vector<Sizes> sizes = {{1, 1, 1, 1, 1, 1, 2}, {1, 3, 1, 2, 9, 4},   {2, 2, 2, 5, 5, 6},
                              {1, 4, 2, 17, 33, 8},  {1, 2, 2, 65, 70, 3}, {2, 3, 3, 64, 64, 5},
                              {1, 2, 1, 66, 130, 17}};
  for (const auto& [a, b] : testing::awkward_pairs()) sizes.push_back({2, 2, 1, a, b, b, 2 * a});
  return sizes;
}

TEST_CASE("t5 with a gate: attention and all its gradients against plain loops, at awkward sizes") {
  for (T5Gate gate : {T5Gate::kQuery, T5Gate::kInput}) {
    for (const Sizes& sizes : all_sizes()) {
      CAPTURE(sizes.q_len);
      CAPTURE(sizes.head_dim);
      const T5Options options{.heads = sizes.heads,
                              .num_buckets = 9,
                              .max_distance = 40,
                              .gate = gate,
                              .head_dim = sizes.head_dim,
                              .gate_width = sizes.gate_width};
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

}  // namespace
}  // namespace posenc
