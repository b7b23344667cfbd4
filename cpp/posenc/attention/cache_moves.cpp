// What moves the tokens of a cache about: growth, truncation, beams, copies and the sliding window.
#include <algorithm>

#include "posenc/attention/cache.hpp"

namespace posenc {
namespace {

constexpr int64_t kFirstCapacity = 16;

template <typename T>
void move(T* from, T* to, int64_t count) noexcept {
  if (to < from)
    std::copy(from, from + count, to);
  else if (to > from)
    std::copy_backward(from, from + count, to + count);
}

}  // namespace

Result<KvCache> KvCache::empty_like(int64_t batch, int64_t capacity) const noexcept {
  const auto zeros = [&]<typename T>(Buffer<T>& buffer, const Shape& shape) -> Status {
    const Result<int64_t> count = element_count(shape, "capacity");
    return count ? buffer.allocate_zeros(*count, "capacity") : std::unexpected(count.error());
  };
  KvCache cache;
  cache.options_ = options_;
  cache.capacity_ = capacity;
  cache.kv_heads_ = kv_heads_;
  cache.head_dim_ = head_dim_;
  cache.value_dim_ = value_dim_;
  cache.axes_ = axes_;
  cache.rotary_ = rotary_;
  Status status = zeros(cache.encodings_, {encodings_.size()});
  if (status) std::copy_n(encodings_.data(), encodings_.size(), cache.encodings_.data());
  if (status) status = zeros(cache.k_, {batch, kv_heads_, capacity, head_dim_});
  if (status) status = zeros(cache.v_, {batch, kv_heads_, capacity, value_dim_});
  if (status) status = zeros(cache.positions_, {batch, capacity, axes_});
  if (status) status = zeros(cache.rows_, {batch});
  if (status) status = zeros(cache.before_, {batch});
  if (status) status = zeros(cache.lengths_, {batch});
  if (status) status = zeros(cache.offsets_, {batch});
  if (status) status = zeros(cache.key_positions_, {batch});
  if (status) status = zeros(cache.query_positions_, {batch});
  if (!status) return std::unexpected(status.error());
  return cache;
}

void KvCache::copy_row(const KvCache& from, int64_t from_row, int64_t row) noexcept {
  KvCache& source = const_cast<KvCache&>(from);
  const int64_t count = from.length(from_row);
  for (int64_t head = 0; head < kv_heads_; head++) {
    std::copy_n(source.key(from_row, head, from.start_), count * head_dim_, key(row, head, start_));
    std::copy_n(source.value(from_row, head, from.start_), count * value_dim_,
                value(row, head, start_));
  }
  std::copy_n(from.positions_.data() + (from_row * from.capacity_ + from.start_) * axes_,
              count * axes_, positions_.data() + (row * capacity_ + start_) * axes_);
  rows_[row] = from.rows_[from_row];
}

void KvCache::move_row(int64_t row, int64_t from, int64_t to, int64_t count) noexcept {
  for (int64_t head = 0; head < kv_heads_; head++) {
    move(key(row, head, from), key(row, head, to), count * head_dim_);
    move(value(row, head, from), value(row, head, to), count * value_dim_);
  }
  double* positions = positions_.data() + row * capacity_ * axes_;
  move(positions + from * axes_, positions + to * axes_, count * axes_);
}

Status KvCache::reserve(int64_t length) noexcept {
  if (start_ + length <= capacity_) return {};
  if (length <= capacity_ &&
      start_ >= capacity_ / 2) {  // half of it was dropped: that room was paid for
    for (int64_t b = 0; b < batch(); b++) move_row(b, start_, 0, this->length(b));
    start_ = 0;
    return {};
  }
  int64_t doubled = std::max({length, 2 * capacity_, kFirstCapacity});
  if (options_.max_length && start_ == 0) doubled = std::min(doubled, *options_.max_length);
  Result<KvCache> grown = empty_like(batch(), doubled);
  if (!grown) grown = empty_like(batch(), length);
  if (!grown) return std::unexpected(grown.error());
  for (int64_t b = 0; b < batch(); b++) grown->copy_row(*this, b, b);
  *this = std::move(*grown);
  return {};
}

void KvCache::cut(int64_t row, int64_t length) noexcept {
  const Positions held = positions(row);
  rows_[row].next = length > 0 ? next_after(held.slice(0, length)) : held.at(0);
  rows_[row].length = static_cast<int32_t>(length);
}

Status KvCache::truncate(int64_t length) noexcept {
  if (length < 0) return fail(ErrorCode::kOutOfRange, "length", text_of(length), "0 or more");
  for (int64_t b = 0; b < batch(); b++) {
    if (length < rows_[b].length) cut(b, length);
  }
  return {};
}

Status KvCache::truncate(std::span<const int32_t> lengths) noexcept {
  if (static_cast<int64_t>(lengths.size()) != batch()) {
    return fail(ErrorCode::kShapeMismatch, "length",
                text_of(static_cast<int64_t>(lengths.size()), " lengths"),
                text_of(batch(), ", one per row"));
  }
  for (int64_t b = 0; b < batch(); b++) {
    const int64_t length = lengths[static_cast<std::size_t>(b)];
    if (length >= 0 && length <= rows_[b].length) continue;
    return fail(ErrorCode::kOutOfRange, "length", text_of(length, " at index ", b),
                text_of("0 to ", static_cast<int64_t>(rows_[b].length)));
  }
  for (int64_t b = 0; b < batch(); b++) {
    const int32_t length = lengths[static_cast<std::size_t>(b)];
    if (length < rows_[b].length) cut(b, length);
  }
  return {};
}

Status KvCache::reorder(std::span<const int32_t> rows) noexcept {
  for (std::size_t i = 0; i < rows.size(); i++) {
    if (rows[i] >= 0 && rows[i] < batch()) continue;
    return fail(ErrorCode::kOutOfRange, "rows",
                text_of(rows[i], " at index ", static_cast<int64_t>(i)),
                text_of("0 to ", batch() - 1));
  }
  Result<KvCache> ordered = empty_like(static_cast<int64_t>(rows.size()), capacity_);
  if (!ordered) return std::unexpected(ordered.error());
  for (std::size_t i = 0; i < rows.size(); i++)
    ordered->copy_row(*this, rows[i], static_cast<int64_t>(i));
  *this = std::move(*ordered);
  return {};
}

Result<KvCache> KvCache::clone() const noexcept {
  Result<KvCache> copy = empty_like(batch(), capacity_);
  for (int64_t b = 0; copy && b < batch(); b++) copy->copy_row(*this, b, b);
  return copy;
}

Status KvCache::slide(int64_t length) noexcept {
  if (length < 0) return fail(ErrorCode::kOutOfRange, "length", text_of(length), "0 or more");
  const auto dropped = [&](int64_t row) {
    return std::max<int64_t>(this->length(row) - length, 0);
  };
  // All rows begin at one place: it moves by what every row drops, and only rows that drop more are
  // moved.
  int64_t least = batch() > 0 ? dropped(0) : 0;
  for (int64_t b = 1; b < batch(); b++) least = std::min(least, dropped(b));
  for (int64_t b = 0; b < batch(); b++) {
    const int64_t drop = dropped(b), kept = this->length(b) - drop;
    if (drop > least) move_row(b, start_ + drop, start_ + least, kept);
    rows_[b].length = static_cast<int32_t>(kept);
  }
  start_ += least;
  return {};
}

}  // namespace posenc
