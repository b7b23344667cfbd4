#include "posenc/input/conv.hpp"

#include "posenc/core/adapters.hpp"
#include "reference/input/conv.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using reference::ConvRule;
using reference::ConvValues;
using testing::check_close;

using Adapted = ContentInputAdapter<Conv>;

Adapted adapted(const ConvOptions& options) {
  return Adapted(std::move(*make<Conv>(ConvOptions(options), 5)));
}

std::vector<double> cells(int64_t rows, int64_t cols) {
  std::vector<double> positions;
  for (int64_t i = 0; i < rows * cols; i++) {
    positions.push_back(static_cast<double>(i / cols));
    positions.push_back(static_cast<double>(i % cols));
  }
  return positions;
}

std::vector<double> wide(std::span<const float> values) { return {values.begin(), values.end()}; }

ConvValues values_of(const Adapted& encoding, const std::vector<float>& x) {
  const ParameterSet& parameters = encoding.parameters();
  ConvValues values = {wide(x), wide(parameters[0].values.span()), {}};
  if (parameters.count() > 1) values.bias = wide(parameters[1].values.span());
  return values;
}

// Central differences of sum(out · d_out) against one of the plain gradients.
void check_differences(const ConvRule& rule, ConvValues values, const std::vector<double>& d_out,
                       std::vector<double> ConvValues::* member, const std::vector<double>& want) {
  const auto loss = [&] {
    const auto out = reference::conv(rule, values);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); i++) sum += out[i] * d_out[i];
    return sum;
  };
  std::vector<double> differences;
  for (double& value : values.*member) {
    const double at = value;
    value = at + 1e-5;
    const double above = loss();
    value = at - 1e-5;
    differences.push_back((above - loss()) / 2e-5);
    value = at;
  }
  check_close(want, differences, 1e-6, "finite differences");
}

void check_conv(const ConvOptions& options, int64_t rows, int64_t cols, bool differences = false) {
  CAPTURE(options.dim);
  CAPTURE(options.kernel);
  CAPTURE(rows);
  CAPTURE(cols);
  const auto encoding = adapted(options);
  const bool grid = options.axes == 2;
  const int64_t count = rows * cols;
  const auto given = cells(rows, cols);
  const auto positions =
      grid ? Positions::array(given.data(), count, 2) : Positions::range(3, count);
  REQUIRE(encoding.check(positions, "positions").has_value());
  const ConvRule rule = {.dim = options.dim,
                         .groups = options.groups.value_or(options.dim),
                         .rows = rows,
                         .cols = cols,
                         .height = grid ? options.kernel : 1,
                         .width = options.kernel,
                         .circular = options.padding == ConvPadding::kCircular,
                         .gelu = options.activation == ConvActivation::kGelu};
  const auto size = static_cast<std::size_t>(count * options.dim);
  const auto x = testing::random_floats(size, 1), d_out = testing::random_floats(size, 2);
  const auto values = values_of(encoding, x);
  std::vector<float> out(size, NAN), d_x(size, NAN);
  encoding.encode_from(positions, x.data(), out.data());
  check_close(out, reference::conv(rule, values), 2e-6, "rows");

  const auto& parameters = encoding.parameters();
  std::vector<float> d_weight(static_cast<std::size_t>(parameters[0].values.size()));
  std::vector<float> d_bias(static_cast<std::size_t>(options.dim));
  Gradients gradients;
  gradients.of[0] = d_weight.data();
  if (options.bias) gradients.of[1] = d_bias.data();
  encoding.backward_from(positions, x.data(), d_out.data(), d_x.data(), gradients);
  const auto want = reference::conv_backward(rule, values, wide(d_out));
  check_close(d_x, want.x, 5e-6, "gradient of x");
  check_close(d_weight, want.weight, 5e-6, "gradient of the filters");
  if (options.bias) check_close(d_bias, want.bias, 5e-6, "gradient of the biases");
  if (!differences) return;
  check_differences(rule, values, wide(d_out), &ConvValues::x, want.x);
  check_differences(rule, values, wide(d_out), &ConvValues::weight, want.weight);
  check_differences(rule, values, wide(d_out), &ConvValues::bias, want.bias);
}

TEST_CASE(
    "conv: depthwise over grids of awkward sizes, with and without bias, activation and edges") {
  for (int64_t dim = 1; dim <= 2 * testing::lanes() + 3; dim++)
    check_conv({.dim = dim}, 3, 4, dim == 3);
  for (const auto& [rows, cols] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {5, 1}, {2, 3}, {7, 6}, {0, 0}}) {
    for (int64_t kernel : {1, 2, 3, 5}) {
      for (int choice = 0; choice < 8; choice++) {
        check_conv({.dim = 5,
                    .kernel = kernel,
                    .activation = (choice & 1) != 0 ? ConvActivation::kGelu : ConvActivation::kNone,
                    .padding = (choice & 2) != 0 ? ConvPadding::kCircular : ConvPadding::kZeros,
                    .bias = (choice & 4) != 0},
                   rows, cols);
      }
    }
  }
}

