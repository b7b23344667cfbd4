// The backward pass by recomputation: with P = exp(score - lse) of a tile made anew,
//   dV += Pᵀ · dO,  dP = dO · Vᵀ,  dS = P ∘ (dP - D),  D = Σ dO ∘ O of a row,
//   dQ += scale · dS · K,  dK += scale · dSᵀ · Q,
// dS being also the gradient of biases and additive mask; through softcap it is multiplied by 1 -
// (capped / cap)². Dao et al. 2022, FlashAttention, appendix B.
#include <algorithm>

#include "posenc/attention/backward_work.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

// Elements of an additive mask for one head.
int64_t mask_rows(const AttentionInputs& inputs) noexcept {
  const Shape& shape = inputs.mask.shape;
  return (shape.rank > 1 ? shape.back(1) : 1) * shape.back(0);
}

}  // namespace

int64_t BackwardWork::relative_index() const noexcept {
  const auto all = attention.encodings();
  return std::find(all.begin(), all.end(), attention.relative()) - all.begin();
}

void BackwardWork::differentiate(const CallRow& row, int64_t head_index) noexcept {
  const HeadScores head = begin_head(row, head_index);
  parameters.begin_head();
  logit_sum = sink_sum = 0;
  if (gradients.d_mask) {
    std::fill_n(mask_sums, inputs.k_len, 0.0F);
    d_mask =
        gradients.d_mask + (gradients.of_each_head
                                ? inputs.head_index(row.batch_row, head_index) * mask_rows(inputs)
                                : head.mask.start);
  }
  for (int64_t first = 0; first < inputs.q_len; first += kTile) {
    const int64_t queries = std::min(kTile, inputs.q_len - first);
    begin_queries(row, head_index, first, queries);
    if (relative.right_to_left()) count_gates(row, head, first, queries);
    const KeyRange seen = head.mask.range(first, queries);
    for (int64_t key = seen.begin / kTile * kTile; key < seen.end; key += kTile) {
      take_in(row, head, {first, queries, key, std::min(kTile, row.keys - key), kTile});
    }
    end_queries(row, head_index, first, queries);
    add_sink_gradient(head, queries);
  }
  if (parameters.wanted()) {
    for (const HeadBias& bias : head.biases)
      bias.encoding->finish(bias.head, parameters.part(bias.index));
  }
  if (parameters.wanted() && attention.relative())
    relative.end_head(parameters.part(relative_index()));
  parameters.end_head(inputs.head_index(row.batch_row, head_index));
  if (gradients.d_sinks) gradients.d_sinks[head_index] += sink_sum;
  if (gradients.d_logit_scale &&
      inputs.logit_scale[head_index] <= static_cast<float>(kLargestLogitScale)) {
    gradients.d_logit_scale[head_index] += logit_sum;
  }
  if (gradients.d_mask && head.mask.stride == 0) {
    kernels::add(mask_sums, head.mask.keys, d_mask);
  }
}

Status differentiate(const Attention& attention, const AttentionInputs& inputs,
                     const HeadRows<const float>& out, const float* lse,
                     const HeadRows<const float>& d_out,
                     const AttentionGradients& gradients) noexcept {
  Buffer<Gradients> parts;
  const auto count = static_cast<int64_t>(attention.encodings().size());
  if (Status status = parts.allocate(count, "encodings"); !status) return status;
  const Upstream upstream{out, lse, d_out};
  BackwardWork work(attention, inputs, upstream, gradients, parts.span());
  if (Status status = reserve(work, 1); !status) return status;

  work.parameters.clear();
  if (gradients.d_logit_scale)
    std::fill_n(gradients.d_logit_scale, attention.options().heads, 0.0F);
  if (gradients.d_sinks) std::fill_n(gradients.d_sinks, attention.options().heads, 0.0F);
  if (gradients.d_mask) {
    const int64_t heads = inputs.batch * inputs.head_count;
    std::fill_n(gradients.d_mask,
                gradients.of_each_head ? heads * mask_rows(inputs)
                                       : *element_count(inputs.mask.shape, "mask"),
                0.0F);
  }
  const int64_t group = work.group;
  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = work.begin_row(b);
    const int64_t end = inputs.first_head + inputs.head_count;
    for (int64_t kv_head = inputs.first_head / group; kv_head < end / group; kv_head++) {
      work.begin_group(row, kv_head);
      for (int64_t g = 0; g < group; g++) work.differentiate(row, kv_head * group + g);
      work.end_group(row, kv_head);
    }
  }
  return {};
}

}  // namespace posenc::attn
