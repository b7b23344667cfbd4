#include "attention/random_setup.hpp"

#include <algorithm>
#include <limits>

namespace posenc::testing {

RandomSetup::RandomSetup(uint64_t seed) : random_(seed) {
  draw_sizes();
  fill(seed);
  draw_masks();
  draw_encodings();
  draw_patterns();
}

void RandomSetup::draw_sizes() {
  batch = 1 + below(2);
  const int64_t kv = 1 + below(2), group = 1 + below(3);
  options.heads = kv * group;
  options.kv_heads = kv;
  options.head_dim = pick<int64_t>({1, 2, 3, 5, 8, 20});
  options.value_dim = pick<int64_t>({1, 2, 3, 5, 8, 20});
  q_len = pick<int64_t>({1, 2, 3, 4, 5, 17, 63, 64, 65, 130});
  k_len = pick<int64_t>({1, 2, 3, 5, 17, 63, 64, 65, 130});
  if (q_len <= 4 && chance(4))
    k_len += pick<int64_t>({448, 510, 1030});  // few queries take many keys at a time
  if (chance(3)) options.scale = 0.5;
  if (chance(3)) options.softcap = 0.8;
  packed = chance(2);
}

void RandomSetup::draw_masks() {
  options.causal = pick({Causal::kOff, Causal::kOff, Causal::kBottomRight, Causal::kTopLeft});
  if (chance(4)) options.window_left = below(k_len + 1);
  if (chance(4)) options.window_right = below(k_len + 1);
  for (int64_t b = 0; b < batch; b++) {
    lengths.push_back(static_cast<int32_t>(below(k_len + 1)));
    offsets.push_back(static_cast<int32_t>(below(2 * k_len) - k_len / 2));
    for (int64_t i = 0; i < q_len; i++)
      query_segments.push_back(static_cast<int32_t>(3 * i / q_len));
    for (int64_t j = 0; j < k_len; j++) key_segments.push_back(static_cast<int32_t>(3 * j / k_len));
  }
  if (!chance(3)) lengths.clear();
  if (!chance(3)) offsets.clear();
  if (!chance(4)) query_segments.clear(), key_segments.clear();
  if (!chance(2)) draw_mask_tensor();
}

void RandomSetup::draw_mask_tensor() {
  mask_shape = {batch, heads(), q_len, chance(4) ? 1 + below(k_len) : k_len};
  for (std::size_t axis = 0; axis < 3; axis++) {
    if (chance(2)) mask_shape[axis] = 1;
  }
  mask_shape.erase(mask_shape.begin(), mask_shape.begin() + below(4));
  int64_t count = 1;
  for (int64_t extent : mask_shape) count *= extent;
  const bool is_additive = chance(2), much = chance(3);
  mask_kind = is_additive ? AttentionMask::Kind::kAdditive : AttentionMask::Kind::kBoolean;
  for (int64_t n = 0; n < count; n++) {
    const bool hidden = chance(much ? 2 : 8);
    if (!is_additive)
      boolean.push_back(hidden ? 0 : 1);
    else if (hidden)
      additive.push_back(-std::numeric_limits<float>::infinity());
    else
      additive.push_back(static_cast<float>(2 * random_.uniform() - 1));
  }
}

std::vector<std::vector<double>> RandomSetup::positions(int64_t count) {
  std::vector<std::vector<double>> rows;
  for (int64_t b = 0; b < (chance(2) ? 1 : batch); b++) {
    auto& row = rows.emplace_back();
    for (int64_t i = 0; i < count; i++) row.push_back(static_cast<double>(below(40)) / 2 - 3);
  }
  return rows;
}

void RandomSetup::draw_encodings() {
  const int64_t limit = std::min(options.head_dim, *options.value_dim) / 2 * 2;
  if (options.head_dim >= 2 && chance(2)) {
    const bool turn_values = limit >= 2 && chance(3);
    const int64_t dim = turn_values ? limit : options.head_dim / 2 * 2;
    owned_rotary_ = std::make_unique<PlainRotary>(
        options.head_dim, chance(2) ? dim : 2, pick({PairLayout::kHalf, PairLayout::kInterleaved}),
        turn_values, chance(3));
    rotary = owned_rotary_.get();
  }
  if (chance(2)) {
    AlibiOptions of{.heads = options.heads, .sides = AlibiSides::kSymmetric, .trainable = true};
    owned_bias_ = std::make_unique<DistanceBiasAdapter<Alibi>>(
        std::move(*posenc::make<Alibi>(std::move(of))));
    bias = owned_bias_.get();
    for (int64_t h = 0; h < options.heads; h++)
      slopes.push_back(owned_bias_->parameters().values("slopes")[h]);
  }
  if ((rotary || bias) && chance(3)) {
    q_positions = positions(q_len);
    k_positions = positions(k_len);
  }
}

// Sinks, chunks, global tokens, blocks and temperatures: each in a part of the calls.
void RandomSetup::draw_patterns() {
  const bool has_sinks = chance(3);
  for (int64_t h = 0; h < heads() && has_sinks; h++)
    sinks.push_back(static_cast<float>(4 * random_.uniform() - 2));
  if (!sinks.empty() && chance(4)) sinks[0] = -std::numeric_limits<float>::infinity();
  if (chance(4)) options.chunk = 1 + below(k_len);
  if (chance(4)) {
    for (int64_t n = 0; n < batch * q_len; n++) query_global.push_back(chance(40) ? 1 : 0);
  }
  if (chance(4)) {
    for (int64_t n = 0; n < batch * k_len; n++) key_global.push_back(chance(40) ? 1 : 0);
  }
  if (chance(4)) {
    options.blocks = {.size = pick<int64_t>({1, 3, 8, 16, 64, 100}),
                      .window = below(3),
                      .global = below(3),
                      .random = below(5),
                      .seed = below(1000)};
  }
  if (chance(6))
    options.temperature = {.type = QueryTemperature::kLlama4, .floor_scale = 20, .weight = 0.2};
  if (chance(6)) options.temperature = {.type = QueryTemperature::kLogN, .length = 40};
}

}  // namespace posenc::testing
