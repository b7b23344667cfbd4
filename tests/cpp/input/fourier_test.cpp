#include "posenc/input/fourier.hpp"

#include <cmath>
#include <numbers>

#include "posenc/core/adapters.hpp"
#include "reference/input/fourier.hpp"
#include "reference/network.hpp"
#include "support/golden.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::Values;

InputAdapter<Fourier> adapted(const FourierOptions& options, uint64_t seed = 5) {
  return InputAdapter<Fourier>(std::move(*make<Fourier>(FourierOptions(options), seed)));
}

std::vector<float> rows(const FourierOptions& options, const std::vector<double>& points) {
  return testing::rows_of(
      adapted(options),
      Positions::array(points.data(), static_cast<int64_t>(points.size()) / options.axes,
                       static_cast<int>(options.axes)));
}

std::vector<std::vector<double>> tokens(const std::vector<double>& points, int64_t axes) {
  std::vector<std::vector<double>> list;
  for (auto at = points.begin(); at != points.end(); at += axes) list.emplace_back(at, at + axes);
  return list;
}

std::vector<double> nerf(const reference::NerfRule& rule, const std::vector<double>& points,
                         int64_t axes) {
  std::vector<double> table;
  for (const auto& x : tokens(points, axes)) {
    const auto row = reference::nerf_features(rule, x);
    table.insert(table.end(), row.begin(), row.end());
  }
  return table;
}

TEST_CASE("fourier: NeRF's features") {
  for (const char* name :
       {"fourier-features--nerf-2d-l4-noinput", "fourier-features--nerf-3d-l6"}) {
    const auto golden = testing::load_golden(name);
    const reference::NerfRule rule = {
        .frequencies = static_cast<int64_t>(golden.number("num_freqs")),
        .max_log2 = golden.number("max_freq_log2"),
        .linear = golden.number("log_sampling") == 0,
        .include_input = golden.number("include_input") != 0};
    const FourierOptions options = {
        .axes = static_cast<int64_t>(golden.number("dims")),
        .frequencies = rule.frequencies,
        .include_input = rule.include_input,
        .sampling = rule.linear ? FourierSampling::kLinear : FourierSampling::kLog,
        .max_log2 = rule.max_log2};
    const auto x = golden["x"].as_doubles();
    check_close(nerf(rule, x, options.axes), golden["out"].floats, 1e-6,
                golden.name + ", the plain loop");
    const auto got = rows(options, x);
    MESSAGE(golden.name << ": " << testing::largest_error(got, golden["out"].floats));
    check_close(got, golden["out"].floats, testing::golden_bound(golden.tolerance), golden.name);
  }
}

TEST_CASE("fourier: nerf at every size, sampling and factor equals the plain loop") {
  const std::vector<double> points = {0, 1, -3, 0.5, 0.37, 100, -0.25, 7, 1e-3, 2, 0.1, -1};
  double largest = 0;
  for (int64_t axes = 1; axes <= 3; axes++) {
    // More projections than are made at a time: a frequency's axes are then cut in two.
    for (int64_t frequencies = 1; frequencies <= 23; frequencies++) {
      for (int choice = 0; choice < 8; choice++) {
        const reference::NerfRule rule = {frequencies, static_cast<double>(frequencies - 1),
                                          (choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0};
        const FourierOptions options = {
            .axes = axes,
            .frequencies = frequencies,
            .include_input = rule.include_input,
            .sampling = rule.linear ? FourierSampling::kLinear : FourierSampling::kLog,
            .pi = rule.pi};
        largest = std::max(largest,
                           testing::largest_error(rows(options, points), nerf(rule, points, axes)));
      }
    }
  }
  MESSAGE("fourier: largest relative error " << largest);
  CHECK(largest <= 1e-7);
}

// The features, and with `ffn` the network on top of them, as plain loops over the values of the
// tensors.
testing::InputReference reference_of(const FourierOptions& options,
                                     const std::vector<double>& points) {
  const bool learned = options.kind == FourierKind::kLearned;
  const reference::ProjectionRule rule = {
      .turn = learned ? 1 : 2 * std::numbers::pi,
      .amplitude = learned ? 1 / std::sqrt(2 * static_cast<double>(options.frequencies)) : 1,
      .sines_first = options.order == FourierOrder::kSinCos,
      .include_input = options.include_input};
  const auto list = tokens(points, options.axes);
  const auto network_of = [=](const Values& values) {
    return reference::Network{{values[1], values[3]}, {values[2], values[4]}, "gelu"};
  };
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    std::vector<double> table;
    for (const auto& x : list) {
      auto row = reference::projected_features(rule, values[0], x);
      if (options.ffn) row = reference::network(network_of(values), row);
      table.insert(table.end(), row.begin(), row.end());
    }
    return table;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    Values gradients(values.size());
    reference::Network sums;
    const auto width = static_cast<std::ptrdiff_t>(d_rows.size() / list.size());
    auto at = d_rows.begin();
    for (const auto& x : list) {
      std::vector<double> d_row(at, at + width);
      at += width;
      if (options.ffn) {
        d_row = reference::network_backward(
            network_of(values), reference::projected_features(rule, values[0], x), d_row, sums);
      }
      reference::projected_backward(rule, values[0], x, d_row, gradients[0]);
    }
    if (options.ffn)
      gradients = {gradients[0], sums.weights[0], sums.biases[0], sums.weights[1], sums.biases[1]};
    return gradients;
  };
  return result;
}

