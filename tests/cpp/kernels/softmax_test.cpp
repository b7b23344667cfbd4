#include "posenc/kernels/softmax.hpp"

#include <cmath>
#include <limits>

#include "posenc/kernels/masks.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::random_floats;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// 1 to more than two vectors, and a tile.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all = {64};
  for (int64_t count = 1; count <= 2 * testing::lanes() + 3; count++)
    all.push_back(static_cast<std::size_t>(count));
  return all;
}

// Weights and log-sum-exp of a row by the plain formula.
std::vector<double> softmax(const std::vector<float>& scores, double& lse) {
  double largest = -INFINITY, sum = 0;
  for (float s : scores) largest = std::max(largest, static_cast<double>(s));
  for (float s : scores) sum += std::exp(s - largest);
  lse = largest + std::log(sum);
  std::vector<double> weights;
  for (float s : scores) weights.push_back(std::exp(s - lse));
  return weights;
}

TEST_CASE("softmax: a row in pieces of any length") {
  for (std::size_t count : lengths()) {
    for (std::size_t piece : {1, 3, 4, 8, 13, 64}) {
      for (float size : {1.0F, 30.0F, 1e4F}) {
        CAPTURE(count);
        CAPTURE(piece);
        CAPTURE(size);
        const auto scores = random_floats(count, count + piece, -size, size);
        float largest = -kInfinity, sum = 0, factor = 0;
        std::vector<double> weights;
        for (std::size_t at = 0; at < count; at += piece) {
          std::vector<float> part(
              scores.begin() + static_cast<int64_t>(at),
              scores.begin() + static_cast<int64_t>(std::min(at + piece, count)));
          kernels::softmax_step(part.data(), 64, 1, static_cast<int64_t>(part.size()),
                                {&largest, &sum, &factor});
          for (double& weight : weights) weight *= factor;
          weights.insert(weights.end(), part.begin(), part.end());
        }
        for (double& weight : weights) weight /= sum;
        double lse = 0;
        check_close(weights, softmax(scores, lse), 5e-7, "weights");
        CHECK(std::abs(kernels::log_sum_exp(largest, sum) - lse) <= 1e-6 * (1 + std::abs(lse)));
      }
    }
  }
}

TEST_CASE("softmax: rows that see nothing, at first or at all") {
  float tile[2][4] = {{-kInfinity, -kInfinity, -kInfinity, -kInfinity},
                      {-kInfinity, 2, -kInfinity, 2}};
  float largest[2] = {-kInfinity, -kInfinity}, sum[2] = {}, factors[2] = {};
  kernels::softmax_step(tile[0], 4, 2, 4, {largest, sum, factors});
  for (float weight : tile[0]) CHECK(weight == 0);
  CHECK(std::isfinite(factors[0]));
  CHECK(kernels::log_sum_exp(largest[0], sum[0]) == -kInfinity);
  CHECK(tile[1][0] == 0);
  CHECK(tile[1][1] == 1);
  float later[2][4] = {{5, -kInfinity, -kInfinity, -kInfinity},
                       {-kInfinity, -kInfinity, -kInfinity, -kInfinity}};
  kernels::softmax_step(later[0], 4, 2, 4, {largest, sum, factors});
  CHECK(later[0][0] == 1);
  CHECK(sum[0] == 1);
  CHECK(factors[1] == 1);
  CHECK(sum[1] == 2);
  float mean[4] = {kNan, 1, 2, 3};
  kernels::weighted_mean(mean, 0, 4, mean);
  for (float value : mean) CHECK(value == 0);
}

TEST_CASE("softmax: scores of 1e30 and -1e30, and a NaN that is seen") {
  float row[5] = {1e30F, -1e30F, 1000, 1e30F, 0}, largest = -kInfinity, sum = 0, factor = 0;
  kernels::softmax_step(row, 5, 1, 5, {&largest, &sum, &factor});
  CHECK(row[0] == 1);
  CHECK(row[1] == 0);
  CHECK(row[2] == 0);
  CHECK(sum == 2);
  for (std::size_t at = 0; at < 5; at++) {
    float seen[5] = {1, 2, 3, 4, 5};
    seen[at] = kNan;
    largest = -kInfinity, sum = 0;
    kernels::softmax_step(seen, 5, 1, 5, {&largest, &sum, &factor});
    CHECK(std::isnan(sum));
  }
}

TEST_CASE("softcap: the value and its gradient") {
  for (std::size_t count : lengths()) {
    const auto x = random_floats(count, count, -100, 100), upstream = random_floats(count, 5);
    auto capped = x, gradient = upstream;
    kernels::softcap(capped.data(), static_cast<int64_t>(count), 30);
    kernels::softcap_backward(capped.data(), static_cast<int64_t>(count), 30, gradient.data());
    for (std::size_t i = 0; i < count; i++) {
      const double t = std::tanh(x[i] / 30.0);
      CHECK(std::abs(capped[i] - 30 * t) <= 30 * 4e-7);
      CHECK(std::abs(gradient[i] - upstream[i] * (1 - t * t)) <= 1e-6);
    }
  }
}

