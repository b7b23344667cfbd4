#include "posenc/kernels/matmul.hpp"

#include <cmath>

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using kernels::Matrix;
using testing::random_floats;
using Floats = std::vector<float>;

std::size_t size_of(int64_t a, int64_t b) { return static_cast<std::size_t>(a * b); }

struct Operands {
  kernels::MatmulSize size;
  bool a_turned, b_turned;  // stored the other way round
  Floats a, b, bias;

  Operands(const kernels::MatmulSize& s, bool a_t, bool b_t)
      : size(s), a_turned(a_t), b_turned(b_t), a(random_floats(size_of(s.rows, s.depth), 1)),
        b(random_floats(size_of(s.depth, s.columns), 2)),
        bias(random_floats(size_of(s.columns, 1), 3)) {}

  Matrix left() const {
    return a_turned ? Matrix::rows(a.data(), size.rows).transposed()
                    : Matrix::rows(a.data(), size.depth);
  }
  Matrix right() const {
    return b_turned ? Matrix::rows(b.data(), size.depth).transposed()
                    : Matrix::rows(b.data(), size.columns);
  }
  // The largest error relative to what the sum adds up.
  double error(const Floats& c) const {
    const Matrix x = left(), y = right();
    double largest = 0;
    for (int64_t i = 0; i < size.rows; i++) {
      for (int64_t j = 0; j < size.columns; j++) {
        double sum = bias[static_cast<std::size_t>(j)], terms = std::abs(sum);
        for (int64_t k = 0; k < size.depth; k++) {
          const double term = static_cast<double>(x.data[i * x.row_stride + k * x.column_stride]) *
                              y.data[k * y.row_stride + j * y.column_stride];
          sum += term, terms += std::abs(term);
        }
        const double got = c[size_of(i, size.columns) + static_cast<std::size_t>(j)];
        largest = std::max(largest, std::abs(got - sum) / std::max(terms, 1.0));
      }
    }
    return largest;
  }
  Floats product() const {
    Floats c(size_of(size.rows, size.columns), NAN),
        scratch(static_cast<std::size_t>(kernels::kMatmulScratch), NAN);
    kernels::matmul(left(), right(), size, bias.data(), c.data(), scratch.data());
    return c;
  }
};

TEST_CASE("matmul: awkward sizes, all four ways to store A and B") {
  double largest = 0;
  auto widths = testing::awkward_sizes();
  widths.insert(widths.end(), {0, 2, 127, 129});
  for (int64_t rows : {0, 1, 3, 4, 5, 63, 65, 130}) {
    for (int64_t columns : widths) {
      for (int64_t depth : {0, 1, 5, 64, 255, 257}) {
        for (int ways = 0; ways < 4; ways++) {
          const Operands operands({rows, columns, depth}, (ways & 1) != 0, (ways & 2) != 0);
          const double error = operands.error(operands.product());
          CAPTURE(rows);
          CAPTURE(columns);
          CAPTURE(depth);
          CHECK(error <= 3e-7);
          largest = std::max(largest, error);
        }
      }
    }
  }
  for (int ways = 0; ways < 4; ways++) {
    const Operands operands({4, 2300, 700}, (ways & 1) != 0, (ways & 2) != 0);
    largest = std::max(largest, operands.error(operands.product()));
  }
  CHECK(largest <= 3e-7);
  MESSAGE("largest error " << largest << " of what the sums add up");
}

TEST_CASE("matmul: a row alone has the same bits as among others, where B stands row by row") {
  const Operands all({9, 140, 600}, false, false);
  Operands one = all;
  one.size.rows = 1;
  const Floats c = all.product(), first = one.product();
  CHECK(first == Floats(c.begin(), c.begin() + 140));
}

TEST_CASE("matmul: adds to what is there, and sums rows") {
  const Operands operands({70, 20, 300}, false, true);
  Floats c(size_of(70, 20)), scratch(static_cast<std::size_t>(kernels::kMatmulScratch));
  for (std::size_t i = 0; i < c.size(); i++) c[i] = operands.bias[i % 20];
  kernels::matmul_add(operands.left(), operands.right(), operands.size, c.data(), scratch.data());
  CHECK(operands.error(c) <= 3e-7);

  for (int64_t rows : {0, 1, 3, 600}) {
    const Floats x = random_floats(size_of(rows, 2100), 5);
    Floats sums(2100, NAN);
    kernels::sum_rows(x.data(), rows, 2100, sums.data(), scratch.data());
    for (std::size_t column = 0; column < 2100; column += 7) {
      double want = 0, terms = 1;
      for (std::size_t i = column; i < x.size(); i += 2100) want += x[i], terms += std::abs(x[i]);
      CHECK(std::abs(sums[column] - want) <= 3e-7 * terms);
    }
  }
}

}  // namespace
}  // namespace posenc
