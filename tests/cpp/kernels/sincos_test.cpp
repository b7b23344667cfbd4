#include "posenc/kernels/sincos.hpp"

#include <cmath>

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

// At both sides of the size from which angles take the longer way, and of every quarter of a turn.
std::vector<double> delicate_angles() {
  std::vector<double> angles = {0.0, -0.0, 1e-300, 0x1p20, -0x1p20, 1e6, 1e9, -1e12, 0x1p51};
  for (double quarters : {1.0, 2.0, 3.0, 4.0, 5.0, 1001.0, 667543.0, 667544.0, 667545.0}) {
    const double angle = quarters * 1.5707963267948966;
    for (double near : {angle, angle - 1e-9, angle + 1e-9, angle / 2, angle + 0.7})
      angles.push_back(near), angles.push_back(-near);
  }
  return angles;
}

TEST_CASE("sincos: an angle does not depend on its neighbours, near or far") {
  const std::vector<double> angles = delicate_angles();
  std::vector<float> sin(angles.size()), cos = sin;
  kernels::sincos(angles.data(), static_cast<int64_t>(angles.size()), sin.data(), cos.data());
  double largest = 0;
  for (std::size_t i = 0; i < angles.size(); i++) {
    float alone[2];
    kernels::sincos(&angles[i], 1, &alone[0], &alone[1]);
    CHECK(alone[0] == sin[i]);
    CHECK(alone[1] == cos[i]);
    CHECK(std::max(std::abs(sin[i]), std::abs(cos[i])) <= 1);
    largest = std::max(
        {largest, std::abs(sin[i] - std::sin(angles[i])), std::abs(cos[i] - std::cos(angles[i]))});
  }
  CHECK(largest <= 0x1p-25 + 1e-13);
}

TEST_CASE("projections: any number of axes against the plain sum") {
  constexpr int64_t kAll = kernels::kProjections;
  for (int64_t axes = 1; axes <= 8; axes++) {
    std::vector<double> x, columns;
    for (int64_t a = 0; a < axes; a++) x.push_back(0.3 * static_cast<double>(a) - 1.1);
    for (int64_t n = 0; n < axes * kAll; n++) columns.push_back(std::sin(static_cast<double>(n)));
    std::vector<double> angles(static_cast<std::size_t>(kAll));
    kernels::project(x.data(), axes, columns.data(), kAll, angles.data());
    for (int64_t i = 0; i < kAll; i++) {
      double sum = 0;
      for (int64_t a = 0; a < axes; a++)
        sum += x[static_cast<std::size_t>(a)] * columns[static_cast<std::size_t>(a * kAll + i)];
      CHECK(angles[static_cast<std::size_t>(i)] == sum);
    }
  }
}

}  // namespace
}  // namespace posenc
