// Tables of grids as DETR's and TimeSformer's code use them, in double.
#pragma once

#include "reference/input/resample.hpp"

namespace posenc::reference {

// [col | row] or [row | col] for cells (row, col); tables [.., half].
std::vector<double> grid_axes(const std::vector<double>& row_table,
                              const std::vector<double>& col_table, int64_t half,
                              const std::vector<double>& cells, bool col_first);
struct AxesGradients {
  std::vector<double> row, col;
};
// Of tables of `rows` and `cols` rows.
AxesGradients grid_axes_backward(int64_t rows, int64_t cols, int64_t half,
                                 const std::vector<double>& cells, bool col_first,
                                 const std::vector<double>& d_out);

struct SpaceTime {
  ResampleCase space;
  int64_t frames = 1, to_frames = 1;
  int64_t prefix = 0;
  bool prefix_rows = true;
  bool patch_major = true;
  int64_t dim = 1;
};

// Rows of tokens by their place in the sequence: the prefix, then patches and frames.
std::vector<double> space_time(const SpaceTime& rule, const std::vector<double>& table,
                               const std::vector<double>& time, const std::vector<double>& tokens);
struct SpaceTimeGradients {
  std::vector<double> table, time;
};
SpaceTimeGradients space_time_backward(const SpaceTime& rule, const std::vector<double>& tokens,
                                       const std::vector<double>& d_out);

}  // namespace posenc::reference
