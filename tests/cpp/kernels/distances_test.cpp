#include "posenc/kernels/distances.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using Doubles = std::vector<double>;

// Whole and broken distances on both sides, 0 among them at changing places.
Doubles distances_of(int64_t count) {
  Doubles distances;
  for (int64_t i = 0; i < count; i++)
    distances.push_back(static_cast<double>(i - count / 2) * (i % 3 == 0 ? 0.25 : 1));
  if (count > 1) distances.back() = 0x1p40;
  return distances;
}

template <typename Call, typename Plain>
void check(const char* name, Call call, Plain plain) {
  for (int64_t count = 0; count <= 2 * testing::lanes() + 3; count++) {
    CAPTURE(count);
    const Doubles distances = distances_of(count);
    std::vector<float> out(static_cast<std::size_t>(count) + 2, 7);
    call(distances.data(), count, out.data());
    Doubles want;
    for (double d : distances) want.push_back(plain(d));
    want.insert(want.end(), 2, 7.0);  // what lies behind stays
    testing::check_close(out, want, 6e-8, name);
  }
}

TEST_CASE("distances: lines, logarithms and powers, rounded once, at every length") {
  check(
      "lines", [](auto d, auto n, auto out) { kernels::lines_of_distances(d, n, 0.7, -0.3, out); },
      [](double d) { return d * (d < 0 ? 0.7 : -0.3); });
  check(
      "logarithms",
      [](auto d, auto n, auto out) { kernels::log_of_distances(d, n, 1, 0.4, -1.3, out); },
      [](double d) { return -1.3 * std::log(1 + 0.4 * std::abs(d)); });
  for (double exponent : {0.05, 0.7, 2.0}) {
    check(
        "powers",
        [=](auto d, auto n, auto out) { kernels::power_of_distances(d, n, exponent, -0.8, out); },
        [=](double d) { return -0.8 * std::pow(std::abs(d), exponent); });
  }
}

TEST_CASE("distances: counted from a start, rounded once") {
  for (double first : {0.0, -3.0, 0.1, 1e9}) {
    for (int64_t count : testing::awkward_sizes()) {
      Doubles out(static_cast<std::size_t>(count));
      kernels::count_distances(first, 1000, count, out.data());
      for (int64_t i = 0; i < count; i++)
        CHECK(out[static_cast<std::size_t>(i)] == first + static_cast<double>(1000 + i));
    }
  }
}

}  // namespace
}  // namespace posenc
