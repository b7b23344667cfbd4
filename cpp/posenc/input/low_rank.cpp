#include "posenc/input/low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/eigen.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc {

void LowRank::encode(const Positions& positions, float* out) const noexcept {
  const int64_t dim = options_.dim, rank = options_.rank;
  const float *coefficients = parameters_.values("coefficients"),
              *basis = parameters_.values("basis");
  for (int64_t i = 0; i < positions.count; i++, out += dim) {
    const float* mix = coefficients + static_cast<int64_t>(positions.at(i)) * rank;
    kernels::scale(basis, mix[0], dim, out);
    kernels::add_rows(basis + dim, dim, rank - 1, mix + 1, dim, 1, out);
  }
}

void LowRank::backward(const Positions& positions, const float* d_out,
                       Gradients& gradients) const noexcept {
  const int64_t dim = options_.dim, rank = options_.rank;
  const float *coefficients = parameters_.values("coefficients"),
              *basis = parameters_.values("basis");
  float *d_coefficients = gradients.of[0], *d_basis = gradients.of[1];
  for (int64_t i = 0; i < positions.count; i++, d_out += dim) {
    const int64_t row = static_cast<int64_t>(positions.at(i)) * rank;
    for (int64_t k = 0; k < rank; k++) {
      if (d_coefficients) d_coefficients[row + k] += kernels::dot(basis + k * dim, d_out, dim);
      if (d_basis)
        kernels::scale_add(d_out, coefficients[row + k], d_basis + k * dim, dim, d_basis + k * dim);
    }
  }
}

namespace {

// A table seen from its smaller side: `side` vectors of `length` numbers, element (i, k) at i ·
// across + k · along.
struct Table {
  const double* data;
  int64_t side, length, across, along;
  double operator()(int64_t i, int64_t k) const noexcept { return data[i * across + k * along]; }
};

// The eigenvectors of the Gram matrix, one per row, and its eigenvalues, the squares of the
// singular values, rising.
struct Spectrum {
  Buffer<double> vectors, values;
};

Status make_spectrum(const Table& table, Spectrum& spectrum) noexcept {
  const int64_t n = table.side;
  const Result<int64_t> count = checked_product(n, n, "table");
  if (!count) return std::unexpected(count.error());
  Buffer<double> scratch;
  Status status = spectrum.vectors.allocate(*count, "table");
  if (status) status = spectrum.values.allocate(n, "table");
  if (status) status = scratch.allocate(n, "table");
  if (!status) return status;
  double* gram = spectrum.vectors.data();
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j <= i; j++) {
      double sum = 0;
      for (int64_t k = 0; k < table.length; k++) sum += table(i, k) * table(j, k);
      gram[i * n + j] = gram[j * n + i] = sum;
    }
  }
  if (kernels::symmetric_eigen(gram, n, spectrum.values.data(), scratch.data())) return {};
  return fail(ErrorCode::kUnsupported, "table", "numbers whose singular values were not found",
              "another table");
}

// One component: its vector on the smaller side, the image on the longer side, and the square root
// of the singular value, which both get.
struct Component {
  const double* vector;
  double root;
};

// Writes row `k` of the basis and column `k` of the coefficients, signs by the rule.
void write_component(const Table& table, bool rows_are_side, const Component& one, int64_t k,
                     int64_t rank, double* image, OperationResult& coefficients,
                     OperationResult& basis) noexcept {
  for (int64_t j = 0; j < table.length; j++) {
    double sum = 0;
    for (int64_t i = 0; i < table.side; i++) sum += one.vector[i] * table(i, j);
    image[j] = one.root > 0 ? sum / one.root : 0;
  }
  const int64_t rows = coefficients.shape[0], dim = basis.shape[1];
  const double *row = rows_are_side ? image : one.vector,
               *column = rows_are_side ? one.vector : image;
  const double row_scale = rows_are_side ? 1 : one.root,
               column_scale = rows_are_side ? one.root : 1;
  const double* largest = std::max_element(
      row, row + dim, [](double a, double b) { return std::abs(a) < std::abs(b); });
  const double sign = *largest < 0 ? -1 : 1;
  for (int64_t c = 0; c < dim; c++)
    basis.data[k * dim + c] = static_cast<float>(sign * row_scale * row[c]);
  for (int64_t p = 0; p < rows; p++) {
    coefficients.data[p * rank + k] = static_cast<float>(sign * column_scale * column[p]);
  }
}

Status check_table(const TensorView<const double>& table, int64_t rank) noexcept {
  if (table.shape.rank != 2) {
    return fail(ErrorCode::kShapeMismatch, "table", text_of_shape(table.shape), "[L, d]");
  }
  const int64_t most = std::min(table.shape[0], table.shape[1]);
  if (rank < 1 || rank > most) {
    return fail(ErrorCode::kOutOfRange, "rank", text_of(rank),
                text_of("1 to ", most, ", the smaller side of the table"));
  }
  for (std::size_t i = 0; i < table.data.size(); i++) {
    if (std::isfinite(table.data[i])) continue;
    return fail(ErrorCode::kOutOfRange, "table",
                text_of(table.data[i], " at index ", static_cast<int64_t>(i)), "finite numbers");
  }
  return {};
}

}  // namespace

Result<OperationResult> low_rank_fit(const LowRankFitArguments& arguments,
                                     OperationTensors inputs) noexcept {
  const TensorView<const double>& input = inputs[0];
  const int64_t rank = arguments.rank;
  if (Status status = check_table(input, rank); !status) return std::unexpected(status.error());
  const int64_t rows = input.shape[0], dim = input.shape[1];
  const bool rows_are_side = rows <= dim;
  const Table table = rows_are_side ? Table{input.data.data(), rows, dim, dim, 1}
                                    : Table{input.data.data(), dim, rows, 1, dim};
  Spectrum spectrum;
  Buffer<double> image;
  Status status = make_spectrum(table, spectrum);
  if (status) status = image.allocate(table.length, "table");
  if (!status) return std::unexpected(status.error());
  Result<OperationResult> coefficients = OperationResult::make({rows, rank}, "rank");
  if (!coefficients) return coefficients;
  status = coefficients->append({rank, dim}, "rank");
  if (status) status = coefficients->append({rank}, "rank");
  if (!status) return std::unexpected(status.error());
  OperationResult &basis = *coefficients->next, &explained = *basis.next;
  double total = 0, sum = 0;
  for (double value : spectrum.values.span()) total += std::max(value, 0.0);
  for (int64_t k = 0; k < rank; k++) {
    const int64_t place = table.side - 1 - k;
    const double square = std::max(spectrum.values[place], 0.0);
    sum += square;
    explained.data[k] = total > 0 ? static_cast<float>(sum / total) : 1;
    const Component one{spectrum.vectors.data() + place * table.side, std::sqrt(std::sqrt(square))};
    write_component(table, rows_are_side, one, k, rank, image.data(), *coefficients, basis);
  }
  return coefficients;
}

}  // namespace posenc
