// What can be wrong with the inputs of a call.
#include <cmath>
#include <limits>

#include "posenc/attention/axes.hpp"
#include "posenc/attention/call.hpp"
#include "posenc/attention/fade.hpp"

namespace posenc::attn {
namespace {

Status check_mask(const AttentionInputs& inputs) noexcept {
  const AttentionMask& mask = inputs.mask;
  if (mask.kind == AttentionMask::Kind::kNone) return {};
  const int64_t full[] = {inputs.k_len, inputs.q_len, inputs.head_count,
                          inputs.batch};  // from the last axis
  bool fits = mask.shape.rank >= 1 && mask.shape.rank <= 4;
  int64_t count = 1;
  for (int axis = 0; fits && axis < mask.shape.rank; axis++) {
    const int64_t extent = mask.shape.back(axis);
    fits = axis == 0 ? extent >= 0 && extent <= full[0] : extent == 1 || extent == full[axis];
    count *= extent;
  }
  if (!fits) {
    return fail(
        ErrorCode::kShapeMismatch, "mask", text_of_shape(mask.shape),
        Text("a shape of 1 to 4 axes that broadcasts to ")
            .append(
                text_of_shape({inputs.batch, inputs.head_count, inputs.q_len, inputs.k_len}).view())
            .append("; the last axis may be shorter"));
  }
  return check_given(mask.data, count, "mask");
}

Status check_lengths(const AttentionInputs& inputs) noexcept {
  for (int64_t b = 0; inputs.key_lengths && b < inputs.batch; b++) {
    const int64_t length = inputs.key_lengths[b];
    if (length >= 0 && length <= inputs.k_len) continue;
    return fail(ErrorCode::kOutOfRange, "keyLengths", text_of(length, " at index ", b),
                text_of("0 to ", inputs.k_len, ", the number of keys"));
  }
  return {};
}

Status check_segments(const AttentionInputs& inputs) noexcept {
  if ((inputs.query_segments == nullptr) == (inputs.key_segments == nullptr)) return {};
  const char* parameter = inputs.query_segments ? "segments.k" : "segments.q";
  return fail(ErrorCode::kMissingOption, parameter, "nothing",
              "segments of both queries and keys, or of neither");
}

// How many ids of relations an encoding knows; 0: it reads none.
int64_t relation_ids(const Encoding& encoding) noexcept {
  return encoding.info().family == Family::kBias
             ? static_cast<const BiasEncoding&>(encoding).relations()
             : 0;
}

Status check_relation_entries(const Attention& attention, const AttentionInputs& inputs) noexcept {
  const auto encodings = attention.encodings();
  const auto entries = static_cast<int64_t>(inputs.relations.size());
  if (entries != 0 && entries != static_cast<int64_t>(encodings.size())) {
    return fail(ErrorCode::kShapeMismatch, "relations", text_of(entries, " entries"),
                "one per encoding, or none");
  }
  for (std::size_t i = 0; i < encodings.size(); i++) {
    const int64_t known = relation_ids(*encodings[i]);
    const AttentionRelations given = entries == 0 ? AttentionRelations{} : inputs.relations[i];
    if (known == 0 && given.ids != nullptr) {
      return fail(ErrorCode::kUnsupported, "relations",
                  text_of("relations for ", encodings[i]->info().id),
                  "relations for encodings that read them");
    }
    if (known == 0) continue;
    const Result<int64_t> count =
        element_count({given.each_row ? inputs.batch : 1, inputs.q_len, inputs.k_len}, "relations");
    if (!count) return std::unexpected(count.error());
    if (Status status = check_given(given.ids, *count, "relations"); !status) return status;
    if (Status status = check_relations(given.ids, *count, known, "relations"); !status)
      return status;
  }
  return {};
}

Status check_logit_scale(const AttentionOptions& options, const AttentionInputs& inputs) noexcept {
  if (inputs.logit_scale == nullptr) return {};
  if (options.logits != Logits::kCosine) {
    return fail(ErrorCode::kUnsupported, "logitScale", "a scale per head",
                "only where logits are cosines");
  }
  for (int64_t h = 0; h < options.heads; h++) {
    if (std::isfinite(inputs.logit_scale[h])) continue;
    return fail(ErrorCode::kOutOfRange, "logitScale",
                text_of(static_cast<double>(inputs.logit_scale[h]), " at index ", h),
                "finite numbers");
  }
  return {};
}

Status check_gate_input(const Attention& attention, const AttentionInputs& inputs) noexcept {
  if (!attention.reads_gate_input() && inputs.gate_input.given()) {
    return fail(ErrorCode::kUnsupported, "gateInput", "rows for gates",
                "rows where an encoding's gate reads the input");
  }
  if (!attention.reads_gate_input()) return {};
  const AttentionOptions& options = attention.options();
  const Result<int64_t> count =
      elements(inputs.batch, inputs.head_count, inputs.q_len, options.head_dim, "gateInput");
  return count ? check_given(inputs.gate_input.data, *count, "gateInput")
               : std::unexpected(count.error());
}

Status check_sinks(const AttentionOptions& options, const AttentionInputs& inputs) noexcept {
  for (int64_t h = 0; inputs.sinks && h < options.heads; h++) {
    if (inputs.sinks[h] < std::numeric_limits<float>::infinity()) continue;
    return fail(ErrorCode::kOutOfRange, "sinks", text_of(inputs.sinks[h], " at index ", h),
                "finite numbers, or -Infinity for none");
  }
  return {};
}

Status check_domains(const Attention& attention, const AttentionInputs& inputs,
                     bool every_key) noexcept {
  for (const Encoding* encoding : attention.encodings()) {
    if (!reads_positions(*encoding)) continue;
    for (int64_t b = 0; b < inputs.batch; b++) {
      const CallRow row = resolve_row(attention, inputs, b, every_key);
      if (Status status = check_positions_of(*encoding, row.query, "positions.q"); !status)
        return status;
      if (Status status = check_positions_of(*encoding, row.key, "positions.k"); !status)
        return status;
      if (encoding != attention.rotary() || !attention.rotary()->fades()) continue;
      if (Status status = check_spread(*attention.rotary(), row.query, "positions.q"); !status)
        return status;
      if (Status status = check_spread(*attention.rotary(), row.key, "positions.k"); !status)
        return status;
    }
  }
  return {};
}

}  // namespace

Result<int64_t> elements(int64_t batch, int64_t heads, int64_t length, int64_t width,
                         const char* parameter) noexcept {
  return element_count({batch, heads, length, width}, parameter);
}

Status check_given(const void* data, int64_t count, const char* parameter) noexcept {
  if (data != nullptr || count == 0) return {};
  return fail(ErrorCode::kMissingOption, parameter, "nothing", "a tensor");
}

Status check_position_entries(std::span<const Positions> entries, int64_t batch, int64_t count,
                              const char* parameter) noexcept {
  const auto size = static_cast<int64_t>(entries.size());
  if (size > 1 && size != batch) {
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(size, " rows"),
                text_of("1 or ", batch, " rows"));
  }
  for (const Positions& positions : entries) {
    if (positions.count == count) continue;
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(positions.count, " positions"),
                text_of(count, ", one per token"));
  }
  return {};
}

