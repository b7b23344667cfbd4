// What must not depend on how a call is cut up, laid out, or given its positions.
#include <algorithm>
#include <array>
#include <type_traits>

#include "attention/setup.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::Setup;

Setup wide_setup(BiasEncoding* bias) {
  Setup setup;
  setup.options = {.heads = 4, .kv_heads = 2, .head_dim = 20, .causal = Causal::kBottomRight};
  setup.batch = 3, setup.q_len = 70, setup.k_len = 90;
  setup.fill(5);
  setup.bias = bias;
  return setup;
}

DistanceBiasAdapter<Alibi> trained_alibi(int64_t heads) {
  AlibiOptions options{.heads = heads, .trainable = true};
  return DistanceBiasAdapter<Alibi>(std::move(*make<Alibi>(std::move(options))));
}

TEST_CASE("attention: one batch row alone gives the same bits, and both layouts do") {
  auto alibi = trained_alibi(4);
  Setup all = wide_setup(&alibi);
  const auto whole = testing::run_forward(all);
  const auto gradient = testing::run_backward(all, whole);
  for (std::size_t b = 0; b < 3; b++) {
    Setup one = all;
    one.batch = 1;
    const auto cut = [&](const std::vector<float>& x) {
      const auto size = static_cast<int64_t>(x.size() / 3), first = static_cast<int64_t>(b) * size;
      return std::vector<float>(x.begin() + first, x.begin() + first + size);
    };
    one.q = cut(all.q), one.k = cut(all.k), one.v = cut(all.v), one.d_out = cut(all.d_out);
    const auto output = testing::run_forward(one);
    CHECK(output.raw_out == cut(whole.raw_out));
    CHECK(output.lse == cut(whole.lse));
    const auto part = testing::run_backward(one, output);
    const auto size = static_cast<int64_t>(part.dq.size()), first = static_cast<int64_t>(b) * size;
    CHECK(part.dq ==
          std::vector<double>(gradient.dq.begin() + first, gradient.dq.begin() + first + size));
  }
  Setup packed = all;
  packed.packed = true;
  const auto turn = [&](const std::vector<float>& x, int64_t heads, int64_t seq, int64_t dim) {
    std::vector<float> result(x.size());
    const auto from = HeadRows<const float>::heads(x.data(), heads, seq, dim);
    const auto to = HeadRows<float>::packed(result.data(), heads, seq, dim);
    for (int64_t b = 0; b < 3; b++) {
      for (int64_t h = 0; h < heads; h++) {
        for (int64_t i = 0; i < seq; i++) std::copy_n(from.row(b, h, i), dim, to.row(b, h, i));
      }
    }
    return result;
  };
  packed.q = turn(all.q, 4, 70, 20), packed.k = turn(all.k, 2, 90, 20),
  packed.v = turn(all.v, 2, 90, 20);
  packed.d_out = turn(all.d_out, 4, 70, 20);
  const auto output = testing::run_forward(packed);
  CHECK(output.out == whole.out);
  const auto packed_gradient = testing::run_backward(packed, output);
  CHECK(packed_gradient.dq == gradient.dq);
  CHECK(packed_gradient.dk == gradient.dk);
  CHECK(packed_gradient.dv == gradient.dv);
}

TEST_CASE("attention: parameter gradients of each head add up to the whole, bit for bit") {
  auto alibi = trained_alibi(4);
  Setup setup = wide_setup(&alibi);
  const auto output = testing::run_forward(setup);
  const auto whole = testing::run_backward(setup, output);
  std::vector<float> parts(3 * 4 * 4);
  std::vector<Gradients> of(3 * 4);
  for (std::size_t n = 0; n < of.size(); n++) of[n].of[0] = parts.data() + 4 * n;
  AttentionGradients gradients;
  gradients.of = of;
  gradients.of_each_head = true;
  REQUIRE(setup.make()
              .backward(setup.inputs(),
                        HeadRows<const float>::heads(output.raw_out.data(), 4, 70, 20),
                        output.lse.data(),
                        HeadRows<const float>::heads(setup.d_out.data(), 4, 70, 20), gradients)
              .has_value());
  std::vector<float> sum(4);
  for (std::size_t n = 0; n < parts.size(); n++) sum[n % 4] += parts[n];
  CHECK(sum == whole.d_slopes);
}

