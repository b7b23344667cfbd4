// The layer against the plain loops in double, over all its options, and the gradients of those
// against differences.
#include "posenc/layer/layer.hpp"

#include <cmath>

#include "layer/layer_setup.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::LayerSetup;
using Numbers = std::vector<double>;
constexpr uint64_t kCalls = 300;

// Largest |a - b| relative to what the sum behind b adds up, at least 1, or to the largest b.
double error_of_sums(const Numbers& got, const Numbers& want, const Numbers& added_up = {}) {
  double largest = 1, error = got.size() == want.size() ? 0 : INFINITY;
  for (double value : want) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < got.size() && i < want.size(); i++) {
    const double difference =
        std::abs(got[i] - want[i]) / (added_up.empty() ? largest : std::max(1.0, added_up[i]));
    error = std::isfinite(difference) ? std::max(error, difference) : INFINITY;
  }
  return error;
}
double error_of_sums(const std::vector<float>& got, const Numbers& want,
                     const Numbers& added_up = {}) {
  return error_of_sums(Numbers(got.begin(), got.end()), want, added_up);
}

TEST_CASE("layer: outputs of random calls are those of the plain loops") {
  double out = 0, attended = 0, lse = 0;
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    LayerSetup setup = LayerSetup::random(seed);
    const auto got = testing::run_forward(setup);
    const auto want = reference::layer_forward(setup.reference());
    const double errors[] = {testing::largest_error(got.out, want.out),
                             testing::largest_error(got.attended, want.attended),
                             testing::largest_error(got.lse, want.lse)};
    for (double error : errors) CHECK(error <= 2e-6);
    out = std::max(out, errors[0]), attended = std::max(attended, errors[1]),
    lse = std::max(lse, errors[2]);
  }
  MESSAGE("largest errors: out " << out << ", attended " << attended << ", lse " << lse);
}

TEST_CASE("layer: gradients of random calls are those of the plain loops") {
  double tokens = 0, weights = 0, rows = 0, slopes = 0;
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    LayerSetup setup = LayerSetup::random(seed);
    const auto got = testing::run_backward(setup, testing::run_forward(setup));
    const auto want = reference::layer_backward(setup.reference(),
                                                Numbers(setup.d_out.begin(), setup.d_out.end()));
    const double of_tokens =
        std::max(error_of_sums(got.dx, want.dx), error_of_sums(got.d_context, want.d_context));
    const double of_rows = error_of_sums(got.d_table, testing::table_gradient(setup, want));
    const double of_slopes = error_of_sums(got.d_slopes, testing::slope_gradient(setup, want),
                                           testing::slope_terms(setup, want));
    double of_weights = 0;
    using W = reference::LayerWeights;
    Numbers W::* const tensors[] = {&W::wq, &W::wk, &W::wv, &W::wo, &W::bq, &W::bk, &W::bv, &W::bo};
    const char* names[] = {"Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"};
    const ParameterSet& parameters = setup.layer->parameters();
    for (std::size_t n = 0; n < 8; n++) {
      const int index = parameters.find(names[n]);
      CHECK((index < 0) == (want.weights.*tensors[n]).empty());
      if (index < 0) continue;
      const Numbers turned =
          testing::weight_of(setup, got.weights[static_cast<std::size_t>(index)], index);
      of_weights = std::max(
          of_weights, error_of_sums(turned, want.weights.*tensors[n], want.added_up.*tensors[n]));
    }
    CHECK(of_tokens <= 3e-6);
    CHECK(of_weights <= 3e-6);
    CHECK(of_rows <= 3e-6);
    CHECK(of_slopes <= 3e-6);
    tokens = std::max(tokens, of_tokens), weights = std::max(weights, of_weights);
    rows = std::max(rows, of_rows), slopes = std::max(slopes, of_slopes);
  }
  MESSAGE("largest errors: tokens " << tokens << ", weights " << weights << ", rows of an encoding "
                                    << rows << ", slopes " << slopes);
}

TEST_CASE("layer: gradients of the plain loops are those of differences") {
  double largest = 0;
  for (uint64_t seed = 0; seed < 40; seed++) {
    CAPTURE(seed);
    LayerSetup setup = LayerSetup::random(seed);
    reference::Layer r = setup.reference();
    const Numbers d_out(setup.d_out.begin(), setup.d_out.end());
    const auto g = reference::layer_backward(r, d_out);
    const auto loss = [&] {
      const Numbers out = reference::layer_forward(r).out;
      double sum = 0;
      for (std::size_t i = 0; i < out.size(); i++) sum += out[i] * d_out[i];
      return sum;
    };
    const auto check = [&](Numbers& values, const Numbers& gradient) {
      REQUIRE(values.size() == gradient.size());
      for (std::size_t n = 0; n < values.size(); n += std::max<std::size_t>(1, values.size() / 3)) {
        const double old = values[n];
        values[n] = old + 1e-5;
        const double above = loss();
        values[n] = old - 1e-5;
        const double below = loss();
        values[n] = old;
        const double error =
            std::abs((above - below) / 2e-5 - gradient[n]) / (1 + std::abs(gradient[n]));
        CHECK(error <= 1e-6);
        largest = std::max(largest, error);
      }
    };
    check(r.x, g.dx), check(r.context, g.d_context);
    check(r.x_rows, g.d_x_rows), check(r.context_rows, g.d_context_rows);
    check(r.weights.wq, g.weights.wq), check(r.weights.wk, g.weights.wk),
        check(r.weights.wv, g.weights.wv);
    check(r.weights.wo, g.weights.wo), check(r.weights.bq, g.weights.bq),
        check(r.weights.bk, g.weights.bk);
    check(r.weights.bv, g.weights.bv), check(r.weights.bo, g.weights.bo);
    if (!r.bias.empty()) check(r.bias, g.d_bias);
  }
  MESSAGE("largest difference " << largest);
}

}  // namespace
}  // namespace posenc
