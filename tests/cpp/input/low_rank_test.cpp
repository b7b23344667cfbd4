#include "posenc/input/low_rank.hpp"

#include "reference/input/low_rank.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;

TEST_CASE("lowRank: rows and gradients equal the plain loop at every rank and width") {
  double largest = 0;
  for (int64_t rank : testing::awkward_sizes()) {
    for (int64_t dim : testing::awkward_sizes()) {
      const auto encoding = adapted<LowRank>({.dim = dim, .max_length = 6, .rank = rank}, 3);
      const reference::Factors factors{testing::values_of(encoding, "coefficients"),
                                       testing::values_of(encoding, "basis")};
      const std::vector<double> positions = {5, 0, 0, 3, 5};
      const auto rows = testing::rounded(positions);
      const auto d_out = testing::random_floats(5 * static_cast<std::size_t>(dim), 2);
      largest =
          std::max(largest, testing::largest_error(testing::rows_of(encoding, given(positions)),
                                                   reference::low_rank(factors, rank, dim, rows)));
      auto gradients = testing::gradients_of(encoding, given(positions), d_out);
      const auto want =
          reference::low_rank_backward(factors, rank, dim, rows, testing::widened(d_out));
      largest =
          std::max(largest, testing::largest_error(gradients["coefficients"], want.coefficients));
      largest = std::max(largest, testing::largest_error(gradients["basis"], want.basis));
    }
  }
  MESSAGE("lowRank: largest relative error " << largest);
  CHECK(largest <= 1e-6);
}

TEST_CASE("lowRank: the reference's gradients are those of finite differences") {
  const reference::Factors factors{testing::widened(testing::random_floats(6, 1)),
                                   testing::widened(testing::random_floats(6, 2))};
  const std::vector<int64_t> rows = {0, 2, 2};
  const auto d_out = testing::widened(testing::random_floats(9, 3));
  const auto gradients = reference::low_rank_backward(factors, 2, 3, rows, d_out);
  testing::check_gradient(
      gradients.coefficients, factors.coefficients,
      [&](const std::vector<double>& at) {
        return testing::product(reference::low_rank({at, factors.basis}, 2, 3, rows), d_out);
      },
      "coefficients");
  testing::check_gradient(
      gradients.basis, factors.basis,
      [&](const std::vector<double>& at) {
        return testing::product(reference::low_rank({factors.coefficients, at}, 2, 3, rows), d_out);
      },
      "basis");
}

struct Fitted {
  std::vector<double> coefficients, basis, explained;
};

Result<OperationResult> fit(const std::vector<double>& table, int64_t rows, int64_t rank) {
  const TensorView<const double> input[] = {
      {table, {rows, static_cast<int64_t>(table.size()) / rows}}};
  return low_rank_fit({rank}, input);
}

Fitted fitted(const std::vector<double>& table, int64_t rows, int64_t rank) {
  const auto result = fit(table, rows, rank);
  REQUIRE(result.has_value());
  const auto list = [](const OperationResult& one) {
    const auto span = one.data.span();
    return std::vector<double>(span.begin(), span.end());
  };
  return {list(*result), list(*result->next), list(*result->next->next)};
}

// Product of column a of x and column b of y, both [rows, columns].
double columns(const std::vector<double>& x, std::size_t a, const std::vector<double>& y,
               std::size_t b, std::size_t width_x, std::size_t width_y) {
  double sum = 0;
  for (std::size_t i = 0; i * width_x < x.size(); i++)
    sum += x[i * width_x + a] * y[i * width_y + b];
  return sum;
}

TEST_CASE("lowRank: the fit is that of the singular values") {
  for (const auto& [rows, dim, rank] :
       {std::array<int64_t, 3>{12, 7, 3}, {7, 12, 3}, {9, 9, 9}, {1, 5, 1}, {40, 33, 8}}) {
    CAPTURE(rows);
    const auto table =
        testing::widened(testing::random_floats(static_cast<std::size_t>(rows * dim), 5));
    const auto [coefficients, basis, explained] = fitted(table, rows, rank);
    std::vector<int64_t> all;
    for (int64_t i = 0; i < rows; i++) all.push_back(i);
    auto rest = reference::low_rank({coefficients, basis}, rank, dim, all);
    for (std::size_t i = 0; i < rest.size(); i++) rest[i] = table[i] - rest[i];
    const double total = testing::product(table, table);
    CHECK(1 - testing::product(rest, rest) / total ==
          doctest::Approx(explained.back()).epsilon(1e-5));
    // Columns of coefficients and rows of the basis are orthogonal and of one length, which falls;
    // the rest is orthogonal to both. That is the singular value decomposition.
    const auto width = static_cast<std::size_t>(rank), wide = static_cast<std::size_t>(dim);
    double sum = 0, before = INFINITY;
    for (std::size_t k = 0; k < width; k++) {
      const auto first = basis.begin() + static_cast<int64_t>(k * wide);
      const std::vector<double> row(first, first + dim);
      const double value = testing::product(row, row);
      CHECK(value <= before * (1 + 1e-6));
      before = value;
      sum += value * value;
      CHECK(explained[k] == doctest::Approx(sum / total).epsilon(1e-5));
      for (std::size_t j = 0; j < width; j++) {
        CHECK(columns(coefficients, k, coefficients, j, width, width) ==
              doctest::Approx(k == j ? value : 0).epsilon(1e-5).scale(1));
      }
      for (std::size_t c = 0; c < wide; c++)
        CHECK(std::abs(columns(coefficients, k, rest, c, width, wide)) < 1e-5);
      const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
      CHECK(*std::max_element(row.begin(), row.end(), smaller) > 0);
    }
  }
}

TEST_CASE("lowRank: a table of low rank comes back, and so does one of zeros") {
  const reference::Factors factors{testing::widened(testing::random_floats(40, 1)),
                                   testing::widened(testing::random_floats(34, 2))};
  std::vector<int64_t> all;
  for (int64_t i = 0; i < 20; i++) all.push_back(i);
  const auto table = reference::low_rank(factors, 2, 17, all);
  const auto [coefficients, basis, explained] = fitted(table, 20, 2);
  check_close(reference::low_rank({coefficients, basis}, 2, 17, all), table, 1e-6, "table");
  CHECK(explained[1] == 1);
  const auto more = fitted(table, 20, 5);  // components of nothing
  check_close(reference::low_rank({more.coefficients, more.basis}, 5, 17, all), table, 1e-6,
              "table");
  CHECK(fitted(std::vector<double>(12), 3, 2).explained == std::vector<double>{1, 1});
}

TEST_CASE("lowRank: refused calls") {
  testing::check_error(make<LowRank>({.dim = 4, .max_length = 4, .rank = 0}).error(),
                       ErrorCode::kOutOfRange, "rank");
  testing::check_error(fit(std::vector<double>(12, 1), 3, 4).error(), ErrorCode::kOutOfRange,
                       "rank");
  testing::check_error(fit({1, static_cast<double>(NAN)}, 1, 1).error(), ErrorCode::kOutOfRange,
                       "table");
  const std::vector<double> past = {4};
  testing::check_error(adapted<LowRank>({.dim = 4, .max_length = 4, .rank = 2})
                           .check(given(past), "positions")
                           .error(),
                       ErrorCode::kOutsideDomain, "positions");
}

}  // namespace
}  // namespace posenc
