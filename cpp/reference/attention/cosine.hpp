// Cosine logits as Swin v2 writes them: rows of queries and keys made 1 long, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// Rows x [rows, width] → x / |x|, row r times factors[r / rows_per_factor].
std::vector<double> unit_rows(const std::vector<double>& x, int64_t width,
                              const std::vector<double>& factors = {1},
                              int64_t rows_per_factor = int64_t{1} << 40);

struct UnitGradient {
  std::vector<double> x, factors;
};
UnitGradient unit_rows_backward(const std::vector<double>& x, int64_t width,
                                const std::vector<double>& factors, int64_t rows_per_factor,
                                const std::vector<double>& d_unit);

}  // namespace posenc::reference
