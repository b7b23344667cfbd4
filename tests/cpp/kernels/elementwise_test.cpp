#include "posenc/kernels/elementwise.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::random_floats;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

// What `count` numbers of x, y and out become, and that nothing behind them is touched.
template <typename Call, typename Plain>
void check(const char* name, Call call, Plain plain, double bound) {
  for (int64_t count = 0; count <= 2 * testing::lanes() + 3; count++) {
    CAPTURE(name);
    CAPTURE(count);
    const auto size = static_cast<std::size_t>(count);
    const Floats x = random_floats(size, 1), y = random_floats(size, 2),
                 held = random_floats(size + 3, 3);
    Floats out = held;
    call(x.data(), y.data(), count, out.data());
    Doubles want(held.begin(), held.end());
    for (std::size_t i = 0; i < size; i++) want[i] = plain(x[i], y[i], held[i]);
    check_close(out, want, bound, name);
    CHECK(std::equal(held.end() - 3, held.end(), out.end() - 3));
  }
}

TEST_CASE("elementwise: every loop equals the plain one at every length") {
  constexpr double kExact = 0, kRounded = 1.2e-7;
  check(
      "copy", [](auto x, auto, auto n, auto out) { kernels::copy(x, n, out); },
      [](double x, double, double) { return x; }, kExact);
  check(
      "add", [](auto x, auto, auto n, auto out) { kernels::add(x, n, out); },
      [](double x, double, double held) { return held + x; }, kRounded);
  check(
      "add_number", [](auto, auto, auto n, auto out) { kernels::add_number(0.75F, n, out); },
      [](double, double, double held) { return held + 0.75; }, kRounded);
  check(
      "add_product", [](auto x, auto y, auto n, auto out) { kernels::add_product(x, y, n, out); },
      [](double x, double y, double held) { return held + x * y; }, kRounded);
  check(
      "scale", [](auto x, auto, auto n, auto out) { kernels::scale(x, 0.3F, n, out); },
      [](double x, double, double) { return x * static_cast<double>(0.3F); }, kRounded);
  check(
      "multiply", [](auto x, auto y, auto n, auto out) { kernels::multiply(x, y, n, out); },
      [](double x, double y, double) { return x * y; }, kRounded);
  check(
      "multiply_by", [](auto x, auto, auto n, auto out) { kernels::multiply_by(x, n, out); },
      [](double x, double, double held) { return x * held; }, kRounded);
  check(
      "scale_add", [](auto x, auto y, auto n, auto out) { kernels::scale_add(x, 0.3F, y, n, out); },
      [](double x, double y, double) { return x * static_cast<double>(0.3F) + y; }, kRounded);
}

TEST_CASE("elementwise: sums of every length") {
  for (int64_t count = 0; count <= 4 * testing::lanes() + 3; count++) {
    const Floats x = random_floats(static_cast<std::size_t>(count), 4);
    double want = 0;
    for (float value : x) want += value;
    CHECK(std::abs(kernels::sum(x.data(), count) - want) <= 2e-6);
  }
}

}  // namespace
}  // namespace posenc
