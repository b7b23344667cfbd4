#include "support/numbers.hpp"

#include <cmath>
#include <numeric>

#include "support/compare.hpp"

namespace posenc::testing {

std::vector<double> counted(double start, int64_t count) {
  std::vector<double> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), start);
  return positions;
}

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

std::vector<int64_t> rounded(const std::vector<double>& values) {
  std::vector<int64_t> whole;
  for (double value : values) whole.push_back(std::llround(value));
  return whole;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void check_differences(std::vector<double>& x, const std::vector<double>& gradient,
                       const std::function<double()>& loss, const std::string& what, double step,
                       double bound) {
  REQUIRE(x.size() == gradient.size());
  std::vector<double> differences;
  for (double& value : x) {
    const double kept = value;
    value = kept + step;
    const double above = loss();
    value = kept - step;
    differences.push_back((above - loss()) / (2 * step));
    value = kept;
  }
  check_close(gradient, differences, bound, what + ", finite differences");
}

void check_gradient(const std::vector<double>& gradient, std::vector<double> at,
                    const std::function<double(const std::vector<double>&)>& loss,
                    const std::string& what) {
  check_differences(at, gradient, [&] { return loss(at); }, what);
}

}  // namespace posenc::testing
