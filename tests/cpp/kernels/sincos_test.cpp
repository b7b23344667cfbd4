#include "posenc/kernels/sincos.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

TEST_CASE("sincos: angles of any size at every length, and what lies behind stays") {
  double largest = 0;
  for (int64_t count = 0; count <= 2 * testing::lanes() + 3; count++) {
    std::vector<double> angles;
    for (int64_t i = 0; i < count; i++)
      angles.push_back(std::pow(-7.3, static_cast<double>(i % 13)) /
                       (1.0 + static_cast<double>(i)));
    std::vector<float> sin(angles.size() + 1, 7), cos = sin;
    kernels::sincos(angles.data(), count, sin.data(), cos.data());
    std::vector<double> want_sin, want_cos;
    for (double angle : angles) {
      want_sin.push_back(std::sin(angle));
      want_cos.push_back(std::cos(angle));
    }
    want_sin.push_back(7), want_cos.push_back(7);
    largest = std::max(
        {largest, testing::largest_error(sin, want_sin), testing::largest_error(cos, want_cos)});
    for (std::size_t i = 0; i < angles.size(); i++)
      CHECK(std::max(std::abs(sin[i]), std::abs(cos[i])) <= 1);
  }
  MESSAGE("sincos: largest error " << largest);
  CHECK(largest <= 6e-8);
}

}  // namespace
}  // namespace posenc
