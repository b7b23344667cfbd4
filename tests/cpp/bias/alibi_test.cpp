#include "posenc/bias/alibi.hpp"

#include "reference/bias/alibi.hpp"
#include "support/bias.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::counted;
using testing::written_out;

std::vector<float> slopes_of(AlibiOptions options) {
  std::vector<float> slopes(static_cast<std::size_t>(options.heads));
  alibi_slopes(options, slopes);
  return slopes;
}

DistanceBiasAdapter<Alibi> adapted(AlibiOptions options) {
  return testing::adapted<Alibi>(options);
}

TEST_CASE("alibi: slopes of the authors' code") {
  const auto golden = testing::load_golden("alibi--slopes-1-2-3-8-12-16");
  for (int64_t heads : {1, 2, 3, 8, 12, 16}) {
    CAPTURE(heads);
    check_close(slopes_of({.heads = heads}), golden["slopes_" + std::to_string(heads)].floats, 1e-7,
                "slopes");
  }
  for (int64_t heads = 1; heads <= 70; heads++) {
    CAPTURE(heads);
    check_close(slopes_of({.heads = heads}), reference::alibi_slopes(heads), 1e-7, "slopes");
  }
}

TEST_CASE("alibi: head counts that are no power of two, by each rule") {
  check_close(slopes_of({.heads = 6}), std::vector{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125},
              1e-7, "press");
  check_close(slopes_of({.heads = 3}), std::vector{0.0625, 0.00390625, 0.25}, 1e-7, "press");
  const auto power = slopes_of({.heads = 6, .slopes = AlibiSlopes::kPower});
  CHECK(power[0] == doctest::Approx(0.39685).epsilon(1e-5));
  const auto golden = testing::load_golden("alibi--mpt-h12-l9");
  check_close(slopes_of({.heads = 12, .slopes = AlibiSlopes::kMpt}), golden["slopes"].floats, 1e-7,
              "mpt");
  // biasMax 16 over 6 heads: of the 8 slopes 4^-(i+1), places 1, 3, 5, 7, 0, 2.
  check_close(slopes_of({.heads = 6, .slopes = AlibiSlopes::kMpt, .bias_max = 16}),
              std::vector{0.0625, 0.00390625, 0.000244140625, 0.0000152587890625, 0.25, 0.015625},
              1e-7, "mpt 16");
}

TEST_CASE("alibi: one query after four cached keys sees -4, -3, -2, -1, 0 times its slope") {
  const auto bias = adapted({.heads = 1});
  const auto out = written_out(bias, Positions::range(4, 1), Positions::range(0, 5), 64);
  const double slope = bias.parameters().values("slopes")[0];
  for (int j = 0; j < 5; j++)
    CHECK(out[static_cast<std::size_t>(j)] == static_cast<float>(slope * (j - 4)));
}

TEST_CASE(
    "alibi: tiles, contiguous and given positions give the same bits, and match the plain loop") {
  for (AlibiSides sides : {AlibiSides::kCausal, AlibiSides::kSymmetric, AlibiSides::kTwo}) {
    for (const auto& [queries, keys] :
         testing::awkward_pairs({{0, 3}, {1, 9}, {7, 3}, {13, 13}, {66, 130}, {5, 300}})) {
      CAPTURE(queries);
      CAPTURE(keys);
      auto bias = adapted({.heads = 3, .sides = sides});
      if (sides == AlibiSides::kTwo) {
        REQUIRE(bias.parameters().set("slopesAhead", std::vector{0.5F, 0.25F, 2.0F}).has_value());
      }
      const auto query = counted(17, queries), key = counted(-3, keys);
      const auto contiguous =
          written_out(bias, Positions::range(17, queries), Positions::range(-3, keys), 64);
      CHECK(written_out(bias, Positions::array(query.data(), queries),
                        Positions::array(key.data(), keys), 64) == contiguous);
      CHECK(written_out(bias, Positions::range(17, queries), Positions::range(-3, keys), 7) ==
            contiguous);
      std::vector<double> want;
      for (int h = 0; h < 3; h++) {
        const double behind = bias.parameters().values("slopes")[h];
        double ahead = -behind;
        if (sides == AlibiSides::kSymmetric) ahead = behind;
        if (sides == AlibiSides::kTwo) ahead = bias.parameters().values("slopesAhead")[h];
        const auto one = reference::alibi_bias(behind, ahead, query, key);
        want.insert(want.end(), one.begin(), one.end());
      }
      check_close(contiguous, want, 1e-7, "bias");
    }
  }
}

