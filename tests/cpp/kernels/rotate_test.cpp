#include "posenc/kernels/rotate.hpp"

#include <cmath>

#include "posenc/kernels/simd.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using kernels::RotateRows;
using testing::random_floats;

struct Setup {
  int64_t rows, pairs, extra;
  int64_t dim() const { return 2 * pairs + extra; }
  std::size_t size() const { return static_cast<std::size_t>(rows * dim()); }
};

// One row after the other, one pair after the other.
std::vector<float> plain(const Setup& setup, const std::vector<float>& x,
                         const std::vector<float>& cos, const std::vector<float>& sin,
                         bool interleaved, int64_t factor_stride) {
  std::vector<float> out = x;
  for (int64_t row = 0; row < setup.rows; row++) {
    for (int64_t m = 0; m < setup.pairs; m++) {
      const auto first = static_cast<std::size_t>(row * setup.dim() + (interleaved ? 2 * m : m));
      const auto second = first + static_cast<std::size_t>(interleaved ? 1 : setup.pairs);
      const auto factor = static_cast<std::size_t>(row * factor_stride + m);
      out[first] = x[first] * cos[factor] - x[second] * sin[factor];
      out[second] = x[second] * cos[factor] + x[first] * sin[factor];
    }
  }
  return out;
}

void turn(const RotateRows& task, bool interleaved) {
  if (interleaved)
    kernels::rotate_interleaved(task);
  else
    kernels::rotate_half(task);
}

TEST_CASE(
    "rotate: every width, in both layouts, in place and not, equals the plain loop to the last "
    "bit") {
  for (int64_t pairs = 0; pairs <= 2 * simd::kLanes + 3; pairs++) {
    for (int64_t extra : {0, 1, 7}) {
      for (bool interleaved : {false, true}) {
        CAPTURE(pairs);
        CAPTURE(extra);
        CAPTURE(interleaved);
        const Setup setup{3, pairs, extra};
        const auto x = random_floats(setup.size(), 1);
        const auto cos = random_floats(static_cast<std::size_t>(3 * pairs), 2),
                   sin = random_floats(cos.size(), 3);
        const auto want = plain(setup, x, cos, sin, interleaved, pairs);
        std::vector<float> out(x.size(), NAN);
        RotateRows task = {x.data(),    setup.dim(), out.data(), setup.dim(), 3,
                           setup.dim(), cos.data(),  sin.data(), pairs,       pairs};
        turn(task, interleaved);
        CHECK(out == want);
        std::vector<float> same = x;
        task.x = same.data();
        task.out = same.data();
        turn(task, interleaved);
        CHECK(same == want);
      }
    }
  }
}

TEST_CASE("rotate: rows lie apart, and may share their factors") {
  for (bool interleaved : {false, true}) {
    const Setup setup{4, 6, 2};
    const auto x = random_floats(setup.size(), 4), cos = random_floats(6, 5),
               sin = random_floats(6, 6);
    const auto want = plain(setup, x, cos, sin, interleaved, 0);
    constexpr int64_t kStride = 21;
    std::vector<float> apart(4 * kStride, 9.0F), out(4 * kStride, 9.0F);
    for (std::size_t i = 0; i < x.size(); i++) apart[i / 14 * kStride + i % 14] = x[i];
    turn({apart.data(), kStride, out.data(), kStride, 4, setup.dim(), cos.data(), sin.data(), 0, 6},
         interleaved);
    for (std::size_t i = 0; i < out.size(); i++) {
      const std::size_t row = i / kStride, column = i % kStride;
      CHECK(out[i] == (column < 14 ? want[row * 14 + column] : 9.0F));
    }
  }
}

TEST_CASE("rotate: heads share the factors of their rows, whatever their number") {
  constexpr int64_t kRows = 3, kApart = 5;  // floats between heads, which stay
  for (bool interleaved : {false, true}) {
    for (int64_t pairs : {simd::kLanes - 1, 2 * simd::kLanes + 3}) {
      for (int64_t heads = 0; heads <= 5; heads++) {
        CAPTURE(interleaved);
        CAPTURE(pairs);
        CAPTURE(heads);
        const Setup head{kRows, pairs, 2};
        const auto size = static_cast<int64_t>(head.size()), stride = size + kApart;
        const auto x = random_floats(static_cast<std::size_t>(heads * stride), 9);
        const auto cos = random_floats(static_cast<std::size_t>(kRows * pairs), 10),
                   sin = random_floats(cos.size(), 11);
        std::vector<float> want(x.size(), 9.0F), out = want, same = x;
        for (int64_t h = 0; h < heads; h++) {
          const auto turned = plain(head, {x.begin() + h * stride, x.begin() + h * stride + size},
                                    cos, sin, interleaved, pairs);
          std::copy(turned.begin(), turned.end(), want.begin() + h * stride);
        }
        RotateRows task = {x.data(),   head.dim(), out.data(), head.dim(), kRows,
                           head.dim(), cos.data(), sin.data(), pairs,      pairs,
                           heads,      stride,     stride};
        turn(task, interleaved);
        CHECK(out == want);
        task.x = task.out = same.data();
        turn(task, interleaved);
        for (int64_t h = 0; h < heads; h++) {
          std::copy_n(x.begin() + h * stride + size, kApart, want.begin() + h * stride + size);
        }
        CHECK(same == want);
      }
    }
  }
}

TEST_CASE("rotate: factors of the inverse and of the transpose") {
  for (int64_t count = 0; count <= 2 * simd::kLanes + 3; count++) {
    CAPTURE(count);
    const auto cos = random_floats(static_cast<std::size_t>(count), 7, 0.5, 2),
               sin = random_floats(cos.size(), 8);
    auto inverse_cos = cos, inverse_sin = sin, transposed = sin;
    kernels::invert_factors(inverse_cos.data(), inverse_sin.data(), count);
    kernels::transpose_factors(transposed.data(), count);
    std::vector<double> diagonal, corner;
    for (std::size_t i = 0; i < cos.size(); i++) {
      CHECK(transposed[i] == -sin[i]);
      diagonal.push_back(static_cast<double>(cos[i]) * inverse_cos[i] -
                         static_cast<double>(sin[i]) * inverse_sin[i]);
      corner.push_back(static_cast<double>(sin[i]) * inverse_cos[i] +
                       static_cast<double>(cos[i]) * inverse_sin[i]);
    }
    testing::check_close(diagonal, std::vector<double>(cos.size(), 1), 2e-7,
                         "product with the inverse");
    testing::check_close(corner, std::vector<double>(cos.size(), 0), 2e-7,
                         "product with the inverse");
  }
}

}  // namespace
}  // namespace posenc