TEST_CASE(
    "fourier: random and learned projections, with and without a network, and their gradients") {
  const auto numbers = testing::random_floats(3 * 37, 3);
  const std::vector<double> points(numbers.begin(), numbers.end());
  for (FourierKind kind : {FourierKind::kRandom, FourierKind::kLearned}) {
    for (int choice = 0; choice < 8; choice++) {
      for (const auto& [frequencies, hidden] : testing::awkward_pairs({{3, 7}, {70, 7}})) {
        const FourierOptions options = {
            .kind = kind,
            .axes = 3,
            .frequencies = frequencies,
            .include_input = (choice & 1) != 0,
            .sigma = 2,
            .order = (choice & 2) != 0 ? FourierOrder::kSinCos : FourierOrder::kCosSin,
            .ffn = (choice & 4) != 0,
            .hidden = hidden,
            .dim = hidden + 1};
        const auto encoding = adapted(options);
        testing::check_input(encoding, Positions::array(points.data(), 37, 3),
                             reference_of(options, points), 5e-6, "fourier",
                             frequencies == 3 && hidden == 7);
      }
    }
  }
}

TEST_CASE("fourier: a row does not depend on the rows beside it") {
  const FourierOptions options = {.kind = FourierKind::kLearned,
                                  .axes = 1,
                                  .frequencies = 10,
                                  .ffn = true,
                                  .hidden = 9,
                                  .dim = 6};
  const auto encoding = adapted(options);
  const auto whole = testing::rows_of(encoding, Positions::range(0, 40));
  for (int64_t i : {0, 15, 16, 39}) {
    const auto one = testing::rows_of(encoding, Positions::range(static_cast<double>(i), 1));
    CHECK(std::equal(one.begin(), one.end(), whole.begin() + i * 6));
  }
}

TEST_CASE("fourier: the random projection has the deviation asked for and no gradient") {
  const auto encoding =
      adapted({.kind = FourierKind::kRandom, .axes = 2, .frequencies = 4000, .sigma = 10});
  double squares = 0;
  for (float value : encoding.parameters()[0].values.span())
    squares += static_cast<double>(value) * value;
  CHECK(std::sqrt(squares / 8000) == doctest::Approx(10).epsilon(0.03));
  CHECK_FALSE(encoding.trained());
  CHECK(adapted({.kind = FourierKind::kLearned, .frequencies = 4}).trained());
}

TEST_CASE("fourier: refused options") {
  testing::check_error(make<Fourier>({.frequencies = 0}).error(), ErrorCode::kOutOfRange,
                       "frequencies");
  testing::check_error(make<Fourier>({.axes = 9, .frequencies = 4}).error(), ErrorCode::kOutOfRange,
                       "axes");
  testing::check_error(
      make<Fourier>({.kind = FourierKind::kRandom, .frequencies = 4, .sigma = 0}).error(),
      ErrorCode::kOutOfRange, "sigma");
  CHECK(rows({.axes = 2, .frequencies = 3}, {}).empty());
}

}  // namespace
}  // namespace posenc
