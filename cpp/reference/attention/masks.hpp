// Which keys a query may see, one rule after the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace posenc::reference {

struct MaskRules {
  int64_t batch = 1, heads = 1, q_len = 0, k_len = 0;
  bool causal = false;
  std::optional<int64_t> left, right;             // p - left ≤ j ≤ p + right
  std::vector<int64_t> offsets;                   // [batch]: query i stands at p = offset + i
  std::vector<int64_t> lengths;                   // [batch]: keys below it exist
  std::vector<int32_t> query_segments;            // [batch, q_len], or empty
  std::vector<int32_t> key_segments;              // [batch, k_len]
  std::optional<int64_t> chunk;                   // floor(p / chunk) = floor(j / chunk)
  std::vector<int32_t> query_global, key_global;  // [batch, q_len], [batch, k_len], or empty
  // Blocks of keys beside the window, if block_size is not 0: near ones, those at both ends (if
  // causal, at the beginning), and drawn[b · heads + h][i] for block i of the queries.
  int64_t block_size = 0, block_window = 0, block_global = 0;
  std::vector<std::map<int64_t, std::vector<int64_t>>> drawn;
  // A mask of any rank, broadcast from the right; keys beyond its last axis are hidden.
  std::vector<int64_t> mask_shape;
  std::vector<double> mask;  // boolean: 0 hides; additive: -infinity hides
  bool additive = false;
};

// The element of the mask for a score; below 0 where the mask is too short.
int64_t mask_index(const MaskRules& rules, int64_t batch, int64_t head, int64_t query, int64_t key);
// [batch, heads, q_len, k_len]
std::vector<bool> visible(const MaskRules& rules);

}  // namespace posenc::reference
