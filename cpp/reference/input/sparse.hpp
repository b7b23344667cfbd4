// Mixes of a few rows of a dictionary, and matching pursuit as its authors write it: all
// coefficients anew at every step, by the normal equations. In double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct Mixes {
  std::vector<int64_t> indices;      // [L, nonzeros]
  std::vector<double> coefficients;  // [L, nonzeros]
};

std::vector<double> sparse(const std::vector<double>& dictionary, int64_t dim, const Mixes& mixes,
                           int64_t nonzeros, const std::vector<int64_t>& rows);
struct SparseGradients {
  std::vector<double> dictionary, coefficients;
};
SparseGradients sparse_backward(const std::vector<double>& dictionary, int64_t dim,
                                const Mixes& mixes, int64_t nonzeros,
                                const std::vector<int64_t>& rows, const std::vector<double>& d_out);

// For each row of the table; stops early where nothing is left (what is missing is filled with -1
// and 0).
Mixes matching_pursuit(const std::vector<double>& table, const std::vector<double>& dictionary,
                       int64_t dim, int64_t nonzeros);

}  // namespace posenc::reference
