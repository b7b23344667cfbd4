// The plain loops' own gradient against finite differences of their forward pass.
#include <cmath>

#include "reference/attention/attention.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

std::vector<double> random_doubles(std::size_t count, uint64_t seed) {
  const auto floats = testing::random_floats(count, seed);
  return {floats.begin(), floats.end()};
}

TEST_CASE("attention: the plain backward pass against finite differences") {
  reference::Attention a{.batch = 2,
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
  for (std::size_t n = 0; n < 120; n++) a.visible.push_back(n % 7 != 3 && n / 5 != 4);
  const std::vector<double> d_out = random_doubles(72, 5);
  const auto loss = [&] {
    const auto result = attention_forward(a);
    double sum = 0;
    for (std::size_t n = 0; n < d_out.size(); n++) sum += d_out[n] * result.out[n];
    return sum;
  };
  const auto gradient = attention_backward(a, d_out);
  const auto check = [&](std::vector<double>& x, const std::vector<double>& dx) {
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
  check(a.q, gradient.dq);
  check(a.k, gradient.dk);
  check(a.v, gradient.dv);
  check(a.bias, gradient.d_bias);
}

}  // namespace
}  // namespace posenc
