// Calls of attention with T5's gated bias.
#pragma once

#include "attention/setup.hpp"
#include "posenc/bias/t5.hpp"
#include "reference/bias/gate.hpp"
#include "support/bias.hpp"

namespace posenc::testing::gated {

inline reference::Gate gate_of(const BiasEncoding& bias) {
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

struct Sizes {
  int64_t batch, heads, kv_heads, q_len, k_len, head_dim, gate_width = 8;
};
inline Setup setup_of(const Sizes& sizes, BiasEncoding& encoding, T5Gate gate, bool packed) {
  Setup setup;
  setup.batch = sizes.batch, setup.q_len = sizes.q_len, setup.k_len = sizes.k_len;
  setup.options = {.heads = sizes.heads, .kv_heads = sizes.kv_heads, .head_dim = sizes.head_dim};
  setup.packed = packed;
  setup.encodings = {&encoding};
  setup.fill(static_cast<uint64_t>(sizes.q_len));
  if (gate == T5Gate::kInput) setup.gate_input = random_floats(setup.q.size(), 77, -2, 2);
  return setup;
}

}  // namespace posenc::testing::gated
