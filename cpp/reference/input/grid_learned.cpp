#include "reference/input/grid_learned.hpp"

namespace posenc::reference {
namespace {

ResampleCase time_case(const SpaceTime& rule) {
  ResampleCase time = rule.space;
  time.from_rows = rule.frames, time.to_rows = rule.to_frames, time.from_cols = time.to_cols = 1;
  return time;
}

struct Place {
  int64_t prefix, cell, frame;  // prefix is -1 behind the prefix
};

Place place_of(const SpaceTime& rule, double token) {
  auto t = static_cast<int64_t>(token);
  if (t < rule.prefix) return {t, 0, 0};
  t -= rule.prefix;
  const int64_t cells = rule.space.to_rows * rule.space.to_cols;
  return rule.patch_major ? Place{-1, t / rule.to_frames, t % rule.to_frames}
                          : Place{-1, t % cells, t / cells};
}

}  // namespace

std::vector<double> grid_axes(const std::vector<double>& row_table,
                              const std::vector<double>& col_table, int64_t half,
                              const std::vector<double>& cells, bool col_first) {
  std::vector<double> out;
  for (std::size_t i = 0; i < cells.size(); i += 2) {
    const auto row = row_table.begin() + static_cast<int64_t>(cells[i]) * half;
    const auto col = col_table.begin() + static_cast<int64_t>(cells[i + 1]) * half;
    const auto first = col_first ? col : row, second = col_first ? row : col;
    out.insert(out.end(), first, first + half);
    out.insert(out.end(), second, second + half);
  }
  return out;
}

AxesGradients grid_axes_backward(int64_t rows, int64_t cols, int64_t half,
                                 const std::vector<double>& cells, bool col_first,
                                 const std::vector<double>& d_out) {
  AxesGradients gradients{std::vector<double>(static_cast<std::size_t>(rows * half)),
                          std::vector<double>(static_cast<std::size_t>(cols * half))};
  auto at = d_out.begin();
  for (std::size_t i = 0; i < cells.size(); i += 2) {
    const auto row = gradients.row.begin() + static_cast<int64_t>(cells[i]) * half;
    const auto col = gradients.col.begin() + static_cast<int64_t>(cells[i + 1]) * half;
    for (const auto& part : {col_first ? col : row, col_first ? row : col}) {
      for (int64_t c = 0; c < half; c++) part[c] += *at++;
    }
  }
  return gradients;
}

std::vector<double> space_time(const SpaceTime& rule, const std::vector<double>& table,
                               const std::vector<double>& time, const std::vector<double>& tokens) {
  const int64_t dim = rule.dim, front = rule.prefix_rows ? rule.prefix * dim : 0;
  const auto space = resample(rule.space, {table.begin() + front, table.end()}, dim);
  const auto frames = resample(time_case(rule), time, dim);
  std::vector<double> out;
  for (double token : tokens) {
    const Place place = place_of(rule, token);
    for (int64_t c = 0; c < dim; c++) {
      if (place.prefix >= 0)
        out.push_back(rule.prefix_rows ? table[static_cast<std::size_t>(place.prefix * dim + c)]
                                       : 0);
      else
        out.push_back(space[static_cast<std::size_t>(place.cell * dim + c)] +
                      frames[static_cast<std::size_t>(place.frame * dim + c)]);
    }
  }
  return out;
}

SpaceTimeGradients space_time_backward(const SpaceTime& rule, const std::vector<double>& tokens,
                                       const std::vector<double>& d_out) {
  const auto dim = static_cast<std::size_t>(rule.dim);
  std::vector<double> d_front(rule.prefix_rows ? static_cast<std::size_t>(rule.prefix) * dim : 0);
  std::vector<double> d_space(static_cast<std::size_t>(rule.space.to_rows * rule.space.to_cols) *
                              dim);
  std::vector<double> d_frames(static_cast<std::size_t>(rule.to_frames) * dim);
  for (std::size_t i = 0; i < tokens.size(); i++) {
    const Place place = place_of(rule, tokens[i]);
    for (std::size_t c = 0; c < dim; c++) {
      const double d = d_out[i * dim + c];
      if (place.prefix < 0) {
        d_space[static_cast<std::size_t>(place.cell) * dim + c] += d;
        d_frames[static_cast<std::size_t>(place.frame) * dim + c] += d;
      } else if (rule.prefix_rows) {
        d_front[static_cast<std::size_t>(place.prefix) * dim + c] += d;
      }
    }
  }
  SpaceTimeGradients gradients{d_front, resample_backward(time_case(rule), d_frames, rule.dim)};
  const auto d_grid = resample_backward(rule.space, d_space, rule.dim);
  gradients.table.insert(gradients.table.end(), d_grid.begin(), d_grid.end());
  return gradients;
}

}  // namespace posenc::reference
