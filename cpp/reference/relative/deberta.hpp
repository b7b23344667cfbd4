// DeBERTa's buckets and rows as Microsoft's code writes them.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// make_log_bucket_position of a distance query - key.
int64_t deberta_log_bucket(int64_t distance, int64_t bucket_size, int64_t max_position);

// clip(bucket(i - j) + span, 0, 2·span - 1) of each pair [q_len, k_len]; max_position 0: no
// logarithm.
std::vector<int64_t> deberta_index(const std::vector<double>& query, const std::vector<double>& key,
                                   int64_t span, int64_t max_position);

// rows [heads, count, width] = embeddings [count, dim] · weightᵀ + bias, weight [heads · width,
// dim].
std::vector<double> deberta_project(const std::vector<double>& embeddings,
                                    const std::vector<double>& weight,
                                    const std::vector<double>& bias, int64_t heads, int64_t width);
struct DebertaGradient {
  std::vector<double> embeddings, weight, bias;
};
DebertaGradient deberta_project_backward(const std::vector<double>& embeddings,
                                         const std::vector<double>& weight,
                                         const std::vector<double>& d_rows, int64_t heads,
                                         int64_t width);

}  // namespace posenc::reference
