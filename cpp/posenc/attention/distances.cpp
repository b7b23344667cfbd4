#include "posenc/attention/distances.hpp"

#include <algorithm>

namespace posenc::attn {
namespace {

using kernels::kTile;

struct Extent {
  double least, most;
};
Extent extent_of(const Positions& positions, int axis) noexcept {
  if (positions.contiguous()) return {positions.at(0), positions.at(positions.count - 1)};
  Extent extent{positions.at(0, axis), positions.at(0, axis)};
  for (int64_t i = 1; i < positions.count; i++) {
    extent.least = std::min(extent.least, positions.at(i, axis));
    extent.most = std::max(extent.most, positions.at(i, axis));
  }
  return extent;
}

int64_t distance(const Positions& query, int64_t i, const Positions& key, int64_t j,
                 int axis) noexcept {
  return static_cast<int64_t>(key.at(j, axis) - query.at(i, axis));
}

}  // namespace

DistanceRange distance_range(const RelativeTerm& term, const Positions& query,
                             const Positions& key) noexcept {
  if (query.count == 0 || key.count == 0) return {};
  if (term.contextual) return {0, term.highest + 1};
  const Extent q = extent_of(query, term.axis), k = extent_of(key, term.axis);
  const auto clamped = [&](double d) {
    return std::clamp(static_cast<int64_t>(d), term.lowest, term.highest);
  };
  const int64_t low = clamped(k.least - q.most);
  DistanceRange range{low, clamped(k.most - q.least) - low + 1};
  if (range.count > kTile && query.contiguous() && key.contiguous()) {
    // Blocks begin where tiles do, so that a tile meets two of them and not three.
    const int64_t shift = (low - (distance(query, 0, key, 0, 0) + 1)) % kTile;
    const int64_t back = shift < 0 ? shift + kTile : shift;
    range = {low - back, range.count + back};
  }
  return range;
}

// Where positions count up, distances grow from the last query and first key to the first query and
// last key.
RowRange rows_met(const RelativeTerm& term, const DistanceRange& range, const CallRow& row,
                  const ScoreTile& tile, int64_t block) noexcept {
  const int64_t count = range.rows_of(block);
  if (!row.query.contiguous() || !row.key.contiguous()) return {0, count};
  const auto row_at = [&](int64_t query, int64_t key) {
    const int64_t d = distance(row.query, query, row.key, key, 0);
    return std::clamp(d, term.lowest, term.highest) - range.low - block * kTile;
  };
  const int64_t low = row_at(tile.first_query + tile.queries - 1, tile.first_key);
  const int64_t high = row_at(tile.first_query, tile.first_key + tile.keys - 1);
  const int64_t begin =
      std::clamp<int64_t>(low, 0, count - 1) / kernels::kBundle * kernels::kBundle;
  return {begin, std::clamp<int64_t>(high + 1, begin + 1, count)};
}

DistanceRuns::DistanceRuns(const RelativeTerm& term, const DistanceRange& range, const CallRow& row,
                           int64_t query, int64_t first_key, int64_t keys) noexcept {
  if (row.query.contiguous() && row.key.contiguous()) {
    const int64_t first = distance(row.query, query, row.key, first_key, 0);
    const int64_t slices = std::clamp<int64_t>(term.lowest - first, 0, keys);
    const int64_t end = std::clamp<int64_t>(term.highest - first + 1, slices, keys);
    add(0, slices, term.lowest - range.low, 0);
    add_slices(slices, end, first + slices - range.low);
    add(end, keys - end, term.highest - range.low, 0);
    return;
  }
  for (int64_t j = 0; j < keys; j++) {
    const int64_t d = distance(row.query, query, row.key, first_key + j, term.axis);
    const int64_t place = std::clamp(d, term.lowest, term.highest) - range.low;
    DistanceRun* last = count_ > 0 ? runs_ + count_ - 1 : nullptr;
    const bool one = last && place == last->row && (last->count == 1 || last->step == 0);
    const bool next =
        last && place == last->row + last->count && last->step == 1 && place % kTile != 0;
    if (one || next) {
      last->count++;
      if (one) last->step = 0;
    } else {
      add(j, 1, place, 1);
    }
  }
}

void DistanceRuns::add(int64_t column, int64_t count, int64_t row, int32_t step) noexcept {
  if (count > 0)
    runs_[count_++] = {static_cast<int32_t>(column), static_cast<int32_t>(count), row, step};
}

void DistanceRuns::add_slices(int64_t column, int64_t end, int64_t row) noexcept {
  while (column < end) {
    const int64_t count = std::min(end - column, kTile - row % kTile);
    add(column, count, row, 1);
    column += count;
    row += count;
  }
}

}  // namespace posenc::attn