Status check_inputs(const Attention& attention, const AttentionInputs& given, bool with_values,
                    bool every_key) noexcept {
  const AttentionOptions& options = attention.options();
  AttentionInputs inputs = given;
  if (inputs.head_count == 0) inputs.head_count = options.heads;
  struct Tensor {
    const char* name;
    const float* data;
    int64_t heads, length, width;
  };
  const int64_t kv_heads = inputs.head_count / (options.heads / *options.kv_heads);
  const Tensor tensors[] = {{"q", inputs.q.data, inputs.head_count, inputs.q_len, options.head_dim},
                            {"k", inputs.k.data, kv_heads, inputs.k_len, options.head_dim},
                            {"v", inputs.v.data, kv_heads, inputs.k_len, *options.value_dim}};
  for (const Tensor& tensor : std::span(tensors).first(with_values ? 3 : 2)) {
    const Result<int64_t> count =
        elements(inputs.batch, tensor.heads, tensor.length, tensor.width, tensor.name);
    if (!count) return std::unexpected(count.error());
    if (Status status = check_given(tensor.data, *count, tensor.name); !status) return status;
  }
  if (Status status = check_mask(inputs); !status) return status;
  if (Status status = check_lengths(inputs); !status) return status;
  if (Status status = check_segments(inputs); !status) return status;
  if (Status status = check_sinks(options, inputs); !status) return status;
  if (Status status = check_gate_input(attention, inputs); !status) return status;
  Status status =
      check_position_entries(inputs.q_positions, inputs.batch, inputs.q_len, "positions.q");
  if (status)
    status = check_position_entries(inputs.k_positions, inputs.batch, inputs.k_len, "positions.k");
  if (status) status = check_logit_scale(options, inputs);
  if (status) status = check_relation_entries(attention, inputs);
  return status ? check_domains(attention, inputs, every_key) : status;
}

}  // namespace posenc::attn