TEST_CASE("alibi: gradients of the slopes through tiles") {
  for (const auto& [queries, keys] : testing::awkward_pairs({{21, 34}, {70, 130}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    const auto size = static_cast<std::ptrdiff_t>(queries * keys);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(2 * size), 7);
    const auto query = counted(5, queries), key = counted(0, keys);
    const auto given_q = Positions::array(query.data(), queries),
               given_k = Positions::array(key.data(), keys);
    std::vector<reference::AlibiGradient> want;
    for (std::ptrdiff_t h = 0; h < 2; h++) {
      const auto first = d_bias.begin() + h * size;
      want.push_back(reference::alibi_backward({first, first + size}, query, key));
    }
    for (AlibiSides sides : {AlibiSides::kCausal, AlibiSides::kSymmetric, AlibiSides::kTwo}) {
      std::vector<double> slopes, ahead;
      for (const auto& of : want) {
        slopes.push_back(of.behind);
        if (sides == AlibiSides::kCausal) slopes.back() -= of.ahead;
        if (sides == AlibiSides::kSymmetric) slopes.back() += of.ahead;
        ahead.push_back(of.ahead);
      }
      const auto bias = adapted({.heads = 2, .sides = sides, .trainable = true});
      for (const auto& got : {testing::taken_back(bias, Positions::range(5, queries),
                                                  Positions::range(0, keys), d_bias),
                              testing::taken_back(bias, given_q, given_k, d_bias, 16)}) {
        testing::check_sums(got[0], slopes, 2e-6, "slopes");
        if (sides == AlibiSides::kTwo) testing::check_sums(got[1], ahead, 2e-6, "slopesAhead");
      }
    }
  }
}

TEST_CASE("alibi: the plain gradient against finite differences") {
  const auto query = counted(2, 5), key = counted(0, 7);
  const auto d_bias = testing::widened(testing::random_floats(35, 3));
  const auto [behind, ahead] = reference::alibi_backward(d_bias, query, key);
  const auto loss = [&](const std::vector<double>& at) {
    return testing::product(reference::alibi_bias(at[0], at[1], query, key), d_bias);
  };
  testing::check_gradient({behind, ahead}, {0.5, -0.25}, loss, "slopes");
}

TEST_CASE("alibi: biases of published implementations") {
  const auto lucidrains = testing::load_golden("alibi--xtransformers-symmetric-h12-l9");
  check_close(written_out(adapted({.heads = 12, .sides = AlibiSides::kSymmetric}),
                          Positions::range(0, 9), Positions::range(0, 9), 64),
              lucidrains["bias"].floats, testing::golden_bound(lucidrains.tolerance),
              lucidrains.name);
  const auto mpt = testing::load_golden("alibi--mpt-h12-l9");  // relative to the last position
  check_close(written_out(adapted({.heads = 12, .slopes = AlibiSlopes::kMpt}),
                          Positions::range(8, 1), Positions::range(0, 9), 64),
              mpt["bias"].floats, testing::golden_bound(mpt.tolerance), mpt.name);
}

TEST_CASE("alibi: refused options") {
  testing::check_error(make<Alibi>({.heads = 0}).error(), ErrorCode::kOutOfRange, "heads");
  testing::check_error(make<Alibi>({.heads = 4, .bias_max = -1}).error(), ErrorCode::kOutOfRange,
                       "biasMax");
  testing::check_error(make<Alibi>({.heads = 4, .bias_max = NAN}).error(), ErrorCode::kOutOfRange,
                       "biasMax");
}

}  // namespace
}  // namespace posenc
