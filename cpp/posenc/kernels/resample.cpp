#include "posenc/kernels/resample.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rows.hpp"

namespace posenc {
namespace {

// Keys' kernel of cubic convolution.
double cubic(double x, double a) noexcept {
  x = std::abs(x);
  if (x >= 2) return 0;
  if (x >= 1) return a * (((x - 5) * x + 8) * x - 4);
  return ((a + 2) * x - (a + 3)) * x * x + 1;
}

struct Sampling {
  const ResampleRule& rule;
  int64_t from, to;
  double step;

  // Half the width of the antialiasing kernel, in rows of the table.
  double reach() const noexcept {
    return (rule.mode == ResampleMode::kCubic ? 2 : 1) * std::max(step, 1.0);
  }
  int64_t taps() const noexcept {
    if (rule.mode == ResampleMode::kNearest) return 1;
    if (rule.antialias) return std::min(from, 2 * static_cast<int64_t>(std::ceil(reach())) + 1);
    return rule.mode == ResampleMode::kLinear ? 2 : 4;
  }
  double source(int64_t i) const noexcept {
    const auto place = static_cast<double>(i);
    return rule.align_corners ? place * step : (place + 0.5) * step - 0.5;
  }
  int32_t clamped(double row) const noexcept {
    return static_cast<int32_t>(std::clamp(row, 0.0, static_cast<double>(from - 1)));
  }

  void nearest(int64_t i, int32_t* rows, double* weights) const noexcept {
    // Whole numbers where the size is the ratio, so that no rounding moves a row.
    rows[0] = rule.scale_offset == 0 ? static_cast<int32_t>(i * from / to)
                                     : clamped(std::floor(static_cast<double>(i) * step));
    weights[0] = 1;
  }
  void linear(int64_t i, int32_t* rows, double* weights) const noexcept {
    const double place = std::max(source(i), 0.0), low = std::floor(place);
    rows[0] = clamped(low), rows[1] = clamped(low + 1);
    weights[0] = 1 - (place - low), weights[1] = place - low;
  }
  void cubic_taps(int64_t i, int32_t* rows, double* weights) const noexcept {
    const double place = source(i), low = std::floor(place);
    for (int t = 0; t < 4; t++) {
      rows[t] = clamped(low - 1 + t);
      weights[t] = cubic(place - (low - 1 + t), -0.75);
    }
  }
  void antialiased(int64_t i, int32_t* rows, double* weights) const noexcept {
    const double width = std::max(step, 1.0), centre = (static_cast<double>(i) + 0.5) * step;
    const auto first = static_cast<int64_t>(std::max(std::floor(centre - reach() + 0.5), 0.0));
    const auto end = std::min(static_cast<int64_t>(std::floor(centre + reach() + 0.5)), from);
    double total = 0;
    for (int64_t t = 0; t < std::min(end - first, taps()); t++) {
      const double x = (static_cast<double>(first + t) - centre + 0.5) / width;
      rows[t] = static_cast<int32_t>(first + t);
      weights[t] =
          rule.mode == ResampleMode::kCubic ? cubic(x, -0.5) : std::max(1 - std::abs(x), 0.0);
      total += weights[t];
    }
    for (int64_t t = 0; t < end - first; t++) weights[t] /= total;
  }
  void write(int64_t i, int32_t* rows, double* weights) const noexcept {
    if (rule.mode == ResampleMode::kNearest) return nearest(i, rows, weights);
    if (rule.antialias) return antialiased(i, rows, weights);
    return rule.mode == ResampleMode::kLinear ? linear(i, rows, weights)
                                              : cubic_taps(i, rows, weights);
  }
};

double step_of(const ResampleRule& rule, int64_t from, int64_t to) noexcept {
  const auto old_size = static_cast<double>(from), new_size = static_cast<double>(to);
  if (!rule.align_corners || rule.mode == ResampleMode::kNearest)
    return old_size / (new_size + rule.scale_offset);
  return to > 1 ? (old_size - 1) / (new_size - 1) : 0;
}

}  // namespace

Status ResampleAxis::prepare(const ResampleRule& rule, int64_t old_size, int64_t new_size,
                             TextRef parameter) noexcept {
  from = old_size, to = new_size;
  const Sampling sampling{rule, from, to, step_of(rule, from, to)};
  taps = sampling.taps();
  const Result<int64_t> count = checked_product(to, taps, parameter);
  if (!count) return std::unexpected(count.error());
  Buffer<double> exact;
  Status status = rows.allocate_zeros(*count, parameter);
  if (status) status = weights.allocate_zeros(*count, parameter);
  if (status) status = exact.allocate(taps, parameter);
  if (!status) return status;
  for (int64_t i = 0; i < to; i++) {
    std::fill_n(exact.data(), taps, 0.0);
    sampling.write(i, rows.data() + i * taps, exact.data());
    for (int64_t t = 0; t < taps; t++) weights[i * taps + t] = static_cast<float>(exact[t]);
  }
  return {};
}

Status ResampleGrid::prepare(const ResampleRule& rule, int64_t from_rows, int64_t from_cols,
                             int64_t to_rows, int64_t to_cols, TextRef parameter) noexcept {
  ResampleRule used = rule;
  if (from_rows == to_rows && from_cols == to_cols) used = {.mode = ResampleMode::kNearest};
  Status status = vertical.prepare(used, from_rows, to_rows, parameter);
  return status ? horizontal.prepare(used, from_cols, to_cols, parameter) : status;
}

namespace kernels {
namespace {

// Calls body(row of the table, weight) for all rows that make one new row; those of weight 0 are
// left out.
template <typename Body>
void for_taps(const ResampleGrid& grid, int64_t cell, Body body) noexcept {
  const ResampleAxis &down = grid.vertical, &across = grid.horizontal;
  const int64_t first_down = cell / across.to * down.taps,
                first_across = cell % across.to * across.taps;
  for (int64_t v = 0; v < down.taps; v++) {
    const float weight = down.weights[first_down + v];
    if (weight == 0) continue;
    const int64_t row = down.rows[first_down + v] * across.from;
    for (int64_t h = 0; h < across.taps; h++) {
      const float product = weight * across.weights[first_across + h];
      if (product != 0) body(row + across.rows[first_across + h], product);
    }
  }
}

// Adds runs of rows that stand one after the other at once, as all taps within the table do: `out`
// is then read and written once for four rows.
class RunAdder {
 public:
  RunAdder(const float* table, int64_t width, float* out) noexcept
      : table_(table), width_(width), out_(out) {}
  void operator()(int64_t row, float weight) noexcept {
    if (count_ == kMost || row != first_ + count_) flush();
    if (count_ == 0) first_ = row;
    weights_[count_++] = weight;
  }
  void flush() noexcept {
    add_rows(table_ + first_ * width_, width_, count_, weights_, width_, 1, out_);
    count_ = 0;
  }

