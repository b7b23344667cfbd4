// Shaw's relative positions as the paper writes them: rows by clipped distance.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// Row of each pair [q_len, k_len]: clip(j - i, -left, right) + left.
std::vector<int64_t> shaw_index(const std::vector<double>& query, const std::vector<double>& key,
                                int64_t left, int64_t right);
// BERT's relative_key: i - j + max_positions - 1, without clipping.
std::vector<int64_t> bert_index(const std::vector<double>& query, const std::vector<double>& key,
                                int64_t max_positions);

}  // namespace posenc::reference
