#include "posenc/kernels/dense.hpp"

#include "posenc/kernels/activation.hpp"
#include "reference/network.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using kernels::Activation;
using testing::check_close;
using testing::random_floats;

std::vector<double> wide(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> row_of(const std::vector<float>& values, std::size_t row, std::size_t width) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {first, first + static_cast<std::ptrdiff_t>(width)};
}

void check_layer(std::size_t rows, std::size_t inputs, std::size_t outputs, bool with_bias) {
  const auto weight = random_floats(inputs * outputs, 1),
             bias = random_floats(with_bias ? outputs : 0, 2);
  const auto x = random_floats(rows * inputs, 3), d_y = random_floats(rows * outputs, 4);
  const kernels::Dense layer{weight.data(), with_bias ? bias.data() : nullptr,
                             static_cast<int64_t>(inputs), static_cast<int64_t>(outputs)};
  std::vector<float> y(rows * outputs, NAN), d_x(rows * inputs, NAN), d_weight(weight.size()),
      d_bias(outputs);
  const auto count = static_cast<int64_t>(rows);
  kernels::dense(layer, x.data(), count, y.data());
  kernels::dense_backward(layer, x.data(), d_y.data(), count,
                          {d_weight.data(), d_bias.data(), d_x.data()});

  std::vector<double> want, want_d_x, want_d_weight(weight.size()), want_d_bias(outputs);
  for (std::size_t i = 0; i < rows; i++) {
    const auto in = row_of(x, i, inputs);
    const auto out = reference::dense(wide(weight), wide(bias), in, outputs);
    const auto back = reference::dense_backward(wide(weight), in, row_of(d_y, i, outputs),
                                                want_d_weight, want_d_bias);
    want.insert(want.end(), out.begin(), out.end());
    want_d_x.insert(want_d_x.end(), back.begin(), back.end());
  }
  check_close(y, want, 2e-6, "y");
  check_close(d_x, want_d_x, 2e-6, "dx");
  check_close(d_weight, want_d_weight, 5e-6, "dW");
  check_close(d_bias, want_d_bias, 5e-6, "db");
}

TEST_CASE("dense: layers and their gradients at sizes around the width of a vector") {
  for (std::size_t inputs = 1; inputs <= static_cast<std::size_t>(2 * testing::lanes() + 3);
       inputs++) {
    for (std::size_t rows : {0, 1, 3, 4, 5, 9}) {
      CAPTURE(inputs);
      CAPTURE(rows);
      check_layer(rows, inputs, 7, true);
      check_layer(rows, inputs, 1, false);
    }
  }
  for (const auto& [rows, outputs] : testing::awkward_pairs({{130, 20}})) {
    CAPTURE(rows);
    CAPTURE(outputs);
    check_layer(static_cast<std::size_t>(rows), 33, static_cast<std::size_t>(outputs), true);
  }
}

TEST_CASE("dense: a row does not depend on the rows beside it") {
  const auto weight = random_floats(11 * 6, 1), x = random_floats(9 * 11, 2);
  const kernels::Dense layer{weight.data(), nullptr, 11, 6};
  std::vector<float> whole(9 * 6), single(9 * 6);
  kernels::dense(layer, x.data(), 9, whole.data());
  for (int64_t i = 0; i < 9; i++)
    kernels::dense(layer, x.data() + i * 11, 1, single.data() + i * 6);
  CHECK(whole == single);
}

TEST_CASE("activation: values and slopes against the plain formulas") {
  const std::pair<Activation, const char*> kinds[] = {{Activation::kRelu, "relu"},
                                                      {Activation::kGelu, "gelu"},
                                                      {Activation::kTanh, "tanh"},
                                                      {Activation::kSilu, "silu"},
                                                      {Activation::kSigmoid, "sigmoid"}};
  for (const auto& [kind, name] : kinds) {
    std::vector<float> x;
    for (double at = -12; at <= 12; at += 0.00371) x.push_back(static_cast<float>(at));
    for (float far : {-1e30F, -200.0F, -0.0F, 0.0F, 200.0F, 1e30F}) x.push_back(far);
    std::vector<float> y(x.size()), slope(x.size(), 1.0F);
    kernels::activate(kind, x.data(), static_cast<int64_t>(x.size()), y.data());
    kernels::activate_backward(kind, x.data(), static_cast<int64_t>(x.size()), slope.data());
    std::vector<double> want, want_slope;
    for (float value : x) {
      want.push_back(reference::activation(name, value));
      want_slope.push_back(reference::activation_slope(name, value));
    }
    MESSAGE(std::string(name) << ": largest error " << testing::largest_error(y, want)
                              << ", of the slope " << testing::largest_error(slope, want_slope));
    check_close(y, want, 4e-7, name);
    check_close(slope, want_slope, 4e-7, name);
  }
}

TEST_CASE(
    "activation: every length gives what each number alone gives, and what lies behind stays") {
  for (Activation kind : {Activation::kRelu, Activation::kGelu, Activation::kTanh,
                          Activation::kSilu, Activation::kSigmoid}) {
    for (int64_t count = 0; count <= 2 * testing::lanes() + 3; count++) {
      const auto size = static_cast<std::size_t>(count);
      const auto x = random_floats(size, 5, -4, 4);
      std::vector<float> y(size + 1, 7), slope(size + 1, 7), one_y = y, one_slope = slope;
      kernels::activate(kind, x.data(), count, y.data());
      kernels::activate_backward(kind, x.data(), count, slope.data());
      for (std::size_t i = 0; i < size; i++) {
        kernels::activate(kind, &x[i], 1, &one_y[i]);
        kernels::activate_backward(kind, &x[i], 1, &one_slope[i]);
      }
      CHECK(y == one_y);
      CHECK(slope == one_slope);
    }
  }
}

TEST_CASE("activation: NaN stays NaN") {
  for (Activation kind :
       {Activation::kRelu, Activation::kGelu, Activation::kTanh, Activation::kSilu}) {
    float value = NAN;
    kernels::activate(kind, &value, 1, &value);
    CHECK(std::isnan(value));
  }
}

}  // namespace
}  // namespace posenc