TEST_CASE("conv: sequences in groups of channels, as wav2vec 2.0 has them") {
  for (int64_t groups : {1, 2, 3, 6, 12}) {
    for (int64_t kernel : {1, 3, 4, 8}) {
      for (int64_t count : {0, 1, 2, 15, 16, 17, 35}) {
        check_conv({.dim = 12,
                    .axes = 1,
                    .kernel = kernel,
                    .groups = groups,
                    .activation = ConvActivation::kGelu},
                   1, count, count == 2 && kernel == 4);
      }
    }
  }
  for (int64_t width : testing::awkward_sizes())
    check_conv({.dim = 2 * width, .axes = 1, .kernel = 4, .groups = 2}, 1, 2 * width);
  check_conv({.dim = 6, .axes = 2, .kernel = 3, .groups = 2}, 5, 4, true);
  check_conv({.dim = 4, .axes = 1, .kernel = 9, .groups = 2, .padding = ConvPadding::kCircular}, 1,
             3);
}

TEST_CASE("conv: added to x, also in place") {
  const auto encoding = adapted({.dim = 5});
  const auto given = cells(3, 3);
  const auto positions = Positions::array(given.data(), 9, 2);
  auto x = testing::random_floats(45, 1);
  std::vector<float> rows(45), sum(45), beside(90),
      scratch(static_cast<std::size_t>(encoding.scratch_floats(9)));
  encoding.encode_from(positions, x.data(), rows.data());
  encoding.add(positions, x.data(), sum.data(), scratch.data());
  encoding.concat(positions, x.data(), 5, beside.data(), scratch.data());
  for (std::size_t i = 0; i < 45; i++) {
    CHECK(sum[i] == x[i] + rows[i]);
    CHECK(beside[i / 5 * 10 + i % 5] == x[i]);
    CHECK(beside[i / 5 * 10 + 5 + i % 5] == rows[i]);
  }
  encoding.add(positions, x.data(), x.data(), scratch.data());
  CHECK(x == sum);
}

// Whether every token of a constant x gets the same row.
bool all_alike(const ConvOptions& options) {
  const auto encoding = adapted(options);
  const std::vector<float> x(static_cast<std::size_t>(25 * options.dim), 1.0F);
  auto out = x;
  const auto given = cells(5, 5);
  encoding.encode_from(
      options.axes == 2 ? Positions::array(given.data(), 25, 2) : Positions::range(0, 25), x.data(),
      out.data());
  for (std::size_t i = static_cast<std::size_t>(options.dim); i < out.size(); i++) {
    if (std::abs(out[i] - out[i % static_cast<std::size_t>(options.dim)]) > 1e-5) return false;
  }
  return true;
}

TEST_CASE("conv: zeros beyond the edge carry position; a closed line has none") {
  CHECK_FALSE(all_alike({.dim = 4}));
  CHECK(all_alike({.dim = 4, .padding = ConvPadding::kCircular}));
  CHECK_FALSE(all_alike({.dim = 4, .axes = 1, .groups = 2}));
  CHECK(all_alike({.dim = 4, .axes = 1, .groups = 2, .padding = ConvPadding::kCircular}));
}

TEST_CASE("conv: refused options and positions") {
  testing::check_error(make<Conv>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<Conv>({.dim = 12, .groups = 5}).error(), ErrorCode::kOutOfRange,
                       "groups");
  testing::check_error(make<Conv>({.dim = 12, .groups = 24}).error(), ErrorCode::kOutOfRange,
                       "groups");
  testing::check_error(make<Conv>({.dim = 12, .kernel = 0}).error(), ErrorCode::kOutOfRange,
                       "kernel");
  const auto grid = adapted({.dim = 4}), sequence = adapted({.dim = 4, .axes = 1});
  const double shuffled[] = {0, 0, 1, 0, 0, 1, 1, 1}, part[] = {0, 0, 0, 1, 1, 1},
               gap[] = {0, 1, 3}, shifted[] = {4, 5, 6};
  testing::check_error(grid.check(Positions::array(shuffled, 4, 2), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
  testing::check_error(grid.check(Positions::array(part, 3, 2), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
  testing::check_error(sequence.check(Positions::array(gap, 3), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
  CHECK(sequence.check(Positions::array(shifted, 3), "positions").has_value());
}

}  // namespace
}  // namespace posenc
