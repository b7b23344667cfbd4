// Attention with any options, masks, lengths, segments, positions and encodings, on its own and
// with a cache. What is refused changes nothing; what is taken writes finite numbers, and gradients
// too.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "attention_calls.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::fuzz {
namespace {

constexpr float kUntouched = 7;

std::vector<float> untouched(int64_t count) { return filled(count, kUntouched); }
bool is_untouched(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == kUntouched; });
}

void run_backward(Draw& draw, const DrawnAttention& of, const DrawnCall& call,
                  const std::vector<float>& out, const std::vector<float>& lse) {
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

void run_call(Draw& draw, const DrawnAttention& of, const DrawnCall& call) {
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
void run_cache(Draw& draw, const DrawnAttention& of) {
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
        DrawnCall call;
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
  const DrawnAttention drawn = draw_attention(draw);
  if (!drawn.attention) return;
  if (draw.chance(4)) return run_cache(draw, drawn);
  DrawnCall call;
  const int64_t sizes[] = {0, 1, 2, 3, 5, 17, 63, 64, 65, 70};
  const int64_t batch = draw.below(3), q_len = sizes[draw.below(10)], k_len = sizes[draw.below(10)];
  if (batch * drawn.attention->options().heads * q_len * k_len > kMost) return;
  draw_call(draw, drawn, batch, q_len, k_len, call);
  run_call(draw, drawn, call);
}

}  // namespace posenc::fuzz
