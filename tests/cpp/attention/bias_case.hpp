// Golden cases of attention with a bias encoding: forward, and the gradients of q, k, v and of the
// parameters.
#pragma once

#include <vector>

#include "attention/setup.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc::testing {

// q, k, v of the case, [heads, seq, dim] or [batch, heads, seq, dim], with one encoding.
inline Setup bias_setup(const GoldenCase& golden, Encoding& encoding) {
  const Shape &q = golden["q"].shape, &k = golden["k"].shape, &v = golden["v"].shape;
  Setup setup;
  setup.batch = q.rank == 4 ? q[0] : 1;
  setup.options = {.heads = q.back(2),
                   .head_dim = q.back(0),
                   .value_dim = v.back(0),
                   .scale = golden.number("scale")};
  setup.q_len = q.back(1);
  setup.k_len = k.back(1);
  setup.q = golden["q"].floats;
  setup.k = golden["k"].floats;
  setup.v = golden["v"].floats;
  if (golden.tensors.contains("dout")) setup.d_out = golden["dout"].floats;
  setup.encodings = {&encoding};
  return setup;
}

// Compares the library with the case, and the plain loops with both. `bias` is the reference's
// [heads, q, k].
inline Gradient check_bias_case(Setup& setup, const GoldenCase& golden,
                                const std::vector<double>& bias) {
  const double bound = golden_bound(golden.tolerance);
  reference::Attention plain = setup.reference();
  const std::vector<double> mask = plain.bias;
  plain.bias.clear();
  for (int64_t b = 0; b < setup.batch; b++)
    plain.bias.insert(plain.bias.end(), bias.begin(), bias.end());
  for (std::size_t i = 0; i < mask.size(); i++) plain.bias[i] += mask[i];
  const Output output = run_forward(setup);
  check_close(output.out, golden["out"].floats, bound, golden.name + ", out");
  check_close(attention_forward(plain).out, golden["out"].floats, 2e-7,
              golden.name + ", plain loops, out");
  if (setup.d_out.empty()) return {};
  const Gradient gradient = run_backward(setup, output);
  const auto g = attention_backward(
      plain, setup.by_heads(setup.d_out, plain.heads, plain.q_len, plain.value_dim));
  const struct {
    const char* name;
    const std::vector<double>&got, &plain;
  } pairs[] = {{"dq", gradient.dq, g.dq}, {"dk", gradient.dk, g.dk}, {"dv", gradient.dv, g.dv}};
  for (const auto& pair : pairs) {
    check_close(pair.got, golden[pair.name].floats, bound, golden.name + ", " + pair.name);
    check_close(pair.plain, golden[pair.name].floats, 2e-7,
                golden.name + ", plain loops, " + pair.name);
  }
  return gradient;
}

}  // namespace posenc::testing
