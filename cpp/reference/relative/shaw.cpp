#include "reference/relative/shaw.hpp"

#include <algorithm>

namespace posenc::reference {

std::vector<int64_t> shaw_index(const std::vector<double>& query, const std::vector<double>& key,
                                int64_t left, int64_t right) {
  std::vector<int64_t> index;
  for (double i : query) {
    for (double j : key)
      index.push_back(std::clamp(static_cast<int64_t>(j - i), -left, right) + left);
  }
  return index;
}

std::vector<int64_t> bert_index(const std::vector<double>& query, const std::vector<double>& key,
                                int64_t max_positions) {
  std::vector<int64_t> index;
  for (double i : query) {
    for (double j : key) index.push_back(static_cast<int64_t>(i - j) + max_positions - 1);
  }
  return index;
}

}  // namespace posenc::reference
