// Resampling of a grid of rows as two dense matrices of weights, in double.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace posenc::reference {

struct ResampleCase {
  std::string mode = "cubic";  // "nearest", "linear" or "cubic"
  bool align_corners = false;
  bool antialias = false;
  double scale_offset = 0;
  int64_t from_rows = 1, from_cols = 1, to_rows = 1, to_cols = 1;
};

// weights [to, from] of one axis
std::vector<double> resample_weights(const ResampleCase& one, int64_t from, int64_t to);
// table [from_rows · from_cols, width] → [to_rows · to_cols, width]
std::vector<double> resample(const ResampleCase& one, const std::vector<double>& table,
                             int64_t width);
// The gradient of the table.
std::vector<double> resample_backward(const ResampleCase& one, const std::vector<double>& d_out,
                                      int64_t width);

}  // namespace posenc::reference