 private:
  static constexpr int64_t kMost = 16;
  const float* table_;
  int64_t width_;
  float* out_;
  float weights_[kMost] = {};
  int64_t first_ = 0, count_ = 0;
};

}  // namespace

void add_resampled_row(const ResampleGrid& grid, int64_t cell, const float* table, int64_t width,
                       float* out) noexcept {
  RunAdder add(table, width, out);
  for_taps(grid, cell, [&](int64_t row, float weight) { add(row, weight); });
  add.flush();
}

void resample_row(const ResampleGrid& grid, int64_t cell, const float* table, int64_t width,
                  float* out) noexcept {
  if (grid.vertical.taps == 1 && grid.horizontal.taps == 1) {  // nearest, and the same size: a copy
    const int64_t row = grid.vertical.rows[cell / grid.horizontal.to] * grid.horizontal.from;
    return copy(table + (row + grid.horizontal.rows[cell % grid.horizontal.to]) * width, width,
                out);
  }
  std::fill_n(out, width, 0.0F);
  add_resampled_row(grid, cell, table, width, out);
}

void resample_row_backward(const ResampleGrid& grid, int64_t cell, const float* d_out,
                           int64_t width, float* d_table) noexcept {
  for_taps(grid, cell, [&](int64_t row, float weight) {
    scale_add(d_out, weight, d_table + row * width, width, d_table + row * width);
  });
}

void resample(const ResampleGrid& grid, const float* table, int64_t width, float* out) noexcept {
  for (int64_t cell = 0; cell < grid.to_count(); cell++)
    resample_row(grid, cell, table, width, out + cell * width);
}

void resample_backward(const ResampleGrid& grid, const float* d_out, int64_t width,
                       float* d_table) noexcept {
  for (int64_t cell = 0; cell < grid.to_count(); cell++) {
    resample_row_backward(grid, cell, d_out + cell * width, width, d_table);
  }
}

}  // namespace kernels
}  // namespace posenc
