// The plain loops' own gradient against finite differences of their forward pass.
#include <cmath>

#include "reference/relative/terms.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

std::vector<double> random_doubles(std::size_t count, uint64_t seed) {
  const auto floats = testing::random_floats(count, seed);
  return {floats.begin(), floats.end()};
}

TEST_CASE("relative: the plain backward pass against finite differences") {
  reference::RelativeAttention r;
  r.attention = {.batch = 2,
                 .heads = 4,
                 .kv_heads = 2,
                 .q_len = 3,
                 .k_len = 5,
                 .head_dim = 2,
                 .value_dim = 3,
                 .scale = 0.7,
                 .softcap = 1.3,
                 .q = random_doubles(48, 1),
                 .k = random_doubles(40, 2),
                 .v = random_doubles(60, 3),
                 .bias = random_doubles(120, 4),
                 .visible = {}};
  for (std::size_t n = 0; n < 120; n++) r.attention.visible.push_back(n % 7 != 3 && n / 5 != 4);
  std::vector<int64_t> index;
  for (int64_t n = 0; n < 15; n++) index.push_back(n * 7 % 4);
  using reference::Side;
  r.terms = {{Side::kQuery, 4, random_doubles(32, 5), random_doubles(16, 6), index, 0.7,
              random_doubles(8, 11)},
             {Side::kKey, 4, random_doubles(32, 7), {}, index, 1.1, {}},
             {Side::kValue, 4, random_doubles(48, 8), {}, index, 1, {}},
             {Side::kQuery, 4, random_doubles(32, 12), {}, index, 0.9, {}}};
  r.offset = random_doubles(8, 9);
  const std::vector<double> d_out = random_doubles(72, 10);
  const auto loss = [&] {
    const auto result = relative_forward(r);
    double sum = 0;
    for (std::size_t n = 0; n < d_out.size(); n++) sum += d_out[n] * result.out[n];
    return sum;
  };
  const auto gradient = relative_backward(r, d_out);
  const auto check = [&](std::vector<double>& x, const std::vector<double>& dx) {
    REQUIRE(x.size() == dx.size());
    for (std::size_t n = 0; n < x.size(); n++) {
      const double kept = x[n], step = 1e-5;
      x[n] = kept + step;
      const double above = loss();
      x[n] = kept - step;
      const double below = loss();
      x[n] = kept;
      CHECK(std::abs((above - below) / (2 * step) - dx[n]) <= 1e-9);
    }
  };
  check(r.attention.q, gradient.dq);
  check(r.attention.k, gradient.dk);
  check(r.attention.v, gradient.dv);
  check(r.offset, gradient.d_offset);
  for (std::size_t t = 0; t < 4; t++) check(r.terms[t].rows, gradient.d_rows[t]);
  check(r.terms[0].bias, gradient.d_bias[0]);
  check(r.terms[0].offset, gradient.d_term_offset[0]);
}

}  // namespace
}  // namespace posenc
