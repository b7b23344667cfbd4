#include "posenc/attention/attention.hpp"

#include <algorithm>

#include "posenc/attention/call.hpp"
#include "posenc/attention/passes.hpp"

namespace posenc {
namespace {

// The output of a call, [batch, heads, q_len, width].
Status check_rows(const AttentionInputs& inputs, const float* data, int64_t width,
                  const char* parameter) noexcept {
  const Result<int64_t> count =
      attn::elements(inputs.batch, inputs.head_count, inputs.q_len, width, parameter);
  return count ? attn::check_given(data, *count, parameter) : std::unexpected(count.error());
}

Status check_gradients(const Attention& attention, const AttentionInputs& inputs,
                       const AttentionGradients& gradients) noexcept {
  const auto encodings = static_cast<int64_t>(attention.encodings().size());
  const auto given = static_cast<int64_t>(gradients.of.size());
  const int64_t entries =
      encodings * (gradients.of_each_head ? inputs.batch * inputs.head_count : int64_t{1});
  if (given != 0 && given != entries) {
    return fail(ErrorCode::kShapeMismatch, "params", text_of(given, " entries"),
                text_of(entries, " entries or none"));
  }
  if (gradients.d_logit_scale && inputs.logit_scale == nullptr) {
    return fail(ErrorCode::kUnsupported, "dLogitScale", "no logitScale", "a scale per head");
  }
  if (gradients.d_sinks && inputs.sinks == nullptr) {
    return fail(ErrorCode::kMissingOption, "sinks", "nothing", "the sinks that dSinks is of");
  }
  if (gradients.d_gate_input.given() && !inputs.gate_input.given()) {
    return fail(ErrorCode::kMissingOption, "gateInput", "nothing",
                "the rows that dGateInput is of");
  }
  if (gradients.d_mask && inputs.mask.kind != AttentionMask::Kind::kAdditive) {
    return fail(ErrorCode::kUnsupported, "dMask",
                inputs.mask.kind == AttentionMask::Kind::kNone ? "no mask" : "a boolean mask",
                "an additive mask");
  }
  return {};
}

// The part of the heads that a call computes, by number, and its tensors as if they held all of
// them.
Result<AttentionInputs> resolve_heads(const AttentionOptions& options,
                                      const AttentionInputs& given) noexcept {
  AttentionInputs inputs = given;
  const int64_t group = options.heads / *options.kv_heads;
  if (inputs.head_count == 0) inputs.head_count = options.heads;
  const int64_t first = inputs.first_head, count = inputs.head_count;
  if (first < 0 || count < 0 || first > options.heads - count || first % group != 0 ||
      count % group != 0) {
    return fail(ErrorCode::kOutOfRange, "heads", text_of(count, " heads from ", first),
                text_of("multiples of ", group, " within ", options.heads));
  }
  inputs.q = inputs.q.from_head(first);
  inputs.k = inputs.k.from_head(first / group);
  inputs.v = inputs.v.from_head(first / group);
  inputs.gate_input = inputs.gate_input.from_head(first);
  return inputs;
}

bool is_contextual(const RelativeEncoding* encoding) noexcept {
  return encoding && std::ranges::any_of(encoding->terms(), &RelativeTerm::contextual);
}

}  // namespace

Status Attention::check(const AttentionInputs& inputs) const noexcept {
  const Result<AttentionInputs> resolved = resolve_heads(options_, inputs);
  return resolved ? attn::check_inputs(*this, *resolved) : std::unexpected(resolved.error());
}

Status Attention::forward(const AttentionInputs& given,
                          const AttentionOutputs& outputs) const noexcept {
  const Result<AttentionInputs> resolved = resolve_heads(options_, given);
  if (!resolved) return std::unexpected(resolved.error());
  const AttentionInputs& inputs = *resolved;
  if (Status status = attn::check_inputs(*this, inputs); !status) return status;
  if (Status status = check_rows(inputs, outputs.out.data, *options_.value_dim, "into"); !status)
    return status;
  if (inputs.q_len == 0) return {};
  const AttentionOutputs to = {outputs.out.from_head(inputs.first_head), outputs.lse};
  const bool by_rows = inputs.q_len <= attn::kFewQueries && !is_contextual(relative_);
  return by_rows ? attn::attend_rows(*this, inputs, to) : attn::attend_tiles(*this, inputs, to);
}

Status Attention::scores(const AttentionInputs& given, ScoreStage stage,
                         float* scores) const noexcept {
  const Result<AttentionInputs> resolved = resolve_heads(options_, given);
  if (!resolved) return std::unexpected(resolved.error());
  const AttentionInputs& inputs = *resolved;
  const bool every_key = stage <= ScoreStage::kCapped;
  if (Status status = attn::check_inputs(*this, inputs, false, every_key); !status) return status;
  if (Status status = check_rows(inputs, scores, inputs.k_len, "into"); !status) return status;
  return inputs.q_len == 0 ? Status{} : attn::write_scores(*this, inputs, stage, scores);
}

Status Attention::backward(const AttentionInputs& given, HeadRows<const float> out,
                           const float* lse, HeadRows<const float> d_out,
                           const AttentionGradients& wanted) const noexcept {
  const Result<AttentionInputs> resolved = resolve_heads(options_, given);
  if (!resolved) return std::unexpected(resolved.error());
  const AttentionInputs& inputs = *resolved;
  if (Status status = attn::check_inputs(*this, inputs); !status) return status;
  if (Status status = check_rows(inputs, out.data, *options_.value_dim, "out"); !status)
    return status;
  if (Status status = check_rows(inputs, d_out.data, *options_.value_dim, "dOut"); !status)
    return status;
  if (Status status = check_rows(inputs, lse, 1, "lse"); !status) return status;
  if (Status status = check_gradients(*this, inputs, wanted); !status) return status;
  const int64_t first = inputs.first_head, group = options_.heads / *options_.kv_heads;
  AttentionGradients gradients = wanted;
  gradients.dq = wanted.dq.from_head(first);
  gradients.dk = wanted.dk.from_head(first / group);
  gradients.dv = wanted.dv.from_head(first / group);
  gradients.d_gate_input = wanted.d_gate_input.from_head(first);
  return attn::differentiate(*this, inputs, out.from_head(first), lse, d_out.from_head(first),
                             gradients);
}

}  // namespace posenc
