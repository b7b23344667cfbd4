#include "reference/attention/masks.hpp"

#include <cmath>

namespace posenc::reference {
namespace {

bool seen_by_place(const MaskRules& rules, int64_t place, int64_t key) {
  if (rules.causal && key > place) return false;
  if (rules.left && key < place - *rules.left) return false;
  return !rules.right || key <= place + *rules.right;
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

int64_t mask_index(const MaskRules& rules, int64_t batch, int64_t head, int64_t query, int64_t key) {
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
          result.push_back(j < rules.lengths[row] && seen_by_place(rules, rules.offsets[row] + i, j) &&
                           same_segment(rules, b, i, j) && seen_by_mask(rules, mask_index(rules, b, h, i, j)));
        }
      }
    }
  }
  return result;
}

}  // namespace posenc::reference
