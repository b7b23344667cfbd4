#include "posenc/attention/sparse.hpp"

#include <algorithm>
#include <limits>

#include "posenc/core/random.hpp"

namespace posenc::attn {
namespace {

constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();

// Blocks that a block of queries sees anyway, as up to three ranges in order that neither touch nor
// overlap.
struct Taken {
  KeyRange ranges[3];
  int count = 0;
  int64_t total = 0;

  void add(int64_t begin, int64_t end) noexcept {
    if (begin >= end) return;
    if (count > 0 && begin <= ranges[count - 1].end) {
      const int64_t grown = std::max(end, ranges[count - 1].end);
      total += grown - ranges[count - 1].end;
      ranges[count - 1].end = grown;
      return;
    }
    ranges[count++] = {begin, end};
    total += end - begin;
  }
  // Free block number `index`.
  int64_t free(int64_t index) const noexcept {
    for (int i = 0; i < count; i++) {
      if (index >= ranges[i].begin) index += ranges[i].end - ranges[i].begin;
    }
    return index;
  }
};

Taken taken_by(const KeyBlocks& blocks, int64_t query_block, int64_t count) noexcept {
  Taken taken;
  const auto within = [&](int64_t block) { return std::clamp<int64_t>(block, 0, count); };
  taken.add(0, within(blocks.global));
  const int64_t near = within(query_block - blocks.window),
                past = within(query_block + blocks.window + 1);
  const int64_t last = within(blocks.last_global());
  taken.add(near, past);
  taken.add(std::max(last, taken.count > 0 ? taken.ranges[taken.count - 1].begin : 0), count);
  return taken;
}

}  // namespace

int64_t KeyBlocks::draw(int64_t query_block, int64_t* out) const noexcept {
  const int64_t open = causal ? std::clamp<int64_t>(query_block + 1, 0, count) : count;
  const Taken taken = taken_by(*this, query_block, open);
  const int64_t free = open - taken.total, wanted = std::min({random, free, kMostRandomBlocks});
  Random numbers(seed ^ (static_cast<uint64_t>(head) << 40 ^
                         static_cast<uint64_t>(query_block) * 0x9e3779b97f4a7c15));
  // Floyd's way: each set of that many free blocks is as likely as any other.
  int64_t chosen = 0;
  for (int64_t bound = free - wanted; bound < free; bound++) {
    auto index = static_cast<int64_t>(numbers.next() % static_cast<uint64_t>(bound + 1));
    if (std::find(out, out + chosen, index) != out + chosen) index = bound;
    out[chosen++] = index;
  }
  for (int64_t i = 1; i < chosen; i++) {  // few enough to sort by insertion
    const int64_t index = out[i];
    int64_t at = i;
    for (; at > 0 && out[at - 1] > index; at--) out[at] = out[at - 1];
    out[at] = index;
  }
  for (int64_t i = 0; i < chosen; i++) out[i] = taken.free(out[i]);
  return chosen;
}

BlockRow::BlockRow(const KeyBlocks& blocks, int64_t query_block) noexcept
    : blocks_(blocks), query_block_(query_block) {
  all_ = blocks.at_end(query_block);
  count_ = all_ ? 0 : blocks.draw(query_block, drawn_);
}

bool BlockRow::sees(int64_t key_block) const noexcept {
  if (all_ || blocks_.at_end(key_block)) return true;
  if (key_block >= query_block_ - blocks_.window && key_block <= query_block_ + blocks_.window)
    return true;
  return std::find(drawn_, drawn_ + count_, key_block) != drawn_ + count_;
}

TileKind SparseRule::classify(const ScoreTile& tile, int64_t place) const noexcept {
  bool any = false, queries_all = query_global != nullptr, keys_all = key_global != nullptr;
  const auto look_at = [&](const int32_t* flags, int64_t count, bool& every) {
    for (int64_t i = 0; flags && i < count; i++) {
      any = any || flags[i] != 0;
      every = every && flags[i] != 0;
    }
  };
  look_at(query_global ? query_global + tile.first_query : nullptr, tile.queries, queries_all);
  look_at(key_global ? key_global + tile.first_key : nullptr, tile.keys, keys_all);
  if (queries_all || keys_all) return TileKind::kWhole;
  if (blocks.size == 0) return any ? TileKind::kPart : TileKind::kHidden;
  bool all = true;
  const int64_t first_key = tile.first_key / blocks.size,
                last_key = (tile.first_key + tile.keys - 1) / blocks.size;
  const int64_t last = floor_div(place + tile.queries - 1, blocks.size);
  for (int64_t query = floor_div(place, blocks.size); query <= last; query++) {
    const BlockRow row(blocks, query);
    for (int64_t key = first_key; key <= last_key; key++) {
      const bool seen = row.sees(key);
      any = any || seen;
      all = all && seen;
    }
  }
  if (all) return TileKind::kWhole;
  return any ? TileKind::kPart : TileKind::kHidden;
}

bool SparseRule::hide(const ScoreTile& tile, int64_t query, int64_t place, KeyRange window,
                      float* row) const noexcept {
  if (query_global && query_global[query] != 0) return false;
  const auto hide_part = [&](int64_t begin, int64_t end) {
    bool hid = false;
    for (int64_t j = begin; j < end; j++) {
      const bool shown = (j >= window.begin && j < window.end) ||
                         (key_global && key_global[tile.first_key + j] != 0);
      hid = hid || !shown;
      if (!shown) row[j] = kHiddenScore;
    }
    return hid;
  };
  if (blocks.size == 0) return hide_part(0, tile.keys);
  const BlockRow blocks_of(blocks, floor_div(place, blocks.size));
  bool hid = false;
  for (int64_t begin = 0; begin < tile.keys;) {
    const int64_t block = (tile.first_key + begin) / blocks.size;
    const int64_t end = std::min(tile.keys, (block + 1) * blocks.size - tile.first_key);
    if (!blocks_of.sees(block)) hid |= hide_part(begin, end);
    begin = end;
  }
  return hid;
}

}  // namespace posenc::attn
