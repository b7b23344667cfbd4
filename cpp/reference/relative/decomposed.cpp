#include "reference/relative/decomposed.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

// Calls body(element of [q_size, k_size], table row, weight).
template <typename Body>
void for_taps(const RelPos& r, Body body) {
  const int64_t length = 2 * std::max(r.q_size, r.k_size) - 1;
  const double q_ratio =
      std::max(static_cast<double>(r.k_size) / static_cast<double>(r.q_size), 1.0);
  const double k_ratio =
      std::max(static_cast<double>(r.q_size) / static_cast<double>(r.k_size), 1.0);
  for (int64_t i = 0; i < r.q_size; i++) {
    for (int64_t j = 0; j < r.k_size; j++) {
      const double row = static_cast<double>(i) * q_ratio - static_cast<double>(j) * k_ratio +
                         static_cast<double>(r.k_size - 1) * k_ratio;
      const double ratio = static_cast<double>(r.table_rows) / static_cast<double>(length);
      const double source = std::max((std::floor(row) + 0.5) * ratio - 0.5, 0.0);
      const auto low = static_cast<int64_t>(source);
      const int64_t high = std::min(low + 1, r.table_rows - 1);
      const double share = source - static_cast<double>(low);
      body(i * r.k_size + j, low, 1 - share);
      body(i * r.k_size + j, high, share);
    }
  }
}

}  // namespace

std::vector<double> RelPos::rows(const std::vector<double>& table) const {
  std::vector<double> out(at(q_size * k_size * width));
  for_taps(*this, [&](int64_t n, int64_t row, double weight) {
    for (int64_t c = 0; c < width; c++)
      out[at(n * width + c)] += weight * table[at(row * width + c)];
  });
  return out;
}

std::vector<double> RelPos::table_gradient(const std::vector<double>& d_rows) const {
  std::vector<double> d_table(at(table_rows * width));
  for_taps(*this, [&](int64_t n, int64_t row, double weight) {
    for (int64_t c = 0; c < width; c++)
      d_table[at(row * width + c)] += weight * d_rows[at(n * width + c)];
  });
  return d_table;
}

}  // namespace posenc::reference
