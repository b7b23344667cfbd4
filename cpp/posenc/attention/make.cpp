// What attention is made of: options, and encodings that go together.
#include <cmath>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/axes.hpp"

namespace posenc {
namespace {

Status resolve(AttentionOptions& options) noexcept {
  if (Status status = check_fields(kAttentionFields, &options); !status) return status;
  if (!options.kv_heads) options.kv_heads = options.heads;
  if (!options.value_dim) options.value_dim = options.head_dim;
  if (options.heads % *options.kv_heads == 0) return {};
  return fail(ErrorCode::kOutOfRange, "kvHeads", text_of(*options.kv_heads),
              text_of("a divisor of heads, which is ", options.heads));
}

// 1 for cosines, else 1 / sqrt(head_dim), and less where the relative encoding adds terms that a
// model was trained to divide by too.
double default_scale(const AttentionOptions& options,
                     std::span<Encoding* const> encodings) noexcept {
  if (options.logits == Logits::kCosine) return 1;
  auto terms = static_cast<double>(options.head_dim);
  for (const Encoding* encoding : encodings) {
    if (encoding->info().family != Family::kRelative) continue;
    terms *= static_cast<double>(static_cast<const RelativeEncoding*>(encoding)->scale_terms());
  }
  return 1 / std::sqrt(terms);
}

Status check_rotary(const AttentionOptions& options, const RotaryEncoding& rotary,
                    TextRef name) noexcept {
  if (rotary.head_dim() != options.head_dim) {
    return fail(ErrorCode::kShapeMismatch, name, text_of("headDim ", rotary.head_dim()),
                text_of("headDim ", options.head_dim));
  }
  if (rotary.rotates_values() && rotary.rotary_dim() > *options.value_dim) {
    return fail(ErrorCode::kShapeMismatch, name,
                text_of("values rotated in ", rotary.rotary_dim(), " columns"),
                text_of("at most valueDim, which is ", *options.value_dim));
  }
  return {};
}

Status check_bias(const AttentionOptions& options, const BiasEncoding& bias,
                  TextRef name) noexcept {
  if (bias.heads() != options.heads) {
    return fail(ErrorCode::kShapeMismatch, name, text_of(bias.heads(), " heads"),
                text_of(options.heads, " heads"));
  }
  const ContentGate gate = bias.gate();
  if (!gate.given() || gate.dim == options.head_dim) return {};
  return fail(ErrorCode::kShapeMismatch, name, text_of("a gate of headDim ", gate.dim),
              text_of("headDim ", options.head_dim));
}

Status check_relative(const AttentionOptions& options, const RelativeEncoding& relative,
                      TextRef name) noexcept {
  if (options.logits == Logits::kCosine) {
    return fail(ErrorCode::kUnsupported, name, "terms that look at the content",
                "logits 'dot' with such terms");
  }
  if (relative.heads() != 0 && relative.heads() != options.heads) {
    return fail(ErrorCode::kShapeMismatch, name, text_of(relative.heads(), " heads"),
                text_of(options.heads, " heads"));
  }
  if (relative.head_dim() != options.head_dim) {
    return fail(ErrorCode::kShapeMismatch, name, text_of("headDim ", relative.head_dim()),
                text_of("headDim ", options.head_dim));
  }
  for (const RelativeTerm& term : relative.terms()) {
    if (term.side == RelativeSide::kValue && relative.value_dim() != *options.value_dim) {
      return fail(ErrorCode::kShapeMismatch, name, text_of("valueDim ", relative.value_dim()),
                  text_of("valueDim ", *options.value_dim));
    }
    if (!(term.scaled && term.gates_scaled) && *options.scale == 0) {
      return fail(ErrorCode::kUnsupported, name, "terms or gates that are not scaled",
                  "a scale other than 0");
    }
  }
  return {};
}

}  // namespace

Result<Attention> Attention::make(const AttentionOptions& options,
                                  std::span<Encoding* const> encodings) noexcept {
  Attention attention;
  attention.options_ = options;
  if (Status status = resolve(attention.options_); !status) return std::unexpected(status.error());
  if (!options.scale) attention.options_.scale = default_scale(options, encodings);
  if (Status status =
          attention.encodings_.allocate(static_cast<int64_t>(encodings.size()), "encodings");
      !status)
    return std::unexpected(status.error());
  for (std::size_t i = 0; i < encodings.size(); i++) {
    Encoding* encoding = encodings[i];
    const Text name = text_of("encodings[", static_cast<int64_t>(i), "]");
    Status status;
    switch (encoding->info().family) {
      case Family::kRotary: {
        if (attention.rotary_) {
          return fail(ErrorCode::kUnsupported, name, encoding->info().id, "one rotary encoding");
        }
        attention.rotary_ = static_cast<const RotaryEncoding*>(encoding);
        status = check_rotary(attention.options_, *attention.rotary_, name);
        break;
      }
      case Family::kBias:
        status = check_bias(attention.options_, *static_cast<const BiasEncoding*>(encoding), name);
        break;
      case Family::kRelative: {
        if (attention.relative_) {
          return fail(ErrorCode::kUnsupported, name, encoding->info().id, "one relative encoding");
        }
        attention.relative_ = static_cast<const RelativeEncoding*>(encoding);
        status = check_relative(attention.options_, *attention.relative_, name);
        break;
      }
      case Family::kNone: break;
      default:
        return fail(ErrorCode::kUnsupported, name, encoding->info().id,
                    "an encoding that acts on scores");
    }
    if (!status) return std::unexpected(status.error());
    attention.encodings_[static_cast<int64_t>(i)] = encoding;
  }
  for (const Encoding* encoding : attention.encodings()) {
    if (encoding->info().family != Family::kBias) continue;
    attention.gate_input_ |= static_cast<const BiasEncoding*>(encoding)->gate().reads_input;
  }
  if (attention.rotary_ && attention.rotary_->fades() && attention.relative_) {
    return fail(ErrorCode::kUnsupported, "encodings",
                text_of(attention.rotary_->info().id, " and ", attention.relative_->info().id),
                "terms of the content beside a rotation that does not fade");
  }
  if (Status status = attn::check_common_axes(encodings, false); !status)
    return std::unexpected(status.error());
  return attention;
}

}  // namespace posenc
