// Attention with any options, masks, lengths, segments, positions and encodings, on its own and
// with a cache. What is refused changes nothing; what is taken writes finite numbers, and gradients
// too.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "encodings.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::fuzz {
namespace {

constexpr float kUntouched = 7;
constexpr int64_t kMost = 1 << 14;

std::vector<float> untouched(int64_t count) { return filled(count, kUntouched); }
bool is_untouched(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == kUntouched; });
}

// One attention with encodings of its own.
struct Drawn {
  std::vector<std::unique_ptr<Encoding>> owned;
  std::vector<Encoding*> encodings;
  std::unique_ptr<Attention> attention;
  bool is_plain = true;  // no factor in it that could make numbers leave the range of floats
};

bool is_moderate(const AttentionOptions& options) {
  const double scale = std::abs(options.scale.value_or(1));
  return scale <= 16 &&
         (options.softcap == 0 || (options.softcap > 1e-3 && options.softcap < 1e3)) &&
         options.temperature.type == QueryTemperature::kNone;
}

Drawn draw_attention(Draw& draw) {
  Drawn drawn;
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

// A call's inputs and the memory that they point into.
struct Call {
  AttentionInputs inputs;
  int64_t keys = 0;  // how many there are, those of a cache too: what each of them has is so long
  std::vector<float> q, k, v, additive, sinks, logit_scale, gate_input;
  std::vector<uint8_t> boolean;
  std::vector<int32_t> lengths, offsets, query_segments, key_segments, query_global, key_global;
  std::vector<DrawnPositions> drawn;
  std::vector<Positions> query_positions, key_positions;
  std::vector<std::vector<int32_t>> ids;
  std::vector<AttentionRelations> relations;
};

void draw_mask(Draw& draw, int64_t heads, Call& call) {
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
                                    Call& call) {
  std::vector<Positions> entries;
  if (draw.chance(2)) return entries;
  for (int64_t b = 0; b < (draw.chance(2) ? 1 : batch); b++) {
    call.drawn.push_back(draw_positions(draw, draw.chance(16) ? count + 1 : count, axes));
    entries.push_back(call.drawn.back().positions);
  }
  return entries;
}

void draw_rows(Draw& draw, Call& call) {
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

void draw_relations(Draw& draw, const Drawn& of, Call& call) {
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

void draw_call(Draw& draw, const Drawn& of, int64_t batch, int64_t q_len, int64_t k_len, Call& call,
               int64_t held = 0) {
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

void run_backward(Draw& draw, const Drawn& of, const Call& call, const std::vector<float>& out,
                  const std::vector<float>& lse) {
  const AttentionOptions& options = of.attention->options();
  const auto& in = call.inputs;
  const auto d_out = draw.floats(static_cast<int64_t>(out.size()));
  auto dq = untouched(static_cast<int64_t>(call.q.size())),
       dk = untouched(static_cast<int64_t>(call.k.size())),
       dv = untouched(static_cast<int64_t>(call.v.size()));
  std::vector<std::vector<float>> memory;
  std::vector<Gradients> gradients(of.encodings.size());
  for (std::size_t e = 0; e < of.encodings.size(); e++) {
    const ParameterSet& set = std::as_const(*of.encodings[e]).parameters();
    for (int i = 0; i < set.count(); i++) {
      if (set[i].trained)
        gradients[e].of[static_cast<std::size_t>(i)] =
            memory.emplace_back(static_cast<std::size_t>(set[i].values.size())).data();
    }
  }
  const int64_t heads = options.heads, kv_heads = *options.kv_heads;
  const auto rows = [&](auto* data, int64_t count, int64_t length, int64_t dim) {
    return HeadRows<std::remove_pointer_t<decltype(data)>>::heads(data, count, length, dim);
  };
  const AttentionGradients wanted = {
      .dq = HeadRows<float>::packed(dq.data(), heads, in.q_len, options.head_dim),
      .dk = rows(dk.data(), kv_heads, in.k_len, options.head_dim),
      .dv = rows(dv.data(), kv_heads, in.k_len, *options.value_dim),
      .of = gradients,
  };
  const Status status =
      of.attention->backward(in, rows(out.data(), heads, in.q_len, *options.value_dim), lse.data(),
                             rows(d_out.data(), heads, in.q_len, *options.value_dim), wanted);
  if (!status) {
    expect_named(status.error());
    expect(is_untouched(dq) && is_untouched(dk) && is_untouched(dv),
           "a refused backward writes nothing");
  } else if (of.is_plain) {
    expect_finite(dq, "dq"), expect_finite(dk, "dk"), expect_finite(dv, "dv");
  }
}

void run_call(Draw& draw, const Drawn& of, const Call& call) {
  const AttentionOptions& options = of.attention->options();
  const auto& in = call.inputs;
  auto out = untouched(in.batch * options.heads * in.q_len * *options.value_dim);
  auto lse = untouched(in.batch * options.heads * in.q_len);
  const AttentionOutputs outputs = {
      .out = HeadRows<float>::heads(out.data(), options.heads, in.q_len, *options.value_dim),
      .lse = lse.data()};
  const Status checked = of.attention->check(in), status = of.attention->forward(in, outputs);
  expect(checked || !status, "what check() refuses, forward() refuses");
  if (!status) {
    expect_named(status.error());
    expect(is_untouched(out) && is_untouched(lse), "a refused call writes nothing");
    return;
  }
  if (of.is_plain) expect_finite(out, "out");
  if (draw.chance(2)) {
    auto scores = untouched(in.batch * options.heads * in.q_len * in.k_len);
    const auto stage = static_cast<ScoreStage>(draw.below(4));
    if (const Status given = of.attention->scores(in, stage, scores.data()); !given)
      expect_named(given.error());
    else if (of.is_plain && stage == ScoreStage::kWeights)
      expect_finite(scores, "weights");
  }
  if (draw.chance(2)) run_backward(draw, of, call, out, lse);
}

// Appends, drops, reorders and reads, as decoding and beam search do.
void run_cache(Draw& draw, const Drawn& of) {
  KvCacheOptions cache_options;
  if (!draw_options(draw, kKvCacheFields, &cache_options, {}) || cache_options.batch > 4 ||
      cache_options.capacity > 256)
    return;
  auto cache = KvCache::make(*of.attention, cache_options);
  if (!cache) return expect_named(cache.error());
  const AttentionOptions& options = of.attention->options();
  for (int step = 0; step < 6 && !draw.is_over(); step++) {
    Status status;
    switch (draw.below(5)) {
      case 0: status = cache->truncate(draw.between(-1, 8)); break;
      case 1: {
        const auto rows = draw.integers(draw.below(5), static_cast<int32_t>(cache->batch()));
        status = cache->reorder(rows);
        break;
      }
      case 2: status = cache->slide(draw.between(-1, 8)); break;
      default: {
        Call call;
        const int64_t q_len = draw.below(6), k_len = draw.below(6);
        draw_call(draw, of, cache->batch(), q_len, k_len, call, cache->longest());
        auto out =
            untouched(cache->batch() * options.heads * call.inputs.q_len * *options.value_dim);
        const int64_t before = cache->longest();
        status = of.attention->forward(
            call.inputs,
            {.out = HeadRows<float>::heads(out.data(), options.heads, call.inputs.q_len,
                                           *options.value_dim)},
            *cache);
        if (!status)
          expect(is_untouched(out) && cache->longest() == before, "a refused call changes nothing");
      }
    }
    if (!status) expect_named(status.error());
  }
}

}  // namespace

void run(Draw& draw) {
  const Drawn drawn = draw_attention(draw);
  if (!drawn.attention) return;
  if (draw.chance(4)) return run_cache(draw, drawn);
  Call call;
  const int64_t sizes[] = {0, 1, 2, 3, 5, 17, 63, 64, 65, 70};
  const int64_t batch = draw.below(3), q_len = sizes[draw.below(10)], k_len = sizes[draw.below(10)];
  if (batch * drawn.attention->options().heads * q_len * k_len > kMost) return;
  draw_call(draw, drawn, batch, q_len, k_len, call);
  run_call(draw, drawn, call);
}

}  // namespace posenc::fuzz