TEST_CASE("softcap: a gradient of 0 stays 0 beside a NaN") {
  float capped[] = {kNan, 1}, gradient[] = {0, 1};
  kernels::softcap_backward(capped, 2, 2, gradient);
  CHECK(gradient[0] == 0);
  CHECK(gradient[1] == 0.75F);
}

TEST_CASE("softmax: gradient of a row; a weight of 0 gives 0 whatever stands beside it") {
  const std::vector<float> weights = {0.5F, 0, 0.25F, 0.25F, 0};
  std::vector<float> gradient = {1, kNan, 2, -3, kInfinity};
  kernels::softmax_backward(weights.data(), 5, 0.25F, gradient.data());
  CHECK(gradient == std::vector<float>{0.375F, 0, 0.4375F, -0.8125F, 0});
}

TEST_CASE("softmax: exponentials, means and gradients of rows of every length") {
  for (std::size_t count : lengths()) {
    CAPTURE(count);
    const auto n = static_cast<int64_t>(count);
    const auto x = random_floats(count, count, -9, 0), upstream = random_floats(count, 3);
    auto weights = x, mean = x, gradient = upstream;
    const float sum = kernels::exp_shifted(weights.data(), n, 0.5F);
    kernels::weighted_mean(x.data(), sum, n, mean.data());
    kernels::softmax_backward(weights.data(), n, 0.25F, gradient.data());
    std::vector<double> exponentials, means, gradients;
    double total = 0;
    for (std::size_t i = 0; i < count; i++) {
      exponentials.push_back(std::exp(x[i] - 0.5));
      total += exponentials[i];
      gradients.push_back(exponentials[i] * (upstream[i] - 0.25));
    }
    for (float value : x) means.push_back(value / total);
    check_close(weights, exponentials, 3e-7, "exponentials");
    CHECK(std::abs(sum - total) <= 1e-6 * (1 + total));
    check_close(mean, means, 2e-6, "means");
    check_close(gradient, gradients, 5e-7, "gradients");
  }
}

TEST_CASE("all_finite, dot and largest at every length and place") {
  for (std::size_t count = 0; count <= 2 * 16 + 3; count++) {
    auto x = random_floats(count, 3);
    CHECK(kernels::all_finite(x.data(), static_cast<int64_t>(count)));
    double sum = 0;
    for (float value : x) sum += static_cast<double>(value) * value;
    CHECK(std::abs(kernels::dot(x.data(), x.data(), static_cast<int64_t>(count)) - sum) <=
          1e-6 * (1 + sum));
    for (std::size_t at = 0; at < count; at++) {
      auto y = x;
      y[at] = 5;
      CHECK(kernels::largest(y.data(), static_cast<int64_t>(count)) == 5);
      for (float odd : {kNan, kInfinity, -kInfinity}) {
        y[at] = odd;
        CHECK_FALSE(kernels::all_finite(y.data(), static_cast<int64_t>(count)));
      }
    }
  }
  CHECK(kernels::largest(nullptr, 0) == -kInfinity);
}

TEST_CASE("masks: hidden scores become -inf whatever they were; finite sums stay finite") {
  for (std::size_t count : lengths()) {
    for (std::size_t at = 0; at < count; at++) {
      const auto n = static_cast<int64_t>(count);
      std::vector<float> scores(count, 1);
      scores[at] = kNan;
      std::vector<uint8_t> seen(count, 1);
      CHECK_FALSE(kernels::hide_false(seen.data(), n, scores.data()));
      seen[at] = 0;
      CHECK(kernels::hide_false(seen.data(), n, scores.data()));
      CHECK(scores[at] == -kInfinity);

      scores[at] = kNan;
      std::vector<int32_t> segments(count, 3);
      CHECK_FALSE(kernels::hide_others(segments.data(), 3, n, scores.data()));
      segments[at] = 4;
      CHECK(kernels::hide_others(segments.data(), 3, n, scores.data()));
      CHECK(scores[at] == -kInfinity);

      const float lowest = std::numeric_limits<float>::lowest();
      std::vector<float> mask(count, 0.5F);
      scores.assign(count, 1);
      scores[at] = lowest;
      mask[at] = lowest;
      CHECK_FALSE(kernels::add_mask(mask.data(), n, scores.data()));
      CHECK(scores[at] == lowest);
      if (count > 1) CHECK(scores[at == 0 ? 1 : 0] == 1.5F);
      scores[at] = kNan;
      mask[at] = -kInfinity;
      CHECK(kernels::add_mask(mask.data(), n, scores.data()));
      CHECK(scores[at] == -kInfinity);
    }
  }
}

}  // namespace
}  // namespace posenc
