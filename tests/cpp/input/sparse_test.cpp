#include "posenc/input/sparse.hpp"

#include <set>

#include "reference/input/sparse.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;

TEST_CASE("sparse: rows and gradients equal the plain loop") {
  double largest = 0;
  for (int64_t mixed : {1, 3, 8}) {
    for (int64_t dim : testing::awkward_sizes()) {
      const auto encoding =
          adapted<Sparse>({.dim = dim, .max_length = 6, .atoms = 8, .nonzeros = mixed}, 3);
      const auto dictionary = testing::values_of(encoding, "dictionary");
      const reference::Mixes mixes{testing::rounded(testing::values_of(encoding, "indices")),
                                   testing::values_of(encoding, "coefficients")};
      const std::vector<double> positions = {5, 0, 0, 3, 5};
      const auto rows = testing::rounded(positions);
      const auto d_out = testing::random_floats(5 * static_cast<std::size_t>(dim), 2);
      largest = std::max(
          largest, testing::largest_error(testing::rows_of(encoding, given(positions)),
                                          reference::sparse(dictionary, dim, mixes, mixed, rows)));
      auto gradients = testing::gradients_of(encoding, given(positions), d_out);
      CHECK_FALSE(gradients.contains("indices"));
      const auto want =
          reference::sparse_backward(dictionary, dim, mixes, mixed, rows, testing::widened(d_out));
      largest = std::max(largest, testing::largest_error(gradients["dictionary"], want.dictionary));
      largest =
          std::max(largest, testing::largest_error(gradients["coefficients"], want.coefficients));
    }
  }
  MESSAGE("sparse: largest relative error " << largest);
  CHECK(largest <= 1e-6);
}

TEST_CASE("sparse: the reference's gradients are those of finite differences") {
  const auto dictionary = testing::widened(testing::random_floats(12, 1));
  const reference::Mixes mixes{{0, 3, 1, 2}, testing::widened(testing::random_floats(4, 2))};
  const std::vector<int64_t> rows = {0, 1, 1};
  const auto d_out = testing::widened(testing::random_floats(9, 3));
  const auto gradients = reference::sparse_backward(dictionary, 3, mixes, 2, rows, d_out);
  testing::check_gradient(
      gradients.dictionary, dictionary,
      [&](const std::vector<double>& at) {
        return testing::product(reference::sparse(at, 3, mixes, 2, rows), d_out);
      },
      "dictionary");
  testing::check_gradient(
      gradients.coefficients, mixes.coefficients,
      [&](const std::vector<double>& at) {
        return testing::product(reference::sparse(dictionary, 3, {mixes.indices, at}, 2, rows),
                                d_out);
      },
      "coefficients");
}

TEST_CASE("sparse: the first choice of rows has no repeats, whatever the seed") {
  for (uint64_t seed = 0; seed < 20; seed++) {
    const auto encoding =
        adapted<Sparse>({.dim = 2, .max_length = 10, .atoms = 5, .nonzeros = 4}, seed);
    const auto indices = testing::values_of(encoding, "indices");
    for (auto row = indices.begin(); row != indices.end(); row += 4) {
      const std::set<double> distinct(row, row + 4);
      CHECK(distinct.size() == 4);
      CHECK(*distinct.rbegin() < 5);
    }
  }
}

Result<OperationResult> fit(const std::vector<double>& table, const std::vector<double>& dictionary,
                            int64_t dim, int64_t mixed) {
  const TensorView<const double> inputs[] = {
      {table, {static_cast<int64_t>(table.size()) / dim, dim}},
      {dictionary, {static_cast<int64_t>(dictionary.size()) / dim, dim}}};
  return sparse_fit({mixed}, inputs);
}

TEST_CASE("sparse: the fit is that of matching pursuit") {
  for (const auto& [dim, atoms, mixed] :
       {std::array<int64_t, 3>{6, 9, 3}, {16, 40, 5}, {5, 5, 5}, {9, 4, 1}}) {
    const auto table =
        testing::widened(testing::random_floats(static_cast<std::size_t>(12 * dim), 1));
    const auto dictionary =
        testing::widened(testing::random_floats(static_cast<std::size_t>(atoms * dim), 2));
    const auto result = fit(table, dictionary, dim, mixed);
    REQUIRE(result.has_value());
    const auto want = reference::matching_pursuit(table, dictionary, dim, mixed);
    check_close(result->data.span(), want.indices, 0, "indices");
    check_close(result->next->data.span(), want.coefficients, 1e-6, "coefficients");
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < 12; i++) rows.push_back(i);
    auto rest = reference::sparse(dictionary, dim, want, mixed, rows);
    for (std::size_t i = 0; i < rest.size(); i++) rest[i] -= table[i];
    const double left = testing::product(rest, rest) / testing::product(table, table);
    CHECK(result->next->next->data[0] == doctest::Approx(1 - left).epsilon(1e-6));
  }
}

TEST_CASE(
    "sparse: rows of the dictionary are found exactly; repeats, zeros and nothing to explain are "
    "defined") {
  const std::vector<double> dictionary = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0};
  const std::vector<double> table = {0, 6, 0, 0, 0, 0, -2, 1, 0, 3, 0, 1};
  const auto result = fit(table, dictionary, 3, 3);
  REQUIRE(result.has_value());
  const std::span<const float> indices = result->data.span(),
                               coefficients = result->next->data.span();
  CHECK(indices[0] == 3);
  CHECK(coefficients[0] == 3);
  for (std::size_t k = 1; k < 6; k++) CHECK(coefficients[k] == 0);
  CHECK(indices[6] == 0);
  CHECK(coefficients[6] == -2);
  CHECK(coefficients[7] == 0.5F);
  for (int64_t row = 0; row < 12; row += 3) {
    CHECK(std::set<float>(indices.begin() + row, indices.begin() + row + 3).size() == 3);
  }
}

TEST_CASE("sparse: refused calls and indices") {
  testing::check_error(make<Sparse>({.dim = 4, .max_length = 4, .atoms = 3}).error(),
                       ErrorCode::kOutOfRange, "nonzeros");
  const std::vector<double> table(6, 1), dictionary(9, 1);
  testing::check_error(fit(table, std::vector<double>(9, 1), 3, 4).error(), ErrorCode::kOutOfRange,
                       "nonzeros");
  const TensorView<const double> narrow[] = {{table, {2, 3}}, {dictionary, {9, 1}}};
  testing::check_error(sparse_fit({1}, narrow).error(), ErrorCode::kShapeMismatch, "dictionary");
  auto encoding = adapted<Sparse>({.dim = 2, .max_length = 2, .atoms = 3, .nonzeros = 1});
  for (float bad : {3.0F, -1.0F, 0.5F, NAN}) {
    testing::check_error(encoding.parameters().set("indices", std::vector{0.0F, bad}).error(),
                         ErrorCode::kOutOfRange, "weights.indices");
  }
  CHECK(encoding.parameters().set("indices", std::vector{0.0F, 2.0F}).has_value());
}

}  // namespace
}  // namespace posenc