TEST_CASE("attention: some heads alone give the bits that they have among all") {
  auto alibi = trained_alibi(4);
  for (const int64_t q_len : {2, 70}) {
    Setup all = wide_setup(&alibi);
    all.batch = 1, all.q_len = q_len;
    all.fill(7);
    const auto whole = testing::run_forward(all);
    const auto gradient = testing::run_backward(all, whole);
    AttentionInputs inputs = all.inputs();
    inputs.first_head = 2, inputs.head_count = 2;
    inputs.q = HeadRows<const float>::heads(all.q.data() + 2 * q_len * 20, 2, q_len, 20);
    inputs.k = HeadRows<const float>::heads(all.k.data() + 90 * 20, 1, 90, 20);
    inputs.v = HeadRows<const float>::heads(all.v.data() + 90 * 20, 1, 90, 20);
    const auto size = static_cast<std::size_t>(2 * q_len);
    std::vector<float> out(size * 20), lse(size), dq(size * 20), dk(90 * 20), d_slopes(2 * 4);
    const Attention attention = all.make();
    const auto rows = [&](auto* data) {
      return HeadRows<std::remove_pointer_t<decltype(data)>>::heads(data, 2, q_len, 20);
    };
    REQUIRE(attention.forward(inputs, {rows(out.data()), lse.data()}).has_value());
    CHECK(std::equal(out.begin(), out.end(), whole.raw_out.begin() + 2 * q_len * 20));
    CHECK(std::equal(lse.begin(), lse.end(), whole.lse.begin() + 2 * q_len));

    std::array<Gradients, 2> of;
    of[0].of[0] = d_slopes.data(), of[1].of[0] = d_slopes.data() + 4;
    AttentionGradients wanted;
    wanted.dq = rows(dq.data());
    wanted.dk = HeadRows<float>::heads(dk.data(), 1, 90, 20);
    wanted.of = of;
    wanted.of_each_head = true;
    const float* out_there = out.data();
    const float* d_out = all.d_out.data() + 2 * q_len * 20;
    REQUIRE(
        attention.backward(inputs, rows(out_there), lse.data(), rows(d_out), wanted).has_value());
    CHECK(std::equal(dq.begin(), dq.end(), gradient.dq.begin() + 2 * q_len * 20));
    CHECK(std::equal(dk.begin(), dk.end(), gradient.dk.begin() + 90 * 20));
    CHECK(d_slopes[2] == static_cast<float>(gradient.d_slopes[2]));
    CHECK(d_slopes[7] == static_cast<float>(gradient.d_slopes[3]));

    inputs.first_head = 1;
    CHECK(attention.check(inputs).error().code() == ErrorCode::kOutOfRange);
  }
}

TEST_CASE("attention: contiguous and given positions give the same bits") {
  auto alibi = trained_alibi(4);
  const testing::PlainRotary rotary(20, 12, PairLayout::kHalf);
  Setup setup = wide_setup(&alibi);
  setup.rotary = &rotary;
  const auto contiguous = testing::run_forward(setup);
  for (auto* positions : {&setup.q_positions, &setup.k_positions}) positions->emplace_back();
  for (int i = 0; i < 70; i++) setup.q_positions[0].push_back(20 + i);
  for (int j = 0; j < 90; j++) setup.k_positions[0].push_back(j);
  CHECK(testing::run_forward(setup).raw_out == contiguous.raw_out);
}

}  // namespace
}  // namespace posenc
