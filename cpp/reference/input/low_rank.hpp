// Coefficients times a basis, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Factors {
  std::vector<double> coefficients, basis;  // [L, rank], [rank, dim]
};

std::vector<double> low_rank(const Factors& factors, int64_t rank, int64_t dim,
                             const std::vector<int64_t>& rows);
Factors low_rank_backward(const Factors& factors, int64_t rank, int64_t dim,
                          const std::vector<int64_t>& rows, const std::vector<double>& d_out);

}  // namespace posenc::reference
