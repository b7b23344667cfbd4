#include "posenc/attention/mask.hpp"

#include <algorithm>

#include "posenc/kernels/masks.hpp"

namespace posenc::attn {
namespace {

constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();

TileKind either(bool hidden, bool whole) noexcept {
  if (hidden) return TileKind::kHidden;
  return whole ? TileKind::kWhole : TileKind::kPart;
}

TileKind by_segment(const int32_t* queries, int64_t query_count, const int32_t* keys,
                    int64_t key_count) noexcept {
  const auto [q_low, q_high] = std::minmax_element(queries, queries + query_count);
  const auto [k_low, k_high] = std::minmax_element(keys, keys + key_count);
  return either(*q_high < *k_low || *k_high < *q_low, *q_low == *k_high && *q_high == *k_low);
}

TileKind by_boolean(const uint8_t* rows, int64_t stride, int64_t query_count,
                    int64_t key_count) noexcept {
  bool any = false, all = true;
  for (int64_t i = 0; i < (stride == 0 ? 1 : query_count); i++) {
    for (int64_t j = 0; j < key_count; j++) {
      const bool seen = rows[i * stride + j] != 0;
      any = any || seen;
      all = all && seen;
    }
  }
  return either(!any, all);
}

// Fills with "hidden" what lies outside of the range, which counts from the tile's first key.
bool keep_range(float* row, int64_t keys, KeyRange range) noexcept {
  const int64_t begin = std::clamp<int64_t>(range.begin, 0, keys),
                end = std::clamp(range.end, begin, keys);
  std::fill(row, row + begin, kHiddenScore);
  std::fill(row + end, row + keys, kHiddenScore);
  return begin > 0 || end < keys;
}

}  // namespace

KeyRange HeadMask::bounds(int64_t query) const noexcept {
  const int64_t place = offset + query;
  const int64_t own = chunk > 0 ? floor_div(place, chunk) * chunk : 0,
                past = chunk > 0 ? own + chunk : keys;
  const int64_t begin = std::clamp<int64_t>(own, 0, keys);
  return {begin, std::clamp(causal ? std::min(place + 1, past) : past, begin, keys)};
}

KeyRange HeadMask::window(int64_t query) const noexcept {
  const int64_t place = offset + query;
  const KeyRange all = bounds(query);
  const int64_t begin = std::clamp<int64_t>(place - left, all.begin, all.end);
  return {begin, std::clamp(place + right + 1, begin, all.end)};
}

KeyRange HeadMask::range(int64_t first, int64_t queries) const noexcept {
  return {range(first).begin, range(first + queries - 1).end};
}

// By the window and the rules beside it.
TileKind HeadMask::classify_sparse(const ScoreTile& tile) const noexcept {
  const int64_t end = tile.first_key + tile.keys, last = tile.first_query + tile.queries - 1;
  bool overlaps = false;
  if (sparse.has_window) {
    const KeyRange first_row = window(tile.first_query), last_row = window(last);
    if (tile.first_key >= last_row.begin && end <= first_row.end) return TileKind::kWhole;
    overlaps = tile.first_key < last_row.end && end > first_row.begin;
  }
  const TileKind kind = sparse.classify(tile, offset + tile.first_query);
  return kind == TileKind::kHidden && overlaps ? TileKind::kPart : kind;
}

TileKind HeadMask::classify(const ScoreTile& tile) const noexcept {
  const int64_t end = tile.first_key + tile.keys, last = tile.first_query + tile.queries - 1;
  const KeyRange any = range(tile.first_query, tile.queries);
  if (end <= any.begin || tile.first_key >= any.end) return TileKind::kHidden;
  bool whole = tile.first_key >= range(last).begin && end <= range(tile.first_query).end;
  if (sparse.active()) {
    const TileKind kind = classify_sparse(tile);
    if (kind == TileKind::kHidden) return kind;
    whole = whole && kind == TileKind::kWhole;
  }
  if (query_segments) {
    const TileKind kind = by_segment(query_segments + tile.first_query, tile.queries,
                                     key_segments + tile.first_key, tile.keys);
    if (kind == TileKind::kHidden) return kind;
    whole = whole && kind == TileKind::kWhole;
  }
  if (kind == AttentionMask::Kind::kBoolean) {
    const int64_t seen_keys = std::min(end, keys) - tile.first_key;
    const TileKind kind = by_boolean(boolean + tile.first_query * stride + tile.first_key, stride,
                                     tile.queries, seen_keys);
    if (kind == TileKind::kHidden) return kind;
    whole = whole && kind == TileKind::kWhole;
  }
  return whole && additive == nullptr ? TileKind::kWhole : TileKind::kPart;
}

bool HeadMask::apply(const ScoreTile& tile, float* scores) const noexcept {
  bool hid = false;
  // The mask may be narrower than the tile.
  const int64_t masked_keys = std::min(tile.first_key + tile.keys, keys) - tile.first_key;
  for (int64_t i = 0; i < tile.queries; i++) {
    const int64_t query = tile.first_query + i;
    float* row = scores + i * tile.stride;
    if (boolean)
      hid |= kernels::hide_false(boolean + query * stride + tile.first_key, masked_keys, row);
    if (additive)
      hid |= kernels::add_mask(additive + query * stride + tile.first_key, masked_keys, row);
    if (query_segments) {
      hid |= kernels::hide_others(key_segments + tile.first_key, query_segments[query], tile.keys,
                                  row);
    }
    const KeyRange seen = range(query);
    hid |= keep_range(row, tile.keys, {seen.begin - tile.first_key, seen.end - tile.first_key});
    if (!sparse.active()) continue;
    const KeyRange near = sparse.has_window ? window(query) : KeyRange{0, 0};
    hid |= sparse.hide(tile, query, offset + query,
                       {near.begin - tile.first_key, near.end - tile.first_key}, row);
  }
  return hid;
}

}  // namespace posenc::attn
