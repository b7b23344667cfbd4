// All options at random, forward, scores and backward, against the plain loops in double.
#include <algorithm>
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

// The largest score, by magnitude, that has a say. A float holds a score of 8 to within 5e-7 and
// larger ones less well; biases make them large where all keys that a query sees are far away.
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
    const double out_error = largest_difference(got.out, want.out),
                 lse_error = testing::largest_error(got.lse, want.lse);
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
  MESSAGE("largest errors: raw " << largest[0] << ", capped " << largest[1] << ", biased "
                                 << largest[2] << ", weights " << largest[3]);
}

// Gradients of slopes and of masks that rows share add up weight · (dP - delta), times the distance
// for slopes, and the differences cancel. Errors are relative to what is added up: 1 + the sum of
// weights (times distances).
struct AddedUp {
  std::vector<double> mask, slopes;
  double values = 1;  // the most that the weights of one key and value add up to: a key that all
                      // queries see has many
};

AddedUp added_up(const RandomSetup& setup) {
  const std::vector<double> weights = attention_scores(setup.reference()).weights;
  const reference::MaskRules mask = setup.rules();
  AddedUp sums{std::vector<double>(setup.additive.size(), 1),
               std::vector<double>(setup.slopes.size(), 1)};
  std::size_t n = 0;
  const int64_t group = setup.heads() / setup.kv_heads();
  std::vector<double> keys(static_cast<std::size_t>(setup.k_len));
  for (int64_t b = 0; b < setup.batch; b++) {
    for (int64_t h = 0; h < setup.heads(); h++) {
      if (h % group == 0) std::fill(keys.begin(), keys.end(), 0.0);
      for (int64_t i = 0; i < setup.q_len; i++) {
        for (int64_t j = 0; j < setup.k_len; j++, n++) {
          keys[static_cast<std::size_t>(j)] += weights[n];
          sums.values = std::max(sums.values, keys[static_cast<std::size_t>(j)]);
          const int64_t at = mask.additive ? mask_index(mask, b, h, i, j) : -1;
          if (at >= 0) sums.mask[static_cast<std::size_t>(at)] += weights[n];
          if (setup.slopes.empty()) continue;
          const double distance =
              std::abs(setup.position(true, b, i) - setup.position(false, b, j));
          sums.slopes[static_cast<std::size_t>(h)] += weights[n] * distance;
        }
      }
    }
  }
  return sums;
}

double error_relative_to(const std::vector<double>& sums, const std::vector<float>& got,
                         const std::vector<float>& want) {
  REQUIRE(got.size() <= sums.size());
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); i++) {
    const double error =
        std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i])) / sums[i];
    largest = std::isnan(error) ? INFINITY : std::max(largest, error);
  }
  return largest;
}

TEST_CASE("attention: gradients of random calls") {
  double largest[6] = {};
  for (uint64_t seed = 0; seed < kCalls; seed++) {
    CAPTURE(seed);
    RandomSetup setup(seed);
    const auto got = testing::run_backward(setup, testing::run_forward(setup));
    const auto want = testing::reference_backward(setup);
    const AddedUp sums = added_up(setup);
    const double errors[] = {
        testing::error_of_sums(got.dq, want.dq),
        testing::error_of_sums(got.dk, want.dk),
        largest_difference(got.dv, want.dv) / sums.values,
        error_relative_to(sums.mask, got.d_mask, want.d_mask),
        error_relative_to(sums.slopes, got.d_slopes, want.d_slopes),
        error_relative_to(
            std::vector<double>(got.d_sinks.size(), 1.0 + static_cast<double>(setup.q_len)),
            got.d_sinks, want.d_sinks)};
    for (std::size_t i = 0; i < 6; i++) {
      CHECK(errors[i] <= 2e-6);
      largest[i] = std::max(largest[i], errors[i]);
    }
  }
  MESSAGE("largest errors: dq " << largest[0] << ", dk " << largest[1] << ", dv " << largest[2]
                                << ", dMask " << largest[3] << ", slopes " << largest[4]
                                << ", sinks " << largest[5]);
}

}  // namespace
}  // namespace posenc
