#include "posenc/kernels/hinges.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"
#include "support/numbers.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::random_floats;
using testing::widened;
using Doubles = std::vector<double>;

// The line in plain loops, and its gradients for those of y.
struct Plain {
  Doubles slopes, starts, outs, x;

  Doubles y(double offset) const {
    Doubles values;
    for (double at : x) {
      values.push_back(offset);
      for (std::size_t u = 0; u < outs.size(); u++)
        values.back() += outs[u] * std::max(0.0, slopes[u] * at + starts[u]);
    }
    return values;
  }
  Plain gradients(const Doubles& d_y) const {
    const std::size_t width = outs.size();
    Plain d{Doubles(width), Doubles(width), Doubles(width), Doubles(x.size())};
    for (std::size_t i = 0; i < x.size(); i++) {
      for (std::size_t u = 0; u < width; u++) {
        const double bent = slopes[u] * x[i] + starts[u];
        if (bent <= 0) continue;
        d.outs[u] += d_y[i] * bent;
        d.starts[u] += d_y[i] * outs[u];
        d.slopes[u] += d_y[i] * outs[u] * x[i];
        d.x[i] += d_y[i] * outs[u] * slopes[u];
      }
    }
    return d;
  }
};

TEST_CASE("hinges: values and gradients at every width and length around that of a vector") {
  for (const auto& [width, count] : testing::awkward_pairs({{1, 0}, {7, 130}})) {
    CAPTURE(width);
    CAPTURE(count);
    const auto wide = static_cast<std::size_t>(width), many = static_cast<std::size_t>(count);
    const auto slopes = random_floats(wide, 1), starts = random_floats(wide, 2),
               outs = random_floats(wide, 3), x = random_floats(many, 4, -2, 2),
               d_y = random_floats(many, 5);
    const kernels::Hinges line{width, slopes.data(), starts.data(), outs.data(), 0.25F};
    const Plain plain{widened(slopes), widened(starts), widened(outs), widened(x)};
    std::vector<float> y(many, NAN), d_x(many, NAN);
    kernels::hinges(line, x.data(), count, y.data());
    check_close(y, plain.y(0.25), 1e-6, "y");
    std::vector<float> d_slopes(wide), d_starts(wide), d_outs(wide);
    kernels::hinges_backward(line, x.data(), count, d_y.data(),
                             {d_slopes.data(), d_starts.data(), d_outs.data()}, d_x.data());
    const Plain want = plain.gradients(widened(d_y));
    check_close(d_x, want.x, 2e-6, "dx");
    check_close(d_slopes, want.slopes, 5e-6, "slopes");
    check_close(d_starts, want.starts, 5e-6, "starts");
    check_close(d_outs, want.outs, 5e-6, "outs");
    std::vector<float> alone(many, NAN);
    kernels::hinges_backward(line, x.data(), count, d_y.data(), {nullptr, nullptr, nullptr},
                             alone.data());
    CHECK(alone == d_x);
  }
}

TEST_CASE("hinges: the plain gradients against finite differences; none at the hinge itself") {
  Plain plain{widened(random_floats(3, 1)), widened(random_floats(3, 2)),
              widened(random_floats(3, 3)), widened(random_floats(5, 4, -2, 2))};
  const Doubles d_y = widened(random_floats(5, 5));
  const Plain d = plain.gradients(d_y);
  const auto loss = [&] { return testing::product(plain.y(0), d_y); };
  testing::check_differences(plain.slopes, d.slopes, loss, "slopes");
  testing::check_differences(plain.starts, d.starts, loss, "starts");
  testing::check_differences(plain.outs, d.outs, loss, "outs");
  testing::check_differences(plain.x, d.x, loss, "x");

  const float one = 1, zero = 0;
  float d_x = NAN, d_start = 0;
  kernels::hinges_backward({1, &one, &zero, &one, 0}, &zero, 1, &one, {nullptr, &d_start, nullptr},
                           &d_x);
  CHECK(d_x == 0);
  CHECK(d_start == 0);
}

}  // namespace
}  // namespace posenc
