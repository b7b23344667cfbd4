#include "posenc/attention/call.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"

namespace posenc::attn {
namespace {

const Positions& entry_of(std::span<const Positions> entries, int64_t batch_row) noexcept {
  return entries[entries.size() == 1 ? 0 : static_cast<std::size_t>(batch_row)];
}

int64_t offset_of(const AttentionOptions& options, const AttentionInputs& inputs, int64_t keys,
                  int64_t batch_row) noexcept {
  if (inputs.query_offsets) return inputs.query_offsets[batch_row];
  return options.causal == Causal::kBottomRight ? keys - inputs.q_len : 0;
}

SparseRule sparse_rule(const AttentionOptions& options, const AttentionInputs& inputs,
                       const CallRow& row, int64_t head) noexcept {
  SparseRule rule;
  const int64_t batch_row = row.batch_row;
  if (inputs.query_global) rule.query_global = inputs.query_global + batch_row * inputs.q_len;
  if (inputs.key_global) rule.key_global = inputs.key_global + batch_row * inputs.k_len;
  const BlockSparseOptions& blocks = options.blocks;
  if (blocks.size == 0) return rule;
  rule.has_window = options.window_left.has_value() || options.window_right.has_value();
  const int64_t length = inputs.key_lengths ? inputs.key_lengths[batch_row] : inputs.k_len;
  rule.blocks = {.size = blocks.size,
                 .window = blocks.window,
                 .global = blocks.global,
                 .random = blocks.random,
                 .seed = static_cast<uint64_t>(blocks.seed),
                 .causal = options.causal != Causal::kOff,
                 .head = head,
                 .count = (std::min(row.keys, length) + blocks.size - 1) / blocks.size};
  return rule;
}

}  // namespace

CallRow resolve_row(const Attention& attention, const AttentionInputs& inputs, int64_t batch_row,
                    bool every_key) noexcept {
  CallRow row;
  row.batch_row = batch_row;
  const int64_t length = inputs.key_lengths ? inputs.key_lengths[batch_row] : inputs.k_len;
  row.keys = every_key ? inputs.k_len : length;
  row.offset = offset_of(attention.options(), inputs, length, batch_row);
  row.query = inputs.q_positions.empty()
                  ? Positions::range(static_cast<double>(row.offset), inputs.q_len)
                  : entry_of(inputs.q_positions, batch_row);
  row.key = inputs.k_positions.empty() ? Positions::range(0, row.keys)
                                       : entry_of(inputs.k_positions, batch_row).slice(0, row.keys);
  row.reached = length_reached(row.key.slice(0, length));
  return row;
}

Relations relations_of(const AttentionInputs& inputs, int64_t encoding,
                       int64_t batch_row) noexcept {
  if (inputs.relations.empty()) return {};
  const AttentionRelations& given = inputs.relations[static_cast<std::size_t>(encoding)];
  if (given.ids == nullptr) return {};
  return {given.ids + (given.each_row ? batch_row * inputs.q_len * inputs.k_len : 0), inputs.k_len};
}

double head_scale(const AttentionOptions& options, const AttentionInputs& inputs,
                  int64_t head) noexcept {
  const double learned =
      inputs.logit_scale ? math::exp(std::min<double>(inputs.logit_scale[head], kLargestLogitScale))
                         : 1;
  return *options.scale * learned;
}

HeadMask head_mask(const AttentionOptions& options, const AttentionInputs& inputs,
                   const CallRow& row, int64_t head) noexcept {
  HeadMask result;
  const int64_t batch_row = row.batch_row;
  result.keys =
      std::min(row.keys, inputs.key_lengths ? int64_t{inputs.key_lengths[batch_row]} : row.keys);
  result.offset = row.offset;
  result.left = options.window_left.value_or(HeadMask::kUnbounded);
  result.right = options.window_right.value_or(HeadMask::kUnbounded);
  result.causal = options.causal != Causal::kOff;
  if (result.causal) result.right = 0;
  result.chunk = options.chunk.value_or(0);
  result.sparse = sparse_rule(options, inputs, row, head);
  if (inputs.query_segments) {
    result.query_segments = inputs.query_segments + batch_row * inputs.q_len;
    result.key_segments = inputs.key_segments + batch_row * inputs.k_len;
  }
  const AttentionMask& mask = inputs.mask;
  if (mask.kind == AttentionMask::Kind::kNone) return result;
  const auto extent = [&](int axis) { return axis < mask.shape.rank ? mask.shape.back(axis) : 1; };
  const int64_t width = extent(0);
  const int64_t start = ((extent(3) > 1 ? batch_row : 0) * extent(2) +
                         (extent(2) > 1 ? head - inputs.first_head : 0)) *
                        extent(1) * width;
  result.kind = mask.kind;
  result.start = start;
  result.stride = extent(1) > 1 ? width : 0;
  result.keys = std::min(result.keys, width);
  if (mask.kind == AttentionMask::Kind::kBoolean)
    result.boolean = static_cast<const uint8_t*>(mask.data) + start;
  else
    result.additive = static_cast<const float*>(mask.data) + start;
  return result;
}

}  // namespace posenc::attn
