// All options at random, forward, scores and backward, against the plain loops in double.
#include <cmath>
#include <numeric>

#include "attention/random_setup.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::RandomSetup;
constexpr uint64_t kCalls = 400;

double largest_difference(const auto& got, const auto& want) {
  double largest = got.size() == want.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < got.size() && i < want.size(); i++) {
    const auto a = static_cast<double>(got[i]), b = static_cast<double>(want[i]);
    if (a == b) continue;
    const double difference = std::abs(a - b);
    largest = std::isfinite(difference) ? std::max(largest, difference) : INFINITY;
  }
  return largest;
}

// The largest score, by magnitude, that has a say. A float holds a score of 8 to within 5e-7 and larger ones less
// well; biases make them large where all keys that a query sees are far away.
double largest_score(const reference::AttentionScores& scores) {
  double largest = 0;
  for (std::size_t n = 0; n < scores.weights.size(); n++) {
    if (scores.weights[n] > 1e-3) largest = std::max(largest, std::abs(scores.biased[n]));
  }
  return largest;
}

TEST_CASE("attention: outputs of random calls are within 5e-7 of the exact ones, scores up to 8") {
  double out = 0, lse = 0;
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    RandomSetup setup(seed);
    const auto got = testing::run_forward(setup);
    const auto want = attention_forward(setup.reference());
    const double scores = std::max(1.0, largest_score(attention_scores(setup.reference())) / 8);
    const double out_error = largest_difference(got.out, want.out), lse_error = testing::largest_error(got.lse, want.lse);
    CHECK(out_error <= 5e-7 * scores);
    CHECK(lse_error <= 5e-7);
    out = std::max(out, out_error / scores);
    lse = std::max(lse, lse_error);
    // What sees nothing is exactly zero.
    const std::size_t width = static_cast<std::size_t>(setup.value_dim());
    for (std::size_t row = 0; row < want.lse.size(); row++) {
      if (std::isfinite(want.lse[row])) continue;
      for (std::size_t c = 0; c < width; c++) CHECK(got.out[row * width + c] == 0);
    }
  }
  MESSAGE("largest error: out " << out << ", lse " << lse << " (relative to 1 + |lse|)");
}

TEST_CASE("attention: the four stages of random calls' scores") {
  double largest[4] = {};
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    RandomSetup setup(seed);
    const auto want = attention_scores(setup.reference());
    const std::vector<double>* stages[] = {&want.raw, &want.capped, &want.biased, &want.weights};
    for (std::size_t stage = 0; stage < 4; stage++) {
      // Angles by the length reached go by the keys that count, in every stage.
      const auto got = testing::run_scores(setup, static_cast<ScoreStage>(stage));
      const double error = testing::largest_error(got, *stages[stage]);
      CHECK_MESSAGE(error <= 1e-6, kScoreStageNames[stage]);
      largest[stage] = std::max(largest[stage], error);
    }
  }
  MESSAGE("largest errors: raw " << largest[0] << ", capped " << largest[1] << ", biased " << largest[2]
                                 << ", weights " << largest[3]);
}

TEST_CASE("attention: gradients of random calls") {
  double largest[4] = {};
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    RandomSetup setup(seed);
    const auto got = testing::run_backward(setup, testing::run_forward(setup));
    const auto want = testing::reference_backward(setup);
    const auto doubles = [](const std::vector<float>& x) { return std::vector<double>(x.begin(), x.end()); };
    const double errors[] = {testing::error_of_sums(got.dq, want.dq), testing::error_of_sums(got.dk, want.dk),
                             testing::error_of_sums(got.dv, want.dv),
                             testing::error_of_sums(doubles(got.d_mask), doubles(want.d_mask))};
    for (std::size_t i = 0; i < 4; i++) {
      CHECK(errors[i] <= 2e-6);
      largest[i] = std::max(largest[i], errors[i]);
    }
    if (!got.d_slopes.empty()) {
      // A slope's gradient adds up distances of up to 150 over all pairs.
      const double error = testing::error_of_sums(doubles(got.d_slopes), doubles(want.d_slopes));
      CHECK(error <= 5e-5);
    }
  }
  MESSAGE("largest errors: dq " << largest[0] << ", dk " << largest[1] << ", dv " << largest[2] << ", dMask "
                                << largest[3]);
}

}  // namespace
}  // namespace posenc
