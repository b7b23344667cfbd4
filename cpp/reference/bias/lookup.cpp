#include "reference/bias/lookup.hpp"

namespace posenc::reference {

std::vector<double> looked_up(const std::vector<double>& table, int64_t heads,
                              const std::vector<int64_t>& index) {
  std::vector<double> bias;
  for (int64_t h = 0; h < heads; h++) {
    for (int64_t row : index) bias.push_back(table[static_cast<std::size_t>(row * heads + h)]);
  }
  return bias;
}

std::vector<double> looked_up_backward(int64_t rows, int64_t heads,
                                       const std::vector<int64_t>& index,
                                       const std::vector<double>& d_bias) {
  std::vector<double> gradient(static_cast<std::size_t>(rows * heads));
  std::size_t at = 0;
  for (int64_t h = 0; h < heads; h++) {
    for (int64_t row : index) gradient[static_cast<std::size_t>(row * heads + h)] += d_bias[at++];
  }
  return gradient;
}

}  // namespace posenc::reference
