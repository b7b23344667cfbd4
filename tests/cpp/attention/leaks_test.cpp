// What is hidden must not be felt: not as a weight, not as 0 · NaN, not in a gradient. And numbers
// at the ends of float.
#include <cmath>
#include <limits>

#include "attention/setup.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::Setup;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Hiding {
  const char* what;
  void (*hide)(Setup&);  // the keys from 40 on, for every query
};

// One way each to hide keys 40 to 79.
constexpr Hiding kHidings[] = {
    {"lengths", [](Setup& s) { s.lengths.assign(static_cast<std::size_t>(s.batch), 40); }},
    {"causal",
     [](Setup& s) {
       s.options.causal = Causal::kTopLeft;
       s.offsets.assign(static_cast<std::size_t>(s.batch), static_cast<int32_t>(40 - s.q_len));
     }},
    {"window",
     [](Setup& s) {
       s.options.window_right = 0;
       s.offsets.assign(static_cast<std::size_t>(s.batch), static_cast<int32_t>(40 - s.q_len));
     }},
    {"boolean",
     [](Setup& s) {
       s.mask_kind = AttentionMask::Kind::kBoolean;
       s.mask_shape = {s.k_len};
       for (int64_t j = 0; j < s.k_len; j++) s.boolean.push_back(j < 40);
     }},
    {"short boolean",
     [](Setup& s) {
       s.mask_kind = AttentionMask::Kind::kBoolean;
       s.mask_shape = {s.q_len, 40};
       s.boolean.assign(static_cast<std::size_t>(40 * s.q_len), 1);
     }},
    {"additive",
     [](Setup& s) {
       s.mask_kind = AttentionMask::Kind::kAdditive;
       s.mask_shape = {s.q_len, s.k_len};
       for (int64_t i = 0; i < s.q_len; i++) {
         for (int64_t j = 0; j < s.k_len; j++) s.additive.push_back(j < 40 ? 0.25F : -kInfinity);
       }
     }},
    {"segments",
     [](Setup& s) {
       s.query_segments.assign(static_cast<std::size_t>(s.batch * s.q_len), 1);
       for (int64_t b = 0; b < s.batch; b++) {
         for (int64_t j = 0; j < s.k_len; j++) s.key_segments.push_back(j < 40 ? 1 : 2);
       }
     }},
};

Setup plain_setup(int64_t q_len) {
  Setup setup;
  setup.options = {.heads = 2, .kv_heads = 1, .head_dim = 8, .value_dim = 6};
  setup.batch = 2, setup.q_len = q_len, setup.k_len = 80;
  setup.fill(17);
  return setup;
}

// Puts `odd` into the hidden keys and values.
void poison(Setup& setup, float odd) {
  for (int64_t b = 0; b < setup.batch; b++) {
    for (int64_t j = 40; j < 80; j++) {
      setup.k[static_cast<std::size_t>((b * 80 + j) * 8 + j % 8)] = odd;
      setup.v[static_cast<std::size_t>((b * 80 + j) * 6 + j % 6)] = odd;
    }
  }
}

