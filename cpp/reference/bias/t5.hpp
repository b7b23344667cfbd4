// T5's relative bias as the paper's code writes it; buckets by exact whole-number arithmetic.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Buckets {
  int64_t count, max_distance;
  bool two_sides;
};

// Bucket of key - query. floor(log(n / exact) / log(max / exact) · steps) is the largest m with
// n^steps · exact^m >= exact^steps · max^m, which whole numbers of any length decide.
int64_t t5_bucket(const Buckets& buckets, int64_t relative);

// bias [q_len, k_len] of one head, from its column of the table.
std::vector<double> t5_bias(const Buckets& buckets, const std::vector<double>& column,
                            const std::vector<double>& query, const std::vector<double>& key);
// Gradient of that column for d_bias [q_len, k_len].
std::vector<double> t5_backward(const Buckets& buckets, const std::vector<double>& d_bias,
                                const std::vector<double>& query, const std::vector<double>& key);

}  // namespace posenc::reference
