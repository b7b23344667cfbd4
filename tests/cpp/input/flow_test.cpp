#include "posenc/input/flow.hpp"

#include "posenc/core/adapters.hpp"
#include "reference/input/flow.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::Values;

InputAdapter<Flow> adapted(const FlowOptions& options) {
  return InputAdapter<Flow>(std::move(*make<Flow>(FlowOptions(options), 5)));
}

reference::Network dynamics(const FlowOptions& options, const Values& values) {
  return {{values[1], values[3]},
          {values[2], values[4]},
          kernels::kActivationNames[static_cast<std::size_t>(options.activation)]};
}

testing::InputReference reference_of(const FlowOptions& options,
                                     const std::vector<double>& positions) {
  const reference::FlowRule rule = {options.delta, options.steps};
  // The states on the way to a position, from its start on.
  const auto path = [=](const Values& values, const std::vector<double>& times) {
    std::vector<std::vector<double>> states = {values[0]};
    for (std::size_t i = 1; i < times.size(); i++) {
      states.push_back(reference::runge_kutta(dynamics(options, values), states.back(),
                                              times[i - 1], times[i] - times[i - 1]));
    }
    return states;
  };
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    std::vector<double> table;
    for (double p : positions) {
      const auto row = path(values, reference::flow_times(rule, p)).back();
      table.insert(table.end(), row.begin(), row.end());
    }
    return table;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    const auto dim = static_cast<std::ptrdiff_t>(values[0].size());
    std::vector<double> d_start(values[0].size());
    reference::Network sums;
    sums.weights = {std::vector<double>(values[1].size()), std::vector<double>(values[3].size())};
    sums.biases = {std::vector<double>(values[2].size()), std::vector<double>(values[4].size())};
    for (std::size_t k = 0; k < positions.size(); k++) {
      const auto times = reference::flow_times(rule, positions[k]);
      const auto states = path(values, times);
      const auto first = d_rows.begin() + static_cast<std::ptrdiff_t>(k) * dim;
      std::vector<double> d(first, first + dim);
      for (std::size_t i = times.size() - 1; i > 0; i--) {
        d = reference::runge_kutta_backward(dynamics(options, values), states[i - 1], times[i - 1],
                                            times[i] - times[i - 1], d, sums);
      }
      for (std::size_t c = 0; c < d.size(); c++) d_start[c] += d[c];
    }
    return Values{d_start, sums.weights[0], sums.biases[0], sums.weights[1], sums.biases[1]};
  };
  return result;
}

TEST_CASE("flow: rows and gradients through the solver against the plain loops") {
  const std::vector<std::vector<double>> lists = {
      {0}, {1}, {0.25}, {5, 0, 2.5, 2.5, 7.75, 3}, {0, 1, 2, 3, 4, 5, 6, 7}};
  for (const auto& [dim, hidden] : testing::awkward_pairs({{3, 6}})) {
    for (int64_t steps : {1, 2, 3}) {
      for (int kind : {1, 2, 3}) {
        for (const auto& positions : lists) {
          const FlowOptions options = {.dim = dim,
                                       .max_length = 10,
                                       .hidden = hidden,
                                       .activation = static_cast<kernels::Activation>(kind),
                                       .delta = 0.3,
                                       .steps = steps};
          testing::check_input(
              adapted(options),
              Positions::array(positions.data(), static_cast<int64_t>(positions.size())),
              reference_of(options, positions), 5e-6, "flow", hidden == 6 && steps < 3);
        }
      }
    }
  }
}

TEST_CASE("flow: the solver is of order four") {
  // dy/dt = y has the solution e^t; a network is linear where its activation is relu and its input
  // positive.
  auto encoding = adapted({.dim = 1,
                           .max_length = 3,
                           .hidden = 1,
                           .activation = kernels::Activation::kRelu,
                           .delta = 1});
  auto finer = adapted({.dim = 1,
                        .max_length = 3,
                        .hidden = 1,
                        .activation = kernels::Activation::kRelu,
                        .delta = 1,
                        .steps = 2});
  for (auto* one : {&encoding, &finer}) {
    const std::pair<const char*, std::vector<float>> values[] = {
        {"start", {1}}, {"weight1", {1, 0}}, {"bias1", {0}}, {"weightOut", {1}}, {"biasOut", {0}}};
    for (const auto& [name, numbers] : values)
      REQUIRE(one->parameters().set(name, numbers).has_value());
  }
  const double coarse =
      std::abs(testing::rows_of(encoding, Positions::range(1, 1))[0] - std::exp(1.0));
  const double fine = std::abs(testing::rows_of(finer, Positions::range(1, 1))[0] - std::exp(1.0));
  CHECK(coarse == doctest::Approx(std::exp(1.0) - 65.0 / 24).epsilon(1e-4));
  CHECK(coarse / fine > 10);
}

TEST_CASE("flow: rows do not depend on the order of calls, and follow the parameters") {
  auto encoding = adapted({.dim = 5, .max_length = 40});
  const auto late = testing::rows_of(encoding, Positions::range(20.5, 3));
  const auto whole = testing::rows_of(encoding, Positions::range(0.5, 39));
  CHECK(std::equal(late.begin(), late.end(), whole.begin() + 20 * 5));
  REQUIRE(encoding.parameters().set("start", std::vector<float>(5, 0.5F)).has_value());
  CHECK(testing::rows_of(encoding, Positions::range(0, 1)) == std::vector<float>(5, 0.5F));
}

TEST_CASE("flow: positions from 0 to maxLength - 1") {
  const auto encoding = adapted({.dim = 4, .max_length = 8});
  CHECK(encoding.check(Positions::range(0, 8), "positions").has_value());
  for (double bad : {-0.5, 7.5, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CAPTURE(bad);
    testing::check_error(encoding.check(Positions::array(&bad, 1), "positions").error(),
                         ErrorCode::kOutsideDomain, "positions");
  }
  testing::check_error(make<Flow>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<Flow>({.dim = 4, .delta = 0}).error(), ErrorCode::kOutOfRange, "delta");
  testing::check_error(make<Flow>({.dim = 4, .steps = 0}).error(), ErrorCode::kOutOfRange, "steps");
}

}  // namespace
}  // namespace posenc
