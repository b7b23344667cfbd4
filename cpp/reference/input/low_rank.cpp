#include "reference/input/low_rank.hpp"

namespace posenc::reference {

std::vector<double> low_rank(const Factors& factors, int64_t rank, int64_t dim,
                             const std::vector<int64_t>& rows) {
  std::vector<double> out;
  for (int64_t row : rows) {
    for (int64_t c = 0; c < dim; c++) {
      double sum = 0;
      for (int64_t k = 0; k < rank; k++) {
        sum += factors.coefficients[static_cast<std::size_t>(row * rank + k)] *
               factors.basis[static_cast<std::size_t>(k * dim + c)];
      }
      out.push_back(sum);
    }
  }
  return out;
}

Factors low_rank_backward(const Factors& factors, int64_t rank, int64_t dim,
                          const std::vector<int64_t>& rows, const std::vector<double>& d_out) {
  Factors gradients{std::vector<double>(factors.coefficients.size()),
                    std::vector<double>(factors.basis.size())};
  for (std::size_t i = 0; i < rows.size(); i++) {
    for (int64_t k = 0; k < rank; k++) {
      for (int64_t c = 0; c < dim; c++) {
        const double d = d_out[i * static_cast<std::size_t>(dim) + static_cast<std::size_t>(c)];
        const auto mix = static_cast<std::size_t>(rows[i] * rank + k),
                   part = static_cast<std::size_t>(k * dim + c);
        gradients.coefficients[mix] += d * factors.basis[part];
        gradients.basis[part] += d * factors.coefficients[mix];
      }
    }
  }
  return gradients;
}

}  // namespace posenc::reference
