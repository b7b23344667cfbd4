// Keys and values of the tokens seen so far, so that the next ones attend to them without computing
// them again. Rows of the batch have lengths of their own. Memory grows by doubling, up to
// max_length where that is given.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/attention/attention.hpp"

namespace posenc {

// rotated: keys are turned once, when they come in, by the length reached then. raw: they are kept
// as given and turned on every reading, so that encodings whose angles depend on the length reached
// see it grow.
enum class CacheKeys : uint8_t { kRotated, kRaw };
inline constexpr const char* kCacheKeysNames[] = {"rotated", "raw"};

struct KvCacheOptions {
  int64_t batch = 1;
  int64_t capacity = 0;
  std::optional<int64_t> max_length = {};
  CacheKeys keys = CacheKeys::kRotated;
};

inline constexpr auto kKvCacheFields = std::to_array<Field>({
    field<&KvCacheOptions::batch>("batch").least(0).most(1 << 20).about("number of batch rows"),
    field<&KvCacheOptions::capacity>("capacity")
        .least(0)
        .most("maxLength")
        .about("tokens per row to reserve memory for at once; it grows by itself"),
    field<&KvCacheOptions::max_length>("maxLength")
        .least(1)
        .unless_given("no bound")
        .about("tokens per row beyond which appending is an error"),
    field<&KvCacheOptions::keys>("keys")
        .of(kCacheKeysNames)
        .about("turn keys once when they come in (rotated), or keep them as given and turn them on "
               "reading (raw)"),
});

// Tokens to append: k [batch, kv_heads, length, head_dim], v [batch, kv_heads, length, value_dim].
struct KvTokens {
  int64_t length = 0;
  HeadRows<const float> k, v;
  const int32_t* counts = nullptr;  // [batch]: how many of `length` each row takes; null: all
  std::span<const Positions>
      positions;  // one entry for all rows or one per row; empty: where each row goes on
};

class KvCache {
 public:
  // Head counts and widths are the attention's. Its encodings are borrowed and must outlive the
  // cache.
  static Result<KvCache> make(const Attention& attention, const KvCacheOptions& options) noexcept;

  int64_t batch() const noexcept { return rows_.size(); }
  int64_t capacity() const noexcept { return capacity_; }  // tokens per row before the next growth
  int64_t length(int64_t row) const noexcept { return rows_[row].length; }
  int64_t longest() const noexcept;  // over the rows
  // Where the positions of a row go on when none are given.
  double next_position(int64_t row) const noexcept { return rows_[row].next; }
  Positions positions(int64_t row) const noexcept;  // of the tokens held
  int64_t bytes() const noexcept;                   // held in memory
  CacheKeys keys() const noexcept { return options_.keys; }
  // An error where the cache was made for another attention: other heads, widths or rotary
  // encoding.
  Status check_fits(const Attention& attention) const noexcept;

  // Each changes nothing when it returns an error.
  Status append(const KvTokens& tokens) noexcept;
  // Keeps the first `length` tokens of every row; rows that are shorter stay. The next position
  // goes back too.
  Status truncate(int64_t length) noexcept;
  Status truncate(
      std::span<const int32_t> lengths) noexcept;  // one per row, none above the row's length
  // Row i becomes what row rows[i] was; a row may be taken more than once or not at all, and the
  // batch size becomes that of `rows`: beam search.
  Status reorder(std::span<const int32_t> rows) noexcept;
  Result<KvCache> clone() const noexcept;
  // Drops the oldest tokens so that at most `length` remain in each row. Positions stay as they
  // are.
  Status slide(int64_t length) noexcept;

  // The queries, mask and segments of `queries` over all that the cache holds. Where not given,
  // queries take the places and positions of the last q_len tokens of their row. The result borrows
  // from the cache until it changes.
  AttentionInputs inputs(const AttentionInputs& queries) noexcept;

 private:
  friend class Attention;

  struct Row {
    int32_t length = 0;
    bool contiguous = true;  // positions follow one another by 1
    double next = 0;
  };

  // The same with queries that stand where the tokens of the last append() stand.
  AttentionInputs inputs_of_new(const AttentionInputs& queries, const KvTokens& tokens) noexcept;
  void undo_append() noexcept { std::swap(rows_, before_); }

  Status check_tokens(const KvTokens& tokens) const noexcept;
  Positions new_positions(const KvTokens& tokens, int64_t row) const noexcept;
  double reached(const KvTokens& tokens, int64_t row) const noexcept;
  void write(const KvTokens& tokens, int64_t row, float* cos, float* sin) noexcept;

  Status check_new_positions(const Positions& positions) const noexcept;
  // Leaves the first `length` tokens of a row, which then goes on behind them.
  void cut(int64_t row, int64_t length) noexcept;
  int64_t longest_with(const KvTokens& tokens) const noexcept;
  Status reserve(int64_t length) noexcept;
  // A cache for `batch` rows of `capacity` tokens, everything else as here.
  Result<KvCache> empty_like(int64_t batch, int64_t capacity) const noexcept;
  void copy_row(const KvCache& from, int64_t from_row, int64_t row) noexcept;
  // Moves what a row holds from its place `from` to place `to`, counted from the start of the
  // memory.
  void move_row(int64_t row, int64_t from, int64_t to, int64_t count) noexcept;
  float* key(int64_t row, int64_t head, int64_t place) noexcept {
    return k_.data() + ((row * kv_heads_ + head) * capacity_ + place) * head_dim_;
  }
  float* value(int64_t row, int64_t head, int64_t place) noexcept {
    return v_.data() + ((row * kv_heads_ + head) * capacity_ + place) * value_dim_;
  }

  KvCacheOptions options_;
  int64_t capacity_ = 0;
  int64_t start_ = 0;  // what slide() has dropped stands before it until there is need for the room
  int64_t kv_heads_ = 0, head_dim_ = 0, value_dim_ = 0;
  int axes_ = 1;
  const RotaryEncoding* rotary_ = nullptr;
  Buffer<const Encoding*> encodings_;
  Buffer<float> k_, v_;                // [batch, kv_heads, capacity, dim]
  Buffer<double> positions_;           // [batch, capacity, axes]
  Buffer<Row> rows_, before_;          // [batch]: now, and before the last append
  Buffer<int32_t> lengths_, offsets_;  // [batch], what inputs() lends
  Buffer<Positions> key_positions_, query_positions_;
};

}  // namespace posenc
