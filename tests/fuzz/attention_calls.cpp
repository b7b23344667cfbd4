#include "attention_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::fuzz {
namespace {

bool is_moderate(const AttentionOptions& options) {
  const double scale = std::abs(options.scale.value_or(1));
  return scale <= 16 &&
         (options.softcap == 0 || (options.softcap > 1e-3 && options.softcap < 1e3)) &&
         options.temperature.type == QueryTemperature::kNone;
}

void draw_mask(Draw& draw, int64_t heads, DrawnCall& call) {
  const auto& in = call.inputs;
  const int64_t full[] = {in.batch, heads, in.q_len, in.k_len};
  const int64_t rank = draw.below(6);
  int64_t count = 1;
  Shape shape;
  for (int64_t axis = 4 - std::min<int64_t>(rank, 4); axis < 4; axis++) {
    shape.push(draw.chance(8) ? draw.below(5) : (draw.chance(3) ? 1 : full[axis]));
    count *= shape.back(0);
  }
  if (rank == 5) shape = {1, 1, 1, in.q_len, in.k_len};
  call.inputs.mask.shape = shape;
  if (draw.chance(2)) {
    call.inputs.mask.kind = AttentionMask::Kind::kBoolean;
    call.boolean.resize(
        static_cast<std::size_t>(std::max<int64_t>({count, in.q_len * in.k_len, 1})));
    for (uint8_t& flag : call.boolean) flag = draw.chance(3) ? 0 : 1;
    call.inputs.mask.data = call.boolean.data();
    return;
  }
  call.inputs.mask.kind = AttentionMask::Kind::kAdditive;
  call.additive = draw.floats(std::max<int64_t>(count, in.q_len * in.k_len));
  for (float& value : call.additive) {
    if (draw.chance(3)) value = -std::numeric_limits<float>::infinity();
  }
  call.inputs.mask.data = call.additive.data();
}

std::vector<Positions> draw_entries(Draw& draw, int64_t batch, int64_t count, int axes,
                                    DrawnCall& call) {
  std::vector<Positions> entries;
  if (draw.chance(2)) return entries;
  for (int64_t b = 0; b < (draw.chance(2) ? 1 : batch); b++) {
    call.drawn.push_back(draw_positions(draw, draw.chance(16) ? count + 1 : count, axes));
    entries.push_back(call.drawn.back().positions);
  }
  return entries;
}

void draw_rows(Draw& draw, DrawnCall& call) {
  const auto& in = call.inputs;
  const auto k_len = static_cast<int32_t>(in.k_len);
  const auto maybe = [&](std::vector<int32_t>& list, int64_t count,
                         int32_t around) -> const int32_t* {
    if (!draw.chance(4)) return nullptr;
    list = draw.integers(count, around);
    list.reserve(1);
    return list.data();
  };
  call.inputs.key_lengths = maybe(call.lengths, in.batch, k_len);
  call.inputs.query_offsets = maybe(call.offsets, in.batch, k_len);
  call.inputs.query_segments = maybe(call.query_segments, in.batch * in.q_len, 0);
  call.inputs.key_segments = maybe(call.key_segments, in.batch * call.keys, 0);
  call.inputs.query_global = maybe(call.query_global, in.batch * in.q_len, 0);
  call.inputs.key_global = maybe(call.key_global, in.batch * call.keys, 0);
}

void draw_relations(Draw& draw, const DrawnAttention& of, DrawnCall& call) {
  const auto& in = call.inputs;
  for (const Encoding* encoding : of.encodings) {
    const bool reads = encoding->info().family == Family::kBias &&
                       static_cast<const BiasEncoding*>(encoding)->relations() > 0;
    AttentionRelations one = {.ids = nullptr, .each_row = draw.chance(2)};
    if (reads != draw.chance(16)) {
      auto& ids = call.ids.emplace_back(static_cast<std::size_t>(in.batch * in.q_len * call.keys));
      for (int32_t& id : ids) id = static_cast<int32_t>(draw.below(3));
      ids.reserve(1);
      one.ids = ids.data();
    }
    call.relations.push_back(one);
  }
  if (!draw.chance(8)) call.inputs.relations = call.relations;
}

}  // namespace

DrawnAttention draw_attention(Draw& draw) {
  DrawnAttention drawn;
  AttentionOptions options;
  if (!draw_options(draw, kAttentionFields, &options, {})) return drawn;
  if (options.heads > 8 || options.head_dim > 40 || options.value_dim.value_or(1) > 40)
    return drawn;
  for (int64_t n = draw.below(4); n > 0; n--) {
    auto encoding = draw_encoding(draw, draw_type(draw),
                                  {.heads = options.heads, .head_dim = options.head_dim});
    if (!encoding || encoding->parameters().total_elements() > kMost) continue;
    drawn.encodings.push_back(encoding.get());
    drawn.owned.push_back(std::move(encoding));
  }
  auto attention = Attention::make(options, drawn.encodings);
  if (!attention) {
    expect_named(attention.error());
    return drawn;
  }
  drawn.attention = std::make_unique<Attention>(std::move(*attention));
  drawn.is_plain = drawn.encodings.empty() && is_moderate(options);
  return drawn;
}

void draw_call(Draw& draw, const DrawnAttention& of, int64_t batch, int64_t q_len, int64_t k_len,
               DrawnCall& call, int64_t held) {
  const AttentionOptions& options = of.attention->options();
  call.drawn.reserve(16), call.ids.reserve(8);
  const int64_t heads = options.heads, kv_heads = *options.kv_heads;
  call.inputs.batch = batch, call.inputs.q_len = q_len, call.inputs.k_len = k_len;
  call.keys = held + k_len;
  call.q = draw.floats(batch * heads * q_len * options.head_dim);
  call.k = draw.floats(batch * kv_heads * k_len * options.head_dim);
  call.v = draw.floats(batch * kv_heads * k_len * *options.value_dim);
  call.inputs.q = HeadRows<const float>::packed(call.q.data(), heads, q_len, options.head_dim);
  call.inputs.k = HeadRows<const float>::heads(call.k.data(), kv_heads, k_len, options.head_dim);
  call.inputs.v = HeadRows<const float>::heads(call.v.data(), kv_heads, k_len, *options.value_dim);
  if (draw.chance(2)) draw_mask(draw, heads, call);
  draw_rows(draw, call);
  const int axes = of.encodings.empty() ? 1 : of.encodings.back()->domain().axes;
  call.query_positions = draw_entries(draw, batch, q_len, axes, call);
  call.key_positions = draw_entries(draw, batch, k_len, axes, call);
  call.inputs.q_positions = call.query_positions;
  call.inputs.k_positions = call.key_positions;
  if (draw.chance(4)) call.sinks = draw.floats(heads), call.inputs.sinks = call.sinks.data();
  if (draw.chance(4))
    call.logit_scale = draw.floats(heads), call.inputs.logit_scale = call.logit_scale.data();
  if (of.attention->reads_gate_input() != draw.chance(16)) {
    call.gate_input = draw.floats(batch * heads * q_len * options.head_dim);
    call.inputs.gate_input =
        HeadRows<const float>::heads(call.gate_input.data(), heads, q_len, options.head_dim);
  }
  draw_relations(draw, of, call);
}

}  // namespace posenc::fuzz
