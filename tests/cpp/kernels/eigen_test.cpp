#include "posenc/kernels/eigen.hpp"

#include "support/compare.hpp"

namespace posenc {
namespace {

using Matrix = std::vector<double>;

std::size_t at(int64_t n, int64_t i, int64_t j) { return static_cast<std::size_t>(i * n + j); }

// Largest departure from A v = λ v, from orthonormal vectors, and from rising values.
double departure(const Matrix& matrix, int64_t n) {
  Matrix vectors = matrix;
  std::vector<double> values(static_cast<std::size_t>(n)), scratch(static_cast<std::size_t>(n));
  if (!kernels::symmetric_eigen(vectors.data(), n, values.data(), scratch.data())) return INFINITY;
  double largest = 0, size = 1;
  for (double value : values) size = std::max(size, std::abs(value));
  for (int64_t a = 0; a < n; a++) {
    if (a > 0 && values[at(1, a, 0)] < values[at(1, a - 1, 0)]) return INFINITY;
    for (int64_t i = 0; i < n; i++) {
      double image = 0, product = 0;
      for (int64_t j = 0; j < n; j++) {
        image += matrix[at(n, i, j)] * vectors[at(n, a, j)];
        product += vectors[at(n, i, j)] * vectors[at(n, a, j)];
      }
      largest =
          std::max(largest, std::abs(image - values[at(1, a, 0)] * vectors[at(n, a, i)]) / size);
      largest = std::max(largest, std::abs(product - (i == a ? 1 : 0)));
    }
  }
  return largest;
}

TEST_CASE("eigen: values and vectors of random, repeated, diagonal and zero matrices") {
  double largest = 0;
  for (int64_t n : {1, 2, 3, 4, 7, 16, 33, 80}) {
    const auto random =
        testing::random_floats(static_cast<std::size_t>(n * n), static_cast<uint64_t>(n));
    Matrix symmetric(random.size()), low_rank(random.size()), diagonal(random.size()),
        zero(random.size());
    for (int64_t i = 0; i < n; i++) {
      diagonal[at(n, i, i)] = static_cast<double>((i * 7) % 5);
      for (int64_t j = 0; j < n; j++) {
        symmetric[at(n, i, j)] =
            static_cast<double>(random[at(n, i, j)]) + static_cast<double>(random[at(n, j, i)]);
        low_rank[at(n, i, j)] =
            static_cast<double>(random[at(n, i, 0)]) * static_cast<double>(random[at(n, j, 0)]);
      }
    }
    for (const Matrix& matrix : {symmetric, low_rank, diagonal, zero})
      largest = std::max(largest, departure(matrix, n));
  }
  MESSAGE("eigen: largest departure " << largest);
  CHECK(largest <= 1e-13);
}

TEST_CASE("eigen: a path of three nodes") {
  Matrix laplacian = {1, -1, 0, -1, 2, -1, 0, -1, 1};
  std::vector<double> values(3), scratch(3);
  REQUIRE(kernels::symmetric_eigen(laplacian.data(), 3, values.data(), scratch.data()));
  testing::check_close(values, std::vector{0.0, 1.0, 3.0}, 1e-15, "D - A");
}

}  // namespace
}  // namespace posenc
