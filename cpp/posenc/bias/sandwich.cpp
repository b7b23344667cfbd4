#include "posenc/bias/sandwich.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"
#include "posenc/kernels/angles.hpp"

namespace posenc {
namespace {

// Cosines are made for this many distances and frequencies at a time.
constexpr int64_t kRows = 16, kColumns = 64;

}  // namespace

Status Sandwich::prepare() noexcept {
  if (Status status = frequencies_.allocate(options_.dim / 2, "dim"); !status) return status;
  for (int64_t i = 0; i < frequencies_.size(); i++) {
    const auto m = static_cast<double>(options_.first_index + i);
    frequencies_[i] = math::power(options_.base, -2 * m / static_cast<double>(options_.dim));
  }
  return {};
}

void Sandwich::evaluate(int64_t head, const double* distances, int64_t count,
                        float* out) const noexcept {
  const double factor = static_cast<double>(options_.heads) / (8 * static_cast<double>(head + 1));
  const double middle = options_.centered ? static_cast<double>(frequencies_.size()) : 0;
  float sin[kRows * kColumns], cos[kRows * kColumns];
  for (int64_t first = 0; first < count; first += kRows) {
    const int64_t rows = std::min(kRows, count - first);
    double sums[kRows] = {};
    for (int64_t m = 0; m < frequencies_.size(); m += kColumns) {
      const int64_t columns = std::min(kColumns, frequencies_.size() - m);
      kernels::angles_apart(
          {frequencies_.data() + m, columns, Positions::array(distances + first, rows)}, 1, sin,
          cos, kColumns);
      for (int64_t i = 0; i < rows; i++) {
        for (int64_t c = 0; c < columns; c++) sums[i] += cos[i * kColumns + c];
      }
    }
    for (int64_t i = 0; i < rows; i++)
      out[first + i] = static_cast<float>(factor * (sums[i] - middle));
  }
}

}  // namespace posenc
