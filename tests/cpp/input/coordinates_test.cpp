#include "posenc/input/coordinates.hpp"

#include "reference/input/coordinates.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::gradients_of;
using testing::list_of;
using testing::rows_of;

CoordinatesOptions options_of(const reference::CoordinatesRule& rule) {
  CoordinatesOptions options{.dim = rule.dim, .axes = static_cast<int64_t>(rule.low.size())};
  options.low = list_of(rule.low);
  options.high = list_of(rule.high);
  options.features = rule.fourier ? CoordinateFeatures::kFourier : CoordinateFeatures::kLinear;
  options.bands = rule.fourier ? rule.bands : 6;
  return options;
}

std::vector<double> points(const reference::CoordinatesRule& rule, int64_t count, uint64_t seed) {
  const auto random =
      testing::random_floats(static_cast<std::size_t>(count) * rule.low.size(), seed, 0, 1);
  std::vector<double> positions;
  for (std::size_t i = 0; i < random.size(); i++) {
    const std::size_t a = i % rule.low.size();
    positions.push_back(rule.low[a] +
                        (rule.high[a] - rule.low[a]) * static_cast<double>(random[i]));
  }
  return positions;
}

TEST_CASE("coordinates: linear and Fourier features equal the plain loop, forward and backward") {
  double largest = 0;
  for (const bool fourier : {false, true}) {
    for (const auto& [low, high] : {std::pair{std::vector<double>{0}, std::vector<double>{1}},
                                    {{-3, 10}, {5, 11}},
                                    {{0, 0, -1}, {1000, 1e6, 1}}}) {
      for (int64_t dim : testing::awkward_sizes()) {
        for (int64_t bands : {1, 5, 10}) {
          const reference::CoordinatesRule rule{dim, low, high, fourier, bands};
          const auto encoding = adapted<Coordinates>(options_of(rule), 4);
          const auto positions = points(rule, 9, 5);
          const int axes = static_cast<int>(low.size());
          const auto d_out = testing::random_floats(9 * static_cast<std::size_t>(dim), 6);
          const reference::Projection parameters{testing::values_of(encoding, "weight"),
                                                 testing::values_of(encoding, "bias")};
          largest = std::max(
              largest, testing::largest_error(rows_of(encoding, given(positions, axes)),
                                              reference::coordinates(rule, parameters, positions)));
          auto gradients = gradients_of(encoding, given(positions, axes), d_out);
          const auto want =
              reference::coordinates_backward(rule, positions, testing::widened(d_out));
          largest = std::max(largest, testing::largest_error(gradients["weight"], want.weight));
          largest = std::max(largest, testing::largest_error(gradients["bias"], want.bias));
        }
      }
    }
  }
  MESSAGE("coordinates: largest relative error " << largest);
  CHECK(largest <= 2e-6);
}

TEST_CASE("coordinates: the reference's gradients are those of finite differences") {
  const reference::CoordinatesRule rule{2, {0, -1}, {2, 1}, true, 2};
  const auto positions = points(rule, 3, 1);
  const reference::Projection parameters{testing::widened(testing::random_floats(16, 2)),
                                         {0.5, -0.25}};
  const auto d_out = testing::widened(testing::random_floats(6, 3));
  const auto gradients = reference::coordinates_backward(rule, positions, d_out);
  testing::check_gradient(
      gradients.weight, parameters.weight,
      [&](const std::vector<double>& at) {
        return testing::product(reference::coordinates(rule, {at, parameters.bias}, positions),
                                d_out);
      },
      "weight");
  testing::check_gradient(
      gradients.bias, parameters.bias,
      [&](const std::vector<double>& at) {
        return testing::product(reference::coordinates(rule, {parameters.weight, at}, positions),
                                d_out);
      },
      "bias");
}

TEST_CASE(
    "coordinates: the ends of the range are -1 and 1, and what lies outside is refused or "
    "clamped") {
  CoordinatesOptions options{.dim = 1, .axes = 1};
  options.low = list_of({10});
  options.high = list_of({30});
  options.outside = CoordinateOutside::kClamp;
  auto encoding = adapted<Coordinates>(std::move(options));
  testing::set_values(encoding, "weight", {1});
  const std::vector<double> positions = {10, 20, 25, 30, 31, -1e9};
  check_close(rows_of(encoding, given(positions)), std::vector{-1.0, 0.0, 0.5, 1.0, 1.0, -1.0}, 0,
              "rows");

  const auto strict = adapted<Coordinates>({.dim = 1});
  for (double bad : {-0.1, 1.1, static_cast<double>(NAN)}) {
    const std::vector<double> point = {0.5, bad};
    const auto status = strict.check(given(point, 2), "positions");
    testing::check_error(status.error(), ErrorCode::kOutsideDomain, "positions");
    CHECK(std::string(status.error().allowed()) == "numbers from 0 to 1 on axis 1");
  }
}

TEST_CASE("coordinates: refused options") {
  const auto with = [](int64_t axes, const std::vector<double>& low,
                       const std::vector<double>& high) {
    CoordinatesOptions options{.dim = 4, .axes = axes};
    options.low = list_of(low);
    options.high = list_of(high);
    return make<Coordinates>(std::move(options)).error();
  };
  testing::check_error(with(2, {1}, {1}), ErrorCode::kOutOfRange, "high");
  testing::check_error(with(3, {0, 0}, {1}), ErrorCode::kShapeMismatch, "low");
  testing::check_error(with(2, {-1e308}, {1e308}), ErrorCode::kOutOfRange, "high");
  testing::check_error(with(9, {}, {}), ErrorCode::kOutOfRange, "axes");
  testing::check_error(with(1, {static_cast<double>(NAN)}, {}), ErrorCode::kOutOfRange, "low");
}

}  // namespace
}  // namespace posenc
