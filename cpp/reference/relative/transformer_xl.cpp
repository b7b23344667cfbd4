#include "reference/relative/transformer_xl.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<double> xl_sines(double distance, int64_t dim, double base, bool interleaved) {
  std::vector<double> row(at(dim));
  for (int64_t i = 0; i < dim / 2; i++) {
    const double angle =
        distance * std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dim));
    row[at(interleaved ? 2 * i : i)] = std::sin(angle);
    row[at(interleaved ? 2 * i + 1 : dim / 2 + i)] = std::cos(angle);
  }
  return row;
}

std::vector<double> XlRows::sines() const {
  std::vector<double> all;
  for (double d = most; d >= least; d--) {
    const auto row = xl_sines(clamp > 0 ? std::clamp(d, -clamp, clamp) : d, dim, base, interleaved);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

std::vector<double> XlRows::project(const std::vector<double>& weight) const {
  const auto r = sines();
  std::vector<double> rows(at(heads * count() * width));
  for (int64_t h = 0; h < heads; h++) {
    for (int64_t n = 0; n < count(); n++) {
      for (int64_t c = 0; c < width; c++) {
        double& sum = rows[at((h * count() + n) * width + c)];
        for (int64_t k = 0; k < dim; k++)
          sum += weight[at((h * width + c) * dim + k)] * r[at(n * dim + k)];
      }
    }
  }
  return rows;
}

std::vector<double> XlRows::weight_gradient(const std::vector<double>& d_rows) const {
  const auto r = sines();
  std::vector<double> d_weight(at(heads * width * dim));
  for (int64_t h = 0; h < heads; h++) {
    for (int64_t n = 0; n < count(); n++) {
      for (int64_t c = 0; c < width; c++) {
        const double d = d_rows[at((h * count() + n) * width + c)];
        for (int64_t k = 0; k < dim; k++)
          d_weight[at((h * width + c) * dim + k)] += d * r[at(n * dim + k)];
      }
    }
  }
  return d_weight;
}

std::vector<int64_t> xl_index(const std::vector<double>& query, const std::vector<double>& key,
                              double most) {
  std::vector<int64_t> index;
  for (double i : query) {
    for (double j : key) index.push_back(static_cast<int64_t>(most - (i - j)));
  }
  return index;
}

}  // namespace posenc::reference
