// Awkward sizes against the plain loops.
#include <algorithm>
#include <cmath>

#include "attention/setup.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::Setup;

TEST_CASE("attention: queries and keys of awkward number, all widths") {
  double largest = 0;
  for (int64_t q_len : {0, 1, 2, 3, 5, 63, 64, 65, 130}) {
    for (int64_t k_len : {0, 1, 2, 3, 63, 64, 65, 130}) {
      Setup setup;
      setup.options = {
          .heads = 2, .kv_heads = 1, .head_dim = 8, .value_dim = 5, .causal = Causal::kBottomRight};
      setup.q_len = q_len, setup.k_len = k_len;
      setup.fill(static_cast<uint64_t>(1000 * q_len + k_len));
      CAPTURE(q_len);
      CAPTURE(k_len);
      const auto got = testing::run_forward(setup);
      const double error =
          testing::largest_error(got.out, attention_forward(setup.reference()).out);
      CHECK(error <= 5e-7);
      largest = std::max(largest, error);
      const auto gradient = testing::run_backward(setup, got),
                 want = testing::reference_backward(setup);
      CHECK(testing::error_of_sums(gradient.dq, want.dq) <= 2e-6);
      CHECK(testing::error_of_sums(gradient.dk, want.dk) <= 2e-6);
      CHECK(testing::error_of_sums(gradient.dv, want.dv) <= 2e-6);
    }
  }
  for (int64_t dim : {1, 2, 3, 5, 8, 20, 64, 80, 100, 128}) {
    for (int64_t value_dim : {dim, int64_t{3}, int64_t{72}}) {
      for (int64_t q_len : {1, 70}) {
        Setup setup;
        setup.options = {.heads = 3, .head_dim = dim, .value_dim = value_dim};
        setup.q_len = q_len, setup.k_len = 100;
        setup.fill(static_cast<uint64_t>(dim));
        CAPTURE(dim);
        CAPTURE(value_dim);
        const double error = testing::largest_error(testing::run_forward(setup).out,
                                                    attention_forward(setup.reference()).out);
        CHECK(error <= 5e-7);
        largest = std::max(largest, error);
      }
    }
  }
  MESSAGE("largest error " << largest);
}

TEST_CASE("attention: few queries by many keys, of which whole tiles are hidden and hold NaN") {
  const auto seen = [](int64_t j) { return j / 64 != 2 && !(j >= 512 && j < 1024) && j % 5 != 0; };
  for (int64_t q_len : {1, 3, 4}) {
    for (int64_t k_len : {511, 512, 513, 1100, 1537}) {
      for (const auto& [dim, value_dim] : testing::awkward_pairs({{20, 12}})) {
        Setup setup;
        setup.options = {.heads = 4, .kv_heads = 2, .head_dim = dim, .value_dim = value_dim};
        setup.q_len = q_len, setup.k_len = k_len;
        setup.fill(static_cast<uint64_t>(q_len + k_len));
        setup.mask_kind = AttentionMask::Kind::kBoolean;
        setup.mask_shape = {k_len};
        for (int64_t j = 0; j < k_len; j++) setup.boolean.push_back(seen(j));
        CAPTURE(q_len);
        CAPTURE(k_len);
        const auto want = attention_forward(setup.reference());
        for (int64_t row = 0; row < 2 * k_len; row++) {
          if (seen(row % k_len)) continue;
          std::fill_n(setup.k.begin() + row * dim, dim, NAN);
          std::fill_n(setup.v.begin() + row * value_dim, value_dim, NAN);
        }
        const auto got = testing::run_forward(setup);
        CHECK(testing::largest_error(got.out, want.out) <= 5e-7);
        CHECK(testing::largest_error(got.lse, want.lse) <= 5e-7);
      }
    }
  }
}

TEST_CASE("attention: widths and lengths around that of a vector, forward and backward") {
  for (const auto& [dim, value_dim] : testing::awkward_pairs()) {
    for (const auto& [q_len, k_len] : testing::awkward_pairs()) {
      Setup setup;
      setup.options = {.heads = 2,
                       .kv_heads = 1,
                       .head_dim = dim,
                       .value_dim = value_dim,
                       .causal = Causal::kBottomRight,
                       .softcap = 1.5};
      setup.q_len = q_len, setup.k_len = k_len;
      setup.packed = dim == value_dim;
      setup.fill(static_cast<uint64_t>(100 * dim + q_len));
      CAPTURE(dim);
      CAPTURE(value_dim);
      CAPTURE(q_len);
      CAPTURE(k_len);
      const auto got = testing::run_forward(setup);
      const auto want = attention_forward(setup.reference());
      CHECK(testing::largest_error(got.out, want.out) <= 5e-7);
      CHECK(testing::largest_error(got.lse, want.lse) <= 5e-7);
      const auto gradient = testing::run_backward(setup, got),
                 d_want = testing::reference_backward(setup);
      CHECK(testing::error_of_sums(gradient.dq, d_want.dq) <= 2e-6);
      CHECK(testing::error_of_sums(gradient.dk, d_want.dk) <= 2e-6);
      CHECK(testing::error_of_sums(gradient.dv, d_want.dv) <= 2e-6);
    }
  }
}

}  // namespace
}  // namespace posenc
