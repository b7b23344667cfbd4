// Attention: how it is made, and its bulk calls.
#include "posenc/attention/attention.hpp"

#include <emscripten/emscripten.h>

#include "attention_inputs.hpp"
#include "bulk.hpp"
#include "calls.hpp"
#include "objects.hpp"
#include "report.hpp"

namespace posenc::bindings {

uintptr_t make_attention(const MakeCall& call, double) noexcept {
  AttentionOptions options;
  if (report(read_options(kAttentionFields, &options,
                          options_of(call.options, call.option_count))) != kSuccess)
    return 0;
  return owned_result(Attention::make(options, encodings_of(call)));
}

double attention_number(const Attention& attention, int32_t which) noexcept {
  const AttentionOptions& options = attention.options();
  switch (which) {
    case number_of(kAttentionNumbers, "heads"): return static_cast<double>(options.heads);
    case number_of(kAttentionNumbers, "kvHeads"): return static_cast<double>(*options.kv_heads);
    case number_of(kAttentionNumbers, "headDim"): return static_cast<double>(options.head_dim);
    default: return static_cast<double>(*options.value_dim);
  }
}

namespace {

// The tensors of a call as the attention's head counts and widths lay them out.
struct Layout {
  const AttentionCall& call;
  const AttentionOptions& options = call.attention->options();
  int64_t heads = call.head_count == 0 ? options.heads : call.head_count;
  int64_t kv_heads = heads / (options.heads / *options.kv_heads);

  template <typename T>
  HeadRows<T> query(T* data) const noexcept {
    return head_rows(call.packed, data, heads, call.q_len, options.head_dim);
  }
  template <typename T>
  HeadRows<T> key(T* data) const noexcept {
    return head_rows(call.packed, data, kv_heads, call.k_len, options.head_dim);
  }
  template <typename T>
  HeadRows<T> value(T* data) const noexcept {
    return head_rows(call.packed, data, kv_heads, call.k_len, *options.value_dim);
  }
  template <typename T>
  HeadRows<T> output(T* data) const noexcept {
    return head_rows(call.packed, data, heads, call.q_len, *options.value_dim);
  }
};

AttentionMask mask_of(const AttentionCall& call) noexcept {
  AttentionMask mask = {
      .kind = static_cast<AttentionMask::Kind>(call.mask_kind), .data = call.mask, .shape = {}};
  for (int32_t axis = 0; axis < call.mask_rank; axis++) mask.shape.push(call.mask_shape[axis]);
  return mask;
}

// What each encoding reads of relations; none where the call gave none.
Status list_relations(const AttentionCall& call, Buffer<AttentionRelations>& relations) noexcept {
  const bool given = call.relations != nullptr;
  const auto count = given ? static_cast<int64_t>(call.attention->encodings().size()) : int64_t{0};
  Status status = relations.allocate(count, "relations");
  for (int64_t i = 0; status && i < count; i++) {
    relations[i] = {.ids = call.relations[i].ids, .each_row = call.relations[i].each_row != 0};
  }
  return status;
}

}  // namespace

int32_t with_attention_inputs(const AttentionCall& call, AttentionBody body,
                              const void* context) noexcept {
  Buffer<Positions> query, key;
  Buffer<AttentionRelations> relations;
  Status status = expand(call.query, call.batch, "positions.q", query);
  if (status) status = expand(call.key, call.batch, "positions.k", key);
  if (status) status = list_relations(call, relations);
  if (!status) return report(status);
  const Layout layout{call};
  const AttentionInputs inputs = {
      .batch = call.batch,
      .q_len = call.q_len,
      .k_len = call.k_len,
      .q = layout.query(call.q),
      .k = layout.key(call.k),
      .v = layout.value(call.v),
      .mask = mask_of(call),
      .key_lengths = call.key_lengths,
      .query_offsets = call.query_offsets,
      .query_segments = call.query_segments,
      .key_segments = call.key_segments,
      .sinks = call.sinks,
      .query_global = call.query_global,
      .key_global = call.key_global,
      .q_positions = query.span(),
      .k_positions = key.span(),
      .relations = relations.span(),
      .logit_scale = call.logit_scale,
      .gate_input = layout.query(call.gate_input),
      .first_head = call.first_head,
      .head_count = call.head_count,
  };
  return report(body(inputs, context));
}

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_attention_forward(const AttentionCall* call) {
  return with_attention_inputs(*call, [=](const AttentionInputs& inputs) {
    const AttentionOutputs outputs = {.out = Layout{*call}.output(call->out), .lse = call->lse};
    if (call->cache != nullptr) return call->attention->forward(inputs, outputs, *call->cache);
    return call->attention->forward(inputs, outputs);
  });
}

// What posenc_attention_forward would refuse.
EMSCRIPTEN_KEEPALIVE int32_t posenc_attention_check(const AttentionCall* call) {
  return with_attention_inputs(
      *call, [=](const AttentionInputs& inputs) { return call->attention->check(inputs); });
}

EMSCRIPTEN_KEEPALIVE int32_t posenc_attention_scores(const AttentionCall* call) {
  return with_attention_inputs(*call, [=](const AttentionInputs& inputs) {
    return call->attention->scores(inputs, static_cast<ScoreStage>(call->stage), call->out);
  });
}

EMSCRIPTEN_KEEPALIVE int32_t posenc_attention_backward(const AttentionCall* call) {
  const std::span<Encoding* const> encodings = call->attention->encodings();
  float* block = call->gradients;
  const int64_t blocks = call->each_head ? call->batch * Layout{*call}.heads : int64_t{1};
  const int64_t wanted_of = block ? blocks * static_cast<int64_t>(encodings.size()) : 0;
  Buffer<Gradients> gradients;
  if (Status status = gradients.allocate(wanted_of, "encodings"); !status) return report(status);
  for (int64_t i = 0; i < wanted_of; i++) {
    gradients[i] = gradients_at(*encodings[static_cast<std::size_t>(i) % encodings.size()], block);
  }
  return with_attention_inputs(*call, [&](const AttentionInputs& inputs) {
    const Layout layout{*call};
    const AttentionGradients wanted = {
        .dq = layout.query(call->dq),
        .dk = layout.key(call->dk),
        .dv = layout.value(call->dv),
        .d_gate_input = layout.query(call->d_gate_input),
        .d_mask = call->d_mask,
        .d_logit_scale = call->d_logit_scale,
        .d_sinks = call->d_sinks,
        .of = gradients.span(),
        .of_each_head = call->each_head != 0,
    };
    const float* out = call->out;
    return call->attention->backward(inputs, layout.output(out), call->lse,
                                     layout.output(call->d_out), wanted);
  });
}

}  // extern "C"

}  // namespace posenc::bindings
