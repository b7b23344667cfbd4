#include "reference/relative/deberta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posenc::reference {
namespace {

std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

int64_t deberta_log_bucket(int64_t distance, int64_t bucket_size, int64_t max_position) {
  const int64_t mid = bucket_size / 2, magnitude = std::abs(distance);
  if (magnitude <= mid) return distance;
  const double middle = static_cast<double>(mid);
  const double log_pos =
      std::ceil(std::log(static_cast<double>(magnitude) / middle) /
                std::log(static_cast<double>(max_position - 1) / middle) * (middle - 1)) +
      middle;
  return static_cast<int64_t>(distance < 0 ? -log_pos : log_pos);
}

std::vector<int64_t> deberta_index(const std::vector<double>& query, const std::vector<double>& key,
                                   int64_t span, int64_t max_position) {
  std::vector<int64_t> index;
  for (double i : query) {
    for (double j : key) {
      const auto distance = static_cast<int64_t>(i - j);
      const int64_t bucket =
          max_position > 0 ? deberta_log_bucket(distance, span, max_position) : distance;
      index.push_back(std::clamp<int64_t>(bucket + span, 0, 2 * span - 1));
    }
  }
  return index;
}

std::vector<double> deberta_project(const std::vector<double>& embeddings,
                                    const std::vector<double>& weight,
                                    const std::vector<double>& bias, int64_t heads, int64_t width) {
  const int64_t dim = static_cast<int64_t>(weight.size()) / (heads * width);
  const int64_t count = static_cast<int64_t>(embeddings.size()) / dim;
  std::vector<double> rows;
  for (int64_t o = 0; o < heads * width * count; o++) {
    const int64_t h = o / (width * count), n = o / width % count, channel = h * width + o % width;
    double sum = bias[at(channel)];
    for (int64_t k = 0; k < dim; k++)
      sum += weight[at(channel * dim + k)] * embeddings[at(n * dim + k)];
    rows.push_back(sum);
  }
  return rows;
}

DebertaGradient deberta_project_backward(const std::vector<double>& embeddings,
                                         const std::vector<double>& weight,
                                         const std::vector<double>& d_rows, int64_t heads,
                                         int64_t width) {
  const int64_t dim = static_cast<int64_t>(weight.size()) / (heads * width);
  const int64_t count = static_cast<int64_t>(embeddings.size()) / dim;
  DebertaGradient g{std::vector<double>(embeddings.size()), std::vector<double>(weight.size()),
                    std::vector<double>(at(heads * width))};
  for (int64_t o = 0; o < heads * width * count; o++) {
    const int64_t h = o / (width * count), n = o / width % count, channel = h * width + o % width;
    g.bias[at(channel)] += d_rows[at(o)];
    for (int64_t k = 0; k < dim; k++) {
      g.weight[at(channel * dim + k)] += d_rows[at(o)] * embeddings[at(n * dim + k)];
      g.embeddings[at(n * dim + k)] += d_rows[at(o)] * weight[at(channel * dim + k)];
    }
  }
  return g;
}

}  // namespace posenc::reference
