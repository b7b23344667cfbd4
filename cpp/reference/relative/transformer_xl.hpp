// Transformer-XL's terms as the paper and its code write them: sines of each pair's distance,
// projected.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// [sin | cos], or in turn, of a distance query - key.
std::vector<double> xl_sines(double distance, int64_t dim, double base, bool interleaved);

// Rows of all distances query - key from `most` down to `least`, [heads, count, width]: W · sines,
// W [heads · width, dim]. Distances are clamped to `clamp` where it is not 0.
struct XlRows {
  int64_t heads, width, dim;
  double base = 10000;
  bool interleaved = false;
  double clamp = 0;
  double most, least;

  int64_t count() const { return static_cast<int64_t>(most - least) + 1; }
  std::vector<double> sines() const;  // [count, dim]
  std::vector<double> project(const std::vector<double>& weight) const;
  // The gradient of W from that of the rows.
  std::vector<double> weight_gradient(const std::vector<double>& d_rows) const;
};

// Row of each pair [q_len, k_len] among them.
std::vector<int64_t> xl_index(const std::vector<double>& query, const std::vector<double>& key,
                              double most);

}  // namespace posenc::reference
