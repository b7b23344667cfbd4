// A call drawn at random over all options of a layer.
#include "layer/layer_setup.hpp"
#include "support/lanes.hpp"

namespace posenc::testing {

LayerSetup LayerSetup::random(uint64_t seed) {
  Random random(seed);
  const auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random.next() % static_cast<uint64_t>(bound));
  };
  const auto pick = [&](std::initializer_list<int64_t> from) {
    return from.begin()[below(static_cast<int64_t>(from.size()))];
  };
  const auto awkward = awkward_sizes();
  LayerSetup s;
  const int64_t kv = 1 + below(2);
  s.options.attention.heads = kv * (1 + below(3));
  s.options.attention.kv_heads = kv;
  s.options.head_dim = pick({2, 4, 6, 8, 16, 18});
  s.options.attention.value_dim = pick({1, 2, 3, 5, 8, 16, 17});
  s.options.dim = below(3) == 0 ? 70 : awkward[static_cast<std::size_t>(below(5))];
  s.batch = 1 + below(2);
  s.q_len = pick({1, 2, 3, 4, 5, 17, 64, 65});
  s.k_len = s.q_len;
  s.cross = below(3) == 0;
  if (s.cross)
    s.k_len = pick({1, 2, 5, 17, 66}),
    s.options.context_dim = below(2) == 0 ? s.options.dim : pick({1, 5, 20});
  s.options.attention.causal = static_cast<Causal>(below(3));
  if (s.cross && s.options.attention.causal == Causal::kBottomRight)
    s.options.attention.causal = Causal::kOff;
  if (below(3) == 0) s.options.attention.softcap = 0.8;
  s.options.qkv_bias = below(2) == 0;
  s.options.output_projection = below(4) != 0;
  s.options.output_bias = s.options.output_projection && below(2) == 0;
  s.options.weight_layout = static_cast<WeightLayout>(below(2));
  s.options.add_to = static_cast<AddTo>(below(3));
  if (below(3) == 0) {
    for (int64_t b = 0; b < s.batch; b++)
      s.lengths.push_back(static_cast<int32_t>(1 + below(s.k_len)));
  }
  if (below(3) == 0) {
    for (int64_t i = 0; i < s.q_len; i++) s.q_positions.push_back(static_cast<double>(below(90)));
    if (s.cross || below(2) == 0) {
      for (int64_t j = 0; j < s.k_len; j++) s.k_positions.push_back(static_cast<double>(below(90)));
    }
    if (!s.cross && !s.k_positions.empty()) s.k_positions = s.q_positions;
  }
  const bool same = s.options.context_dim.value_or(s.options.dim) == s.options.dim;
  if ((same || s.options.add_to == AddTo::kQ) && below(3) != 0) {
    s.table = std::make_unique<TableRows>(90, s.options.dim, below(2) == 0 ? 1.0F : 1.5F, seed);
  }
  if (below(2) == 0) {
    s.rope = std::make_unique<RotaryAdapter<Rope>>(
        std::move(*posenc::make<Rope>({.head_dim = *s.options.head_dim, .base = kRopeBase})));
  }
  if (below(2) == 0) {
    s.alibi = std::make_unique<DistanceBiasAdapter<Alibi>>(std::move(*posenc::make<Alibi>(
        {.heads = s.options.attention.heads, .sides = AlibiSides::kSymmetric, .trainable = true})));
  }
  s.make(seed);
  s.fill(seed);
  return s;
}

}  // namespace posenc::testing
