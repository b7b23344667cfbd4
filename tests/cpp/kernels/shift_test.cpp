#include "posenc/kernels/shift.hpp"

#include <numeric>

#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using Floats = std::vector<float>;

Floats shifted(const Floats& x, int64_t rows, int64_t queries, int64_t keys, int64_t offset) {
  Floats out(static_cast<std::size_t>(queries * keys), 7);
  kernels::shift_rows(x.data(), rows, queries, keys, offset, out.data());
  return out;
}

// x and out [heads, ...] of a file; `valid` marks what the pad-and-reshape trick does not make up.
void check_golden(const std::string& name, int64_t offset) {
  const auto golden = testing::load_golden(name);
  const Shape &in = golden["x"].shape, &want = golden["out"].shape;
  const int64_t x_size = in[1] * in[2], out_size = want[1] * want[2];
  const bool some = golden.tensors.contains("valid");
  for (int64_t h = 0; h < in[0]; h++) {
    const float* x = golden["x"].floats.data() + h * x_size;
    const auto got = shifted({x, x + x_size}, in[2], in[1], want[2], offset);
    for (int64_t n = 0; n < out_size; n++) {
      if (some && golden["valid"].ints[static_cast<std::size_t>(n)] == 0) continue;
      CHECK(got[static_cast<std::size_t>(n)] ==
            golden["out"].floats[static_cast<std::size_t>(h * out_size + n)]);
    }
  }
}

TEST_CASE("shift: published implementations") {
  check_golden("transformer-xl--rel-shift-5x9", 5 - 1);
  check_golden("xlnet--rel-shift-bnij-5x8", 5);
  check_golden("relative-skew--masked-l6", 6 - 1);
  check_golden("relative-skew--unmasked-l5", 5 - 1);
}

TEST_CASE("shift: the end that stays is that of the farthest distance") {
  CHECK(shifted({1, 2, 3, 4, 5, 6, 7, 8}, 4, 2, 4, 1) == Floats{2, 3, 4, 0, 5, 6, 7, 8});
  CHECK(shifted({1, 2, 3, 4, 5, 6}, 3, 2, 3, 1) == Floats{2, 3, 0, 4, 5, 6});
}

TEST_CASE("shift: against a loop over j - i, and the gradient is its transpose") {
  for (const auto& [queries, keys] : testing::awkward_pairs({{1, 9}, {9, 1}, {33, 17}})) {
    for (int64_t rows : {int64_t{1}, int64_t{5}, keys, queries + keys - 1, int64_t{49}}) {
      for (int64_t offset : {int64_t{0}, int64_t{1}, queries - 1, queries, queries + 3}) {
        const auto x = testing::random_floats(static_cast<std::size_t>(queries * rows), 3);
        const auto d_out = testing::random_floats(static_cast<std::size_t>(queries * keys), 4);
        const auto out = shifted(x, rows, queries, keys, offset);
        Floats d_x(x.size(), 7);
        kernels::shift_rows_backward(d_out.data(), rows, queries, keys, offset, d_x.data());
        Floats want(out.size()), d_want(x.size());
        for (int64_t i = 0; i < queries; i++) {
          for (int64_t j = 0; j < keys; j++) {
            const int64_t row = j - i + offset;
            if (row < 0 || row >= rows) continue;
            want[static_cast<std::size_t>(i * keys + j)] =
                x[static_cast<std::size_t>(i * rows + row)];
            d_want[static_cast<std::size_t>(i * rows + row)] =
                d_out[static_cast<std::size_t>(i * keys + j)];
          }
        }
        CHECK(out == want);
        CHECK(d_x == d_want);
      }
    }
  }
}

}  // namespace
}  // namespace posenc
