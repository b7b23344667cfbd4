#include "reference/input/resample.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

double keys(double x, double a) {
  const double d = std::abs(x);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  if (d < 2) return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a;
  return 0;
}

double triangle(double x) { return std::max(0.0, 1 - std::abs(x)); }

bool same_size(const ResampleCase& one) {
  return one.from_rows == one.to_rows && one.from_cols == one.to_cols;
}

// The kernel, widened where rows get fewer, over the rows there are, with weights that sum to 1.
void antialiased(const ResampleCase& one, double step, int64_t i, int64_t from, double* weights) {
  const double wide = std::max(step, 1.0), centre = (static_cast<double>(i) + 0.5) * step;
  double total = 0;
  for (int64_t j = 0; j < from; j++) {
    const double x = (static_cast<double>(j) + 0.5 - centre) / wide;
    weights[j] = one.mode == "cubic" ? keys(x, -0.5) : triangle(x);
    total += weights[j];
  }
  for (int64_t j = 0; j < from; j++) weights[j] /= total;
}

}  // namespace

std::vector<double> resample_weights(const ResampleCase& one, int64_t from, int64_t to) {
  std::vector<double> all(static_cast<std::size_t>(from * to));
  const double step =
      one.align_corners
          ? (to > 1 ? (static_cast<double>(from) - 1) / (static_cast<double>(to) - 1) : 0)
          : static_cast<double>(from) / (static_cast<double>(to) + one.scale_offset);
  for (int64_t i = 0; i < to; i++) {
    double* weights = all.data() + i * from;
    if (same_size(one)) {
      weights[i] = 1;
      continue;
    }
    if (one.mode == "nearest") {
      weights[std::min(from - 1,
                       static_cast<int64_t>(std::floor(static_cast<double>(i) * step + 1e-9)))] = 1;
      continue;
    }
    if (one.antialias) {
      antialiased(one, step, i, from, weights);
      continue;
    }
    double place = one.align_corners ? static_cast<double>(i) * step
                                     : (static_cast<double>(i) + 0.5) * step - 0.5;
    if (one.mode == "linear") place = std::max(place, 0.0);
    // Every row that the kernel reaches; one beyond an edge stands for the edge.
    for (auto j = static_cast<int64_t>(std::floor(place)) - 2; j <= place + 3; j++) {
      const double x = place - static_cast<double>(j);
      weights[std::clamp<int64_t>(j, 0, from - 1)] +=
          one.mode == "cubic" ? keys(x, -0.75) : triangle(x);
    }
  }
  return all;
}

std::vector<double> resample(const ResampleCase& one, const std::vector<double>& table,
                             int64_t width) {
  const auto down = resample_weights(one, one.from_rows, one.to_rows);
  const auto across = resample_weights(one, one.from_cols, one.to_cols);
  std::vector<double> out;
  for (int64_t r = 0; r < one.to_rows; r++) {
    for (int64_t c = 0; c < one.to_cols; c++) {
      for (int64_t k = 0; k < width; k++) {
        double sum = 0;
        for (int64_t y = 0; y < one.from_rows; y++) {
          for (int64_t x = 0; x < one.from_cols; x++) {
            sum += down[static_cast<std::size_t>(r * one.from_rows + y)] *
                   across[static_cast<std::size_t>(c * one.from_cols + x)] *
                   table[static_cast<std::size_t>((y * one.from_cols + x) * width + k)];
          }
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

std::vector<double> resample_backward(const ResampleCase& one, const std::vector<double>& d_out,
                                      int64_t width) {
  const auto down = resample_weights(one, one.from_rows, one.to_rows);
  const auto across = resample_weights(one, one.from_cols, one.to_cols);
  std::vector<double> d_table(static_cast<std::size_t>(one.from_rows * one.from_cols * width));
  for (int64_t r = 0; r < one.to_rows; r++) {
    for (int64_t c = 0; c < one.to_cols; c++) {
      for (int64_t y = 0; y < one.from_rows; y++) {
        for (int64_t x = 0; x < one.from_cols; x++) {
          const double weight = down[static_cast<std::size_t>(r * one.from_rows + y)] *
                                across[static_cast<std::size_t>(c * one.from_cols + x)];
          for (int64_t k = 0; k < width; k++) {
            d_table[static_cast<std::size_t>((y * one.from_cols + x) * width + k)] +=
                weight * d_out[static_cast<std::size_t>((r * one.to_cols + c) * width + k)];
          }
        }
      }
    }
  }
  return d_table;
}

}  // namespace posenc::reference
