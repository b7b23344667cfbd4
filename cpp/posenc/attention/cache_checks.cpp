// What can be wrong with an attention that uses a cache, and with tokens that go into it.
#include "posenc/attention/axes.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/attention/call.hpp"

namespace posenc {

Status KvCache::check_fits(const Attention& attention) const noexcept {
  const AttentionOptions& options = attention.options();
  if (*options.kv_heads != kv_heads_ || options.head_dim != head_dim_ ||
      *options.value_dim != value_dim_) {
    return fail(ErrorCode::kShapeMismatch, "cache",
                text_of("kvHeads ", kv_heads_, ", headDim ", head_dim_, ", valueDim ", value_dim_),
                text_of("kvHeads ", *options.kv_heads, ", headDim ", options.head_dim,
                        ", valueDim ", *options.value_dim));
  }
  if (attention.rotary() == rotary_) return {};
  return fail(ErrorCode::kUnsupported, "cache", "a cache for another rotary encoding",
              "one made by this attention");
}

Status KvCache::check_new_positions(const Positions& positions) const noexcept {
  const PositionDomain first = rotary_ ? rotary_->domain() : PositionDomain{.axes = axes_};
  Status status = rotary_ ? attn::check_positions_of(*rotary_, positions, "positions.k")
                          : check_positions(positions, first, "positions.k");
  if (!status) return status;
  if (rotary_ && positions.axes != first.axes && first.lone == LonePosition::kPlace) {
    return fail(ErrorCode::kUnsupported, "positions.k", "one number per token",
                text_of(first.axes, " per token: a cache keeps coordinates, not places in a grid"));
  }
  for (const Encoding* encoding : encodings_.span()) {
    if (encoding == rotary_ || !attn::reads_positions(*encoding)) continue;
    status = attn::check_positions_of(*encoding, positions, "positions.k");
    if (!status) return status;
  }
  return {};
}

Status KvCache::check_tokens(const KvTokens& tokens) const noexcept {
  const struct {
    const char* name;
    const float* data;
    int64_t width;
  } tensors[] = {{"k", tokens.k.data, head_dim_}, {"v", tokens.v.data, value_dim_}};
  for (const auto& tensor : tensors) {
    const Result<int64_t> count =
        attn::elements(batch(), kv_heads_, tokens.length, tensor.width, tensor.name);
    if (!count) return std::unexpected(count.error());
    if (Status status = attn::check_given(tensor.data, *count, tensor.name); !status) return status;
  }
  if (Status status =
          attn::check_position_entries(tokens.positions, batch(), tokens.length, "positions.k");
      !status) {
    return status;
  }
  for (int64_t b = 0; b < batch(); b++) {
    if (tokens.counts && (tokens.counts[b] < 0 || tokens.counts[b] > tokens.length)) {
      return fail(ErrorCode::kOutOfRange, "keyLengths", text_of(tokens.counts[b], " at index ", b),
                  text_of("0 to ", tokens.length, ", the number of new keys"));
    }
    if (Status status = check_new_positions(new_positions(tokens, b)); !status) return status;
  }
  const int64_t longest = longest_with(tokens);
  if (options_.max_length && longest > *options_.max_length) {
    return fail(ErrorCode::kOutOfRange, "k", text_of(longest, " tokens in all"),
                text_of("at most maxLength, which is ", *options_.max_length));
  }
  return {};
}

}  // namespace posenc
