#include "reference/attention/masks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posenc::reference {
namespace {

int64_t block_of(int64_t place, int64_t size) {
  return static_cast<int64_t>(std::floor(static_cast<double>(place) / static_cast<double>(size)));
}

bool seen_by_blocks(const MaskRules& rules, int64_t b, int64_t h, int64_t place, int64_t key) {
  const int64_t size = rules.block_size, query_block = block_of(place, size),
                key_block = block_of(key, size);
  const int64_t count = (rules.lengths[static_cast<std::size_t>(b)] + size - 1) / size;
  const auto at_end = [&](int64_t block) {
    if (block < 0 || block >= count) return false;
    return block < rules.block_global || (!rules.causal && block >= count - rules.block_global);
  };
  if (at_end(query_block) || at_end(key_block)) return true;
  if (std::abs(query_block - key_block) <= rules.block_window) return true;
  const auto& row = rules.drawn[static_cast<std::size_t>(b * rules.heads + h)].at(query_block);
  return std::find(row.begin(), row.end(), key_block) != row.end();
}

bool in_window(const MaskRules& rules, int64_t place, int64_t key) {
  if (rules.left && key < place - *rules.left) return false;
  return !rules.right || key <= place + *rules.right;
}

// What must hold whatever else a query sees.
bool in_bounds(const MaskRules& rules, int64_t place, int64_t key) {
  if (rules.causal && key > place) return false;
  return !rules.chunk || block_of(place, *rules.chunk) == block_of(key, *rules.chunk);
}

bool seen_by_place(const MaskRules& rules, int64_t b, int64_t h, int64_t i, int64_t key) {
  const int64_t place = rules.offsets[static_cast<std::size_t>(b)] + i;
  if (!in_bounds(rules, place, key)) return false;
  const auto flag = [](const std::vector<int32_t>& flags, int64_t at) {
    return !flags.empty() && flags[static_cast<std::size_t>(at)] != 0;
  };
  if (flag(rules.query_global, b * rules.q_len + i) ||
      flag(rules.key_global, b * rules.k_len + key))
    return true;
  if (rules.block_size == 0) return in_window(rules, place, key);
  if (seen_by_blocks(rules, b, h, place, key)) return true;
  return (rules.left || rules.right) && in_window(rules, place, key);
}

bool same_segment(const MaskRules& rules, int64_t b, int64_t i, int64_t j) {
  if (rules.query_segments.empty()) return true;
  return rules.query_segments[static_cast<std::size_t>(b * rules.q_len + i)] ==
         rules.key_segments[static_cast<std::size_t>(b * rules.k_len + j)];
}

bool seen_by_mask(const MaskRules& rules, int64_t index) {
  if (rules.mask_shape.empty()) return true;
  if (index < 0) return false;
  const double value = rules.mask[static_cast<std::size_t>(index)];
  return rules.additive ? value != -INFINITY : value != 0;
}

}  // namespace

int64_t mask_index(const MaskRules& rules, int64_t batch, int64_t head, int64_t query,
                   int64_t key) {
  if (rules.mask_shape.empty() || key >= rules.mask_shape.back()) return -1;
  const int64_t place[] = {batch, head, query, key};
  int64_t index = 0;
  const std::size_t rank = rules.mask_shape.size();
  for (std::size_t axis = 0; axis < rank; axis++) {
    const int64_t extent = rules.mask_shape[axis];
    const bool last = axis + 1 == rank;
    index = index * extent + (extent == 1 && !last ? 0 : place[4 - rank + axis]);
  }
  return index;
}

std::vector<bool> visible(const MaskRules& rules) {
  std::vector<bool> result;
  for (int64_t b = 0; b < rules.batch; b++) {
    const auto row = static_cast<std::size_t>(b);
    for (int64_t h = 0; h < rules.heads; h++) {
      for (int64_t i = 0; i < rules.q_len; i++) {
        for (int64_t j = 0; j < rules.k_len; j++) {
          result.push_back(j < rules.lengths[row] && seen_by_place(rules, b, h, i, j) &&
                           same_segment(rules, b, i, j) &&
                           seen_by_mask(rules, mask_index(rules, b, h, i, j)));
        }
      }
    }
  }
  return result;
}

}  // namespace posenc::reference
