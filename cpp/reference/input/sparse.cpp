#include "reference/input/sparse.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::reference {
namespace {

using Vector = std::vector<double>;

// Solves a small system by elimination with pivots.
Vector solve(std::vector<Vector> a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; k++) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; i++) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; i++) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; j++) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
  return sum;
}

Vector row_of(const Vector& table, int64_t dim, int64_t row) {
  return {table.begin() + row * dim, table.begin() + (row + 1) * dim};
}

}  // namespace

std::vector<double> sparse(const Vector& dictionary, int64_t dim, const Mixes& mixes,
                           int64_t nonzeros, const std::vector<int64_t>& rows) {
  Vector out;
  for (int64_t row : rows) {
    for (int64_t c = 0; c < dim; c++) {
      double sum = 0;
      for (int64_t k = row * nonzeros; k < (row + 1) * nonzeros; k++) {
        const auto at = static_cast<std::size_t>(k);
        sum += mixes.coefficients[at] *
               dictionary[static_cast<std::size_t>(mixes.indices[at] * dim + c)];
      }
      out.push_back(sum);
    }
  }
  return out;
}

SparseGradients sparse_backward(const Vector& dictionary, int64_t dim, const Mixes& mixes,
                                int64_t nonzeros, const std::vector<int64_t>& rows,
                                const Vector& d_out) {
  SparseGradients gradients{Vector(dictionary.size()), Vector(mixes.coefficients.size())};
  for (std::size_t i = 0; i < rows.size(); i++) {
    for (int64_t k = rows[i] * nonzeros; k < (rows[i] + 1) * nonzeros; k++) {
      const auto at = static_cast<std::size_t>(k);
      for (int64_t c = 0; c < dim; c++) {
        const double d = d_out[i * static_cast<std::size_t>(dim) + static_cast<std::size_t>(c)];
        const auto element = static_cast<std::size_t>(mixes.indices[at] * dim + c);
        gradients.coefficients[at] += d * dictionary[element];
        gradients.dictionary[element] += d * mixes.coefficients[at];
      }
    }
  }
  return gradients;
}

Mixes matching_pursuit(const Vector& table, const Vector& dictionary, int64_t dim,
                       int64_t nonzeros) {
  Mixes mixes;
  const auto atoms = static_cast<int64_t>(dictionary.size()) / dim;
  for (int64_t p = 0; p < static_cast<int64_t>(table.size()) / dim; p++) {
    const Vector row = row_of(table, dim, p);
    Vector rest = row, coefficients;
    std::vector<int64_t> taken;
    while (static_cast<int64_t>(taken.size()) < nonzeros &&
           dot(rest, rest) > 1e-20 * dot(row, row)) {
      int64_t best = -1;
      double largest = 0;
      for (int64_t atom = 0; atom < atoms; atom++) {
        const Vector candidate = row_of(dictionary, dim, atom);
        const double part = std::abs(dot(candidate, rest)) / std::sqrt(dot(candidate, candidate));
        if (std::find(taken.begin(), taken.end(), atom) == taken.end() && part > largest)
          largest = part, best = atom;
      }
      taken.push_back(best);
      std::vector<Vector> gram;
      Vector products;
      for (int64_t a : taken) {
        gram.emplace_back();
        for (int64_t b : taken)
          gram.back().push_back(dot(row_of(dictionary, dim, a), row_of(dictionary, dim, b)));
        products.push_back(dot(row_of(dictionary, dim, a), row));
      }
      coefficients = solve(gram, products);
      rest = row;
      for (std::size_t k = 0; k < taken.size(); k++) {
        const Vector atom = row_of(dictionary, dim, taken[k]);
        for (std::size_t c = 0; c < rest.size(); c++) rest[c] -= coefficients[k] * atom[c];
      }
    }
    taken.resize(static_cast<std::size_t>(nonzeros), -1);
    coefficients.resize(static_cast<std::size_t>(nonzeros), 0);
    mixes.indices.insert(mixes.indices.end(), taken.begin(), taken.end());
    mixes.coefficients.insert(mixes.coefficients.end(), coefficients.begin(), coefficients.end());
  }
  return mixes;
}

}  // namespace posenc::reference
