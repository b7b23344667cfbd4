#include "posenc/input/sparse.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/softmax.hpp"

namespace posenc {

// Floyd's way to draw without repeats: j is taken where what was drawn is there already.
void initialise_indices(const void* options, std::span<float> values, Random& random) noexcept {
  const auto& given = *static_cast<const SparseOptions*>(options);
  for (std::size_t row = 0; row < values.size(); row += static_cast<std::size_t>(given.nonzeros)) {
    float* chosen = values.data() + row;
    for (int64_t k = 0; k < given.nonzeros; k++) {
      const int64_t j = given.atoms - given.nonzeros + k;
      const auto drawn =
          static_cast<float>(std::floor(random.uniform() * static_cast<double>(j + 1)));
      chosen[k] =
          std::find(chosen, chosen + k, drawn) == chosen + k ? drawn : static_cast<float>(j);
    }
  }
}

void Sparse::encode(const Positions& positions, float* out) const noexcept {
  const int64_t dim = options_.dim, mixed = options_.nonzeros;
  const float *dictionary = parameters_[0].values.data(), *indices = parameters_[1].values.data(),
              *coefficients = parameters_[2].values.data();
  for (int64_t i = 0; i < positions.count; i++, out += dim) {
    const int64_t first = static_cast<int64_t>(positions.at(i)) * mixed;
    for (int64_t k = 0; k < mixed; k++) {
      const float* row = dictionary + static_cast<int64_t>(indices[first + k]) * dim;
      if (k == 0)
        kernels::scale(row, coefficients[first], dim, out);
      else
        kernels::scale_add(row, coefficients[first + k], out, dim, out);
    }
  }
}

void Sparse::backward(const Positions& positions, const float* d_out,
                      Gradients& gradients) const noexcept {
  const int64_t dim = options_.dim, mixed = options_.nonzeros;
  const float *dictionary = parameters_[0].values.data(), *indices = parameters_[1].values.data(),
              *coefficients = parameters_[2].values.data();
  float *d_dictionary = gradients.of[0], *d_coefficients = gradients.of[2];
  for (int64_t i = 0; i < positions.count; i++, d_out += dim) {
    const int64_t first = static_cast<int64_t>(positions.at(i)) * mixed;
    for (int64_t k = first; k < first + mixed; k++) {
      const int64_t row = static_cast<int64_t>(indices[k]) * dim;
      if (d_coefficients) d_coefficients[k] += kernels::dot(dictionary + row, d_out, dim);
      if (d_dictionary)
        kernels::scale_add(d_out, coefficients[k], d_dictionary + row, dim, d_dictionary + row);
    }
  }
}

namespace {

double dot(const double* a, const double* b, int64_t count) noexcept {
  double sum = 0;
  for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

void subtract(double* x, double factor, const double* y, int64_t count) noexcept {
  for (int64_t i = 0; i < count; i++) x[i] -= factor * y[i];
}

// Matching pursuit for one row. Rows taken are made orthonormal one after the other (q, with the
// factors r), so that what is left is orthogonal to all of them, and the coefficients follow by
// substitution.
struct Pursuit {
  const double* dictionary;
  int64_t atoms, dim, most;
  double *lengths, *rest, *q, *r, *along;  // [atoms], [dim], [most, dim], [most, most], [most]
  int64_t* taken;                          // [most]

  bool is_taken(int64_t atom, int64_t count) const noexcept {
    return std::find(taken, taken + count, atom) != taken + count;
  }

  // The row most in the direction of what is left; -1 where none has any part in it.
  int64_t best(int64_t count) const noexcept {
    int64_t found = -1;
    double largest = 0;
    for (int64_t atom = 0; atom < atoms; atom++) {
      if (lengths[atom] == 0 || is_taken(atom, count)) continue;
      const double part = std::abs(dot(dictionary + atom * dim, rest, dim)) / lengths[atom];
      if (part > largest) largest = part, found = atom;
    }
    return found;
  }
  // False where the row lies in the space of those taken before.
  bool take(int64_t atom, int64_t k) const noexcept {
    double* direction = std::copy_n(dictionary + atom * dim, dim, q + k * dim) - dim;
    for (int64_t j = 0; j < k; j++) {
      r[j * most + k] = dot(q + j * dim, direction, dim);
      subtract(direction, r[j * most + k], q + j * dim, dim);
    }
    const double length = std::sqrt(dot(direction, direction, dim));
    if (length <= 1e-10 * lengths[atom]) return false;
    for (int64_t c = 0; c < dim; c++) direction[c] /= length;
    r[k * most + k] = length;
    along[k] = dot(direction, rest, dim);
    subtract(rest, along[k], direction, dim);
    taken[k] = atom;
    return true;
  }
  // Takes rows until there are `most`, or nothing is left to explain; returns how many.
  int64_t run(const double* row) const noexcept {
    std::copy_n(row, dim, rest);
    const double small = 1e-14 * std::sqrt(dot(row, row, dim));
    int64_t k = 0;
    for (; k < most && std::sqrt(dot(rest, rest, dim)) > small; k++) {
      const int64_t atom = best(k);
      if (atom < 0 || !take(atom, k)) break;
    }
    return k;
  }
  // Rows and coefficients of what run() took; the list is filled up with other rows of weight 0.
  void write(int64_t count, float* indices, float* coefficients) const noexcept {
    for (int64_t k = count - 1; k >= 0; k--) {
      for (int64_t j = k + 1; j < count; j++) along[k] -= r[k * most + j] * along[j];
      along[k] /= r[k * most + k];
    }
    int64_t spare = 0;
    for (int64_t k = 0; k < most; k++) {
      if (k >= count) {
        while (is_taken(spare, k)) spare++;
        taken[k] = spare;
      }
      indices[k] = static_cast<float>(taken[k]);
      coefficients[k] = k < count ? static_cast<float>(along[k]) : 0;
    }
  }
};

Status check_inputs(const SparseFitArguments& arguments, OperationTensors inputs) noexcept {
  const Shape &table = inputs[0].shape, &dictionary = inputs[1].shape;
  if (table.rank != 2)
    return fail(ErrorCode::kShapeMismatch, "table", text_of_shape(table), "[L, d]");
  if (dictionary.rank != 2 || dictionary[1] != table[1]) {
    return fail(ErrorCode::kShapeMismatch, "dictionary", text_of_shape(dictionary),
                text_of("[atoms, ", table[1], "]"));
  }
  if (arguments.nonzeros < 1 || arguments.nonzeros > dictionary[0]) {
    return fail(ErrorCode::kOutOfRange, "nonzeros", text_of(arguments.nonzeros),
                text_of("1 to the rows of the dictionary, which are ", dictionary[0]));
  }
  for (const std::size_t which : {0, 1}) {
    for (double value : inputs[which].data) {
      if (std::isfinite(value)) continue;
      return fail(ErrorCode::kOutOfRange, which == 0 ? "table" : "dictionary", text_of(value),
                  "finite numbers");
    }
  }
  return {};
}

}  // namespace

Result<OperationResult> sparse_fit(const SparseFitArguments& arguments,
                                   OperationTensors inputs) noexcept {
  if (Status status = check_inputs(arguments, inputs); !status)
    return std::unexpected(status.error());
  const int64_t rows = inputs[0].shape[0], dim = inputs[0].shape[1], atoms = inputs[1].shape[0];
  const int64_t most = arguments.nonzeros;
  const Result<int64_t> directions = checked_product(most, dim, "table");
  if (!directions) return std::unexpected(directions.error());
  Buffer<double> work;
  Buffer<int64_t> taken;
  Result<OperationResult> indices = OperationResult::make({rows, most}, "table");
  if (!indices) return indices;
  Status status = indices->append({rows, most}, "table");
  if (status) status = indices->append({1}, "table");
  if (status) status = work.allocate_zeros(atoms + dim + *directions + most * most + most, "table");
  if (status) status = taken.allocate_zeros(most, "nonzeros");
  if (!status) return std::unexpected(status.error());
  OperationResult &coefficients = *indices->next, &explained = *coefficients.next;
  double* space = work.data();
  const Pursuit pursuit{inputs[1].data.data(),
                        atoms,
                        dim,
                        most,
                        space,
                        space + atoms,
                        space + atoms + dim,
                        space + atoms + dim + *directions,
                        space + atoms + dim + *directions + most * most,
                        taken.data()};
  for (int64_t atom = 0; atom < atoms; atom++) {
    const double* row = pursuit.dictionary + atom * dim;
    pursuit.lengths[atom] = std::sqrt(dot(row, row, dim));
  }
  double total = 0, left = 0;
  for (int64_t p = 0; p < rows; p++) {
    const double* row = inputs[0].data.data() + p * dim;
    const int64_t count = pursuit.run(row);
    total += dot(row, row, dim);
    left += dot(pursuit.rest, pursuit.rest, dim);
    float* const mix = coefficients.data.data() + p * most;
    pursuit.write(count, indices->data.data() + p * most, mix);
    if (!std::all_of(mix, mix + most, [](float value) { return std::isfinite(value); })) {
      return fail(ErrorCode::kOutOfRange, "table",
                  text_of("row ", p, ", which needs coefficients beyond float"),
                  "rows that finite mixes of the dictionary give");
    }
  }
  explained.data[0] = total > 0 ? static_cast<float>(1 - left / total) : 1;
  return indices;
}

}  // namespace posenc