TEST_CASE("attention: NaN and infinity in hidden keys and values change no bit of anything") {
  for (const Hiding& hiding : kHidings) {
    for (int64_t q_len : {1, 3, 6, 39}) {
      for (double softcap : {0.0, 2.0}) {
        CAPTURE(hiding.what);
        CAPTURE(q_len);
        Setup clean = plain_setup(q_len);
        clean.options.softcap = softcap;
        hiding.hide(clean);
        const auto output = testing::run_forward(clean);
        const auto gradient = testing::run_backward(clean, output);
        const auto weights = testing::run_scores(clean, ScoreStage::kWeights);
        const auto biased = testing::run_scores(clean, ScoreStage::kBiased);
        for (float odd : {kNan, kInfinity, -kInfinity}) {
          Setup dirty = clean;
          poison(dirty, odd);
          const auto same = testing::run_forward(dirty);
          CHECK(same.raw_out == output.raw_out);
          CHECK(same.lse == output.lse);
          CHECK(testing::run_scores(dirty, ScoreStage::kWeights) == weights);
          CHECK(testing::run_scores(dirty, ScoreStage::kBiased) == biased);
          const auto other = testing::run_backward(dirty, same);
          CHECK(other.dq == gradient.dq);
          CHECK(other.dk == gradient.dk);
          CHECK(other.dv == gradient.dv);
          CHECK(other.d_mask == gradient.d_mask);
          for (std::size_t n = 0; n < other.dk.size(); n++) {
            if (n / 8 % 80 >= 40) CHECK(other.dk[n] == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("attention: a NaN that one query sees stays with those that see it") {
  Setup setup = plain_setup(80);
  setup.options.causal = Causal::kTopLeft;
  setup.v[50 * 6] = kNan;
  setup.k[60 * 8] = kNan;
  const auto output = testing::run_forward(setup);
  for (int64_t i = 0; i < 80; i++) {
    CAPTURE(i);
    const std::size_t row = static_cast<std::size_t>(i) * 6;
    CHECK(std::isnan(output.out[row]) == (i >= 50));
    CHECK(std::isnan(output.out[row + 1]) == (i >= 60));
  }
  const auto gradient = testing::run_backward(setup, output);
  for (int64_t i = 0; i < 50; i++) {
    for (int64_t c = 0; c < 8; c++)
      CHECK(std::isfinite(gradient.dq[static_cast<std::size_t>(i * 8 + c)]));
  }
}

TEST_CASE("attention: rows that see nothing, whatever stands in their query and gradient") {
  for (int64_t q_len : {3, 20}) {
    Setup setup = plain_setup(q_len);
    setup.options.causal = Causal::kBottomRight;
    setup.lengths = {static_cast<int32_t>(q_len - 2),
                     0};  // place -2, so two rows see nothing; then all
    for (std::size_t n = 0; n < 16; n++) setup.q[n] = n % 2 == 0 ? kNan : kInfinity;
    for (std::size_t n = 0; n < 12; n++) setup.d_out[n] = kNan;
    const auto output = testing::run_forward(setup);
    const auto rows = static_cast<std::size_t>(q_len);
    for (std::size_t row = 0; row < 4 * rows; row++) {
      const bool empty = row % rows < 2 || row >= 2 * rows;
      CHECK((output.lse[row] == -kInfinity) == empty);
      if (empty) CHECK(output.out[row * 6] == 0);
    }
    const auto weights = testing::run_scores(setup, ScoreStage::kWeights);
    for (std::size_t n = 0; n < 160; n++) CHECK(weights[n] == 0);
    const auto gradient = testing::run_backward(setup, output);
    for (const auto* list : {&gradient.dq, &gradient.dk, &gradient.dv}) {
      for (double value : *list) CHECK(std::isfinite(value));
    }
    for (std::size_t n = 0; n < 16; n++) CHECK(gradient.dq[n] == 0);
  }
}

TEST_CASE("attention: scores that overflow a naive softmax") {
  const auto attend = [](std::vector<float> scores, int64_t q_len) {
    Setup setup;
    setup.options = {.heads = 1, .head_dim = 1, .scale = 1.0};
    setup.q_len = q_len, setup.k_len = static_cast<int64_t>(scores.size());
    setup.q.assign(static_cast<std::size_t>(q_len), 1);
    setup.k = scores;
    for (int64_t j = 0; j < setup.k_len; j++) setup.v.push_back(static_cast<float>(j));
    const auto output = testing::run_forward(setup);
    for (double value : output.out) CHECK(value == output.out[0]);
    return output.out[0];
  };
  for (int64_t q_len : {1, 9}) {
    CHECK(attend({1000, 1000}, q_len) == 0.5);
    CHECK(attend({1e30F, -1e30F}, q_len) == 0);
    CHECK(attend({-1e30F, 1e30F}, q_len) == 1);
    CHECK(attend({-1e30F, -1e30F}, q_len) == 0.5);
    CHECK(attend({151.29F, 0}, q_len) == 0);
    CHECK(attend({-3e38F, 3e38F, 0}, q_len) == 1);
  }
}

TEST_CASE("attention: a finite bias masks nothing, however negative") {
  for (int64_t q_len : {1, 7}) {
    Setup setup = plain_setup(q_len);
    setup.mask_kind = AttentionMask::Kind::kAdditive;
    setup.mask_shape = {1, 1};
    setup.k_len = 1;
    for (float bias : {-1e4F, -1e9F, -1e30F, std::numeric_limits<float>::lowest()}) {
      setup.additive = {bias};
      const auto output = testing::run_forward(setup);
      for (int64_t i = 0; i < q_len; i++)
        CHECK(output.out[static_cast<std::size_t>(6 * i)] == setup.v[0]);
      CHECK(std::isfinite(output.lse[0]));
    }
    // All keys alike: the row attends uniformly.
    setup.k_len = 2;
    setup.mask_shape = {2};
    setup.k.assign(setup.k.size(), 0);
    setup.additive = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()};
    CHECK(testing::run_scores(setup, ScoreStage::kWeights)[0] == 0.5F);
  }
}

}  // namespace
}  // namespace posenc
