#include "posenc/attention/cache.hpp"

#include <algorithm>

#include "posenc/attention/axes.hpp"
#include "posenc/attention/call.hpp"
#include "posenc/attention/fade.hpp"
#include "posenc/attention/rotation.hpp"

namespace posenc {
namespace {

bool follow(const Positions& positions, double first) noexcept {
  if (positions.axes != 1) return false;
  for (int64_t i = 0; i < positions.count; i++) {
    if (positions.at(i) != first + static_cast<double>(i)) return false;
  }
  return true;
}

}  // namespace

Result<KvCache> KvCache::make(const Attention& attention, const KvCacheOptions& options) noexcept {
  if (Status status = check_fields(kKvCacheFields, &options); !status)
    return std::unexpected(status.error());
  if (Status status = attn::check_kept_axes(attention.encodings()); !status)
    return std::unexpected(status.error());
  KvCache shape;
  shape.options_ = options;
  shape.kv_heads_ = *attention.options().kv_heads;
  shape.head_dim_ = attention.options().head_dim;
  shape.value_dim_ = *attention.options().value_dim;
  shape.axes_ = attn::common_axes(attention.encodings());
  shape.rotary_ = attention.rotary();
  const auto encodings = attention.encodings();
  const auto known = static_cast<int64_t>(encodings.size());
  if (Status status = shape.encodings_.allocate(known, "encodings"); !status)
    return std::unexpected(status.error());
  std::copy(encodings.begin(), encodings.end(), shape.encodings_.data());
  return shape.empty_like(options.batch, options.capacity);
}

int64_t KvCache::longest() const noexcept {
  int64_t longest = 0;
  for (const Row& row : rows_.span()) longest = std::max<int64_t>(longest, row.length);
  return longest;
}

int64_t KvCache::bytes() const noexcept {
  return static_cast<int64_t>(sizeof(float)) * (k_.size() + v_.size()) +
         static_cast<int64_t>(sizeof(double)) * positions_.size();
}

Positions KvCache::positions(int64_t row) const noexcept {
  const double* given = positions_.data() + (row * capacity_ + start_) * axes_;
  const int64_t count = rows_[row].length;
  if (!rows_[row].contiguous) return Positions::array(given, count, axes_);
  return Positions::range(count > 0 ? *given : rows_[row].next, count);
}

Positions KvCache::new_positions(const KvTokens& tokens, int64_t row) const noexcept {
  const int64_t count = tokens.counts ? tokens.counts[row] : tokens.length;
  if (tokens.positions.empty()) return Positions::range(rows_[row].next, count);
  return tokens.positions[tokens.positions.size() == 1 ? 0 : static_cast<std::size_t>(row)].slice(
      0, count);
}

int64_t KvCache::longest_with(const KvTokens& tokens) const noexcept {
  int64_t longest = 0;
  for (int64_t b = 0; b < batch(); b++)
    longest = std::max(longest, length(b) + new_positions(tokens, b).count);
  return longest;
}

// What the encoding looks at: the largest position of the row, held or new, plus 1.
double KvCache::reached(const KvTokens& tokens, int64_t row) const noexcept {
  return std::max(length_reached(positions(row)), length_reached(new_positions(tokens, row)));
}

void KvCache::write(const KvTokens& tokens, int64_t row, float* cos, float* sin) noexcept {
  const Positions positions = new_positions(tokens, row);
  attn::Rotation rotation;
  if (cos) {
    const double length = rotary_->depends_on_reach() ? reached(tokens, row) : 0;
    rotary_->table(positions,
                   {.side = RotarySide::kKey, .reached = length, .part = RotaryPart::kTurn}, cos,
                   sin);
    rotation = {cos, sin, rotary_->rotary_dim(), rotary_->layout()};
  }
  const attn::Rotation value_rotation =
      cos && rotary_->rotates_values() ? rotation : attn::Rotation();
  const int64_t place = start_ + length(row);
  for (int64_t head = 0; head < kv_heads_ && positions.count > 0; head++) {
    attn::turn_rows({tokens.k.row(row, head, 0), tokens.k.row_stride}, positions.count, head_dim_,
                    rotation, 0, 1, {key(row, head, place), head_dim_});
    attn::turn_rows({tokens.v.row(row, head, 0), tokens.v.row_stride}, positions.count, value_dim_,
                    value_rotation, 0, 1, {value(row, head, place), value_dim_});
  }
  double* to = positions_.data() + (row * capacity_ + place) * axes_;
  for (int64_t i = 0; i < positions.count; i++) {
    for (int axis = 0; axis < axes_; axis++)
      *to++ = positions.at(i, positions.axes == 1 ? 0 : axis);
  }
  Row& state = rows_[row];
  const bool first = state.length == 0;
  const double start = first && positions.count > 0 ? positions.at(0) : state.next;
  state.contiguous = (first || state.contiguous) && follow(positions, start);
  if (positions.count > 0) {
    const double next = next_after(positions);
    state.next = positions.axes == 1 ? next : std::max(state.next, next);
  }
  state.length += static_cast<int32_t>(positions.count);
}

Status KvCache::append(const KvTokens& tokens) noexcept {
  if (Status status = check_tokens(tokens); !status) return status;
  const bool rotate = rotary_ && options_.keys == CacheKeys::kRotated;
  const int64_t pairs = rotate ? tokens.length * (rotary_->rotary_dim() / 2) : 0;
  Buffer<float> table;
  if (Status status = table.allocate(2 * pairs, "k"); !status) return status;
  if (Status status = reserve(longest_with(tokens)); !status) return status;
  for (int64_t b = 0; b < batch(); b++) before_[b] = rows_[b];
  for (int64_t b = 0; b < batch(); b++) {
    write(tokens, b, rotate ? table.data() : nullptr, rotate ? table.data() + pairs : nullptr);
  }
  for (int64_t b = 0; rotary_ && rotary_->fades() && b < batch(); b++) {
    Status status = attn::check_spread(*rotary_, positions(b), "positions.k");
    if (status) continue;
    undo_append();
    return status;
  }
  return {};
}

AttentionInputs KvCache::inputs(const AttentionInputs& queries) noexcept {
  AttentionInputs all = queries;
  all.k_len = longest();
  all.k = {k_.data() + start_ * head_dim_, kv_heads_ * capacity_ * head_dim_, capacity_ * head_dim_,
           head_dim_};
  all.v = {v_.data() + start_ * value_dim_, kv_heads_ * capacity_ * value_dim_,
           capacity_ * value_dim_, value_dim_};
  all.keys_rotated = options_.keys == CacheKeys::kRotated;
  for (int64_t b = 0; b < batch(); b++) {
    lengths_[b] = rows_[b].length;
    offsets_[b] = rows_[b].length - static_cast<int32_t>(queries.q_len);
    key_positions_[b] = positions(b);
    query_positions_[b] =
        offsets_[b] >= 0
            ? positions(b).slice(offsets_[b], queries.q_len)
            : Positions::range(rows_[b].next - static_cast<double>(queries.q_len), queries.q_len);
    // Beyond the row's length stand tokens of no meaning, which are hidden; the count is that of
    // the longest row.
    key_positions_[b].count = all.k_len;
  }
  all.key_lengths = lengths_.data();
  all.k_positions = key_positions_.span();
  if (all.query_offsets == nullptr) all.query_offsets = offsets_.data();
  if (all.q_positions.empty()) all.q_positions = query_positions_.span();
  return all;
}

AttentionInputs KvCache::inputs_of_new(const AttentionInputs& queries,
                                       const KvTokens& tokens) noexcept {
  AttentionInputs all = inputs(queries);
  if (queries.q_len != tokens.length) return all;
  for (int64_t b = 0; b < batch(); b++) {
    offsets_[b] = before_[b].length;
    query_positions_[b] = Positions::range(before_[b].next, queries.q_len);
  }
  if (queries.q_positions.empty() && !tokens.positions.empty()) all.q_positions = tokens.positions;
  return all;
}

Status Attention::forward(const AttentionInputs& inputs, const AttentionOutputs& outputs,
                          KvCache& cache) const noexcept {
  if (Status status = cache.check_fits(*this); !status) return status;
  if (inputs.head_count != 0)
    return fail(ErrorCode::kUnsupported, "cache", "a cache",
                "no cache where some heads are computed");
  if (inputs.batch != cache.batch()) {
    return fail(ErrorCode::kShapeMismatch, "cache", text_of(cache.batch(), " rows"),
                text_of("the batch size, which is ", inputs.batch));
  }
  const KvTokens tokens{inputs.k_len, inputs.k, inputs.v, inputs.key_lengths, inputs.k_positions};
  if (Status status = cache.append(tokens); !status) return status;
  Status status = forward(cache.inputs_of_new(inputs, tokens), outputs);
  if (!status) cache.undo_append();
  return status;
}

}  // namespace posenc
