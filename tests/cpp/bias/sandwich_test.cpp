#include "posenc/bias/sandwich.hpp"

#include "posenc/input/sinusoidal.hpp"
#include "reference/bias/sandwich.hpp"
#include "support/bias.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::counted;
using testing::written_out;

TEST_CASE("sandwich: closed form") {
  // Two cosines of frequencies 1/100 and 1/10000, two heads divided by 4 and by 8.
  const auto bias = adapted<Sandwich>({.heads = 2, .dim = 4});
  const auto out = written_out(bias, Positions::range(3, 1), Positions::range(0, 5));
  for (int j = 0; j < 5; j++) {
    const double d = 3 - j, sum = std::cos(d / 100) + std::cos(d / 10000) - 2;
    CHECK(std::abs(out[static_cast<std::size_t>(j)] - sum / 4) < 1e-7);
    CHECK(std::abs(out[static_cast<std::size_t>(5 + j)] - sum / 8) < 1e-7);
  }
  CHECK(out[3] == 0);
}

TEST_CASE("sandwich: the product of two sinusoidal rows") {
  Sinusoidal rows = std::move(*make<Sinusoidal>({.dim = 32}));
  std::vector<float> row(32 * 40);
  rows.encode(Positions::range(0, 40), row.data());
  std::vector<double> want;
  for (std::size_t j = 0; j < 40; j++) {
    double sum = 0;
    for (std::size_t c = 0; c < 32; c++)
      sum += static_cast<double>(row[39 * 32 + c]) * row[j * 32 + c];
    want.push_back(sum / 8);
  }
  const auto bias = adapted<Sandwich>({.heads = 1, .dim = 32, .first_index = 0, .centered = false});
  check_close(written_out(bias, Positions::range(39, 1), Positions::range(0, 40)), want, 1e-6,
              "product");
}

TEST_CASE(
    "sandwich: tiles, contiguous and given positions give the same bits, and match the plain "
    "loop") {
  for (const SandwichOptions& options :
       {SandwichOptions{.heads = 3},
        SandwichOptions{.heads = 2, .dim = 2, .base = 7, .first_index = 0},
        SandwichOptions{.heads = 1, .dim = 150, .centered = false}}) {
    const auto bias = adapted<Sandwich>(options);
    const reference::Sandwich plain{options.heads, options.dim, options.base, options.first_index,
                                    options.centered};
    for (const auto& [queries, keys] :
         testing::awkward_pairs({{0, 3}, {1, 9}, {7, 3}, {17, 13}, {66, 130}})) {
      const auto query = counted(17, queries), key = counted(-3, keys);
      const Positions q = Positions::range(17, queries), k = Positions::range(-3, keys);
      const auto contiguous = written_out(bias, q, k);
      CHECK(written_out(bias, Positions::array(query.data(), queries),
                        Positions::array(key.data(), keys)) == contiguous);
      CHECK(written_out(bias, q, k, 7) == contiguous);
      check_close(contiguous, reference::sandwich_bias(plain, query, key), 1e-6, "bias");
    }
    const std::vector<double> query{0}, far{-1e6, 0x1p24, 123456.5};
    check_close(
        written_out(bias, Positions::array(query.data(), 1), Positions::array(far.data(), 3)),
        reference::sandwich_bias(plain, query, far), 2e-6, "far");
  }
}

TEST_CASE("sandwich: refused options") {
  testing::check_error(make<Sandwich>({.heads = 0}).error(), ErrorCode::kOutOfRange, "heads");
  testing::check_error(make<Sandwich>({.heads = 1, .dim = 7}).error(), ErrorCode::kOutOfRange,
                       "dim");
  testing::check_error(make<Sandwich>({.heads = 1, .base = 0}).error(), ErrorCode::kOutOfRange,
                       "base");
}

}  // namespace
}  // namespace posenc
