// Normalised coordinates, their Fourier features and a projection, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct CoordinatesRule {
  int64_t dim = 0;
  std::vector<double> low, high;  // one per axis
  bool fourier = false;
  int64_t bands = 0;
};

struct Projection {
  std::vector<double> weight, bias;
};

std::vector<double> coordinates(const CoordinatesRule& rule, const Projection& parameters,
                                const std::vector<double>& positions);
Projection coordinates_backward(const CoordinatesRule& rule, const std::vector<double>& positions,
                                const std::vector<double>& d_out);

}  // namespace posenc::reference
