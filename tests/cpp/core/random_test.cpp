#include "posenc/core/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace posenc {
namespace {

TEST_CASE("SplitMix64 gives the numbers of its authors' code") {
  Random random(1234567);
  for (const uint64_t want : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                              4593380528125082431U, 16408922859458223821U}) {
    CHECK(random.next() == want);
  }
}

TEST_CASE("normal numbers: two of a pair of uniform ones, with the moments of a normal law") {
  Random uniform(5), normal(5);
  for (int i = 0; i < 100; i++) {
    const double first = uniform.uniform(), second = uniform.uniform();
    const double a = normal.normal(), b = normal.normal();
    CHECK(a * a + b * b == doctest::Approx(-2 * std::log1p(-first)).epsilon(1e-12));
    const double turn = std::atan2(b, a) / (2 * std::acos(-1));
    CHECK((turn < 0 ? turn + 1 : turn) == doctest::Approx(second).epsilon(1e-9));
  }

  constexpr int kCount = 200000;
  Random random(7);
  std::array<double, 4> moments = {};
  double product = 0, last = 0;  // of neighbours, which are of one pair or of two
  for (int i = 0; i < kCount; i++) {
    const double x = random.normal();
    double power = 1;
    for (double& moment : moments) moment += (power *= x) / kCount;
    product += x * last / kCount;
    last = x;
  }
  // Four deviations of each mean: of x^n it is sqrt((E x^2n - (E x^n)^2) / kCount).
  CHECK(std::abs(moments[0]) < 4 * std::sqrt(1.0 / kCount));
  CHECK(std::abs(moments[1] - 1) < 4 * std::sqrt(2.0 / kCount));
  CHECK(std::abs(moments[2]) < 4 * std::sqrt(15.0 / kCount));
  CHECK(std::abs(moments[3] - 3) < 4 * std::sqrt(96.0 / kCount));
  CHECK(std::abs(product) < 4 * std::sqrt(1.0 / kCount));
}

}  // namespace
}  // namespace posenc
