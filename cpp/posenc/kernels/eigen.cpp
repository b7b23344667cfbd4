#include "posenc/kernels/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::kernels {
namespace {

// v becomes the orthogonal matrix of the reduction, d the diagonal and e the one below it.
struct Tridiagonal {
  double* v;
  int64_t n;
  double* d;
  double* e;

  double& at(int64_t i, int64_t j) const noexcept { return v[i * n + j]; }

  // Takes row i of the matrix out by a reflection; h is half the squared length of its vector, 0 for none.
  void reflect(int64_t i) const noexcept {
    double scale = 0, h = 0;
    for (int64_t k = 0; k < i; k++) scale += std::abs(d[k]);
    if (scale == 0) {
      e[i] = d[i - 1];
      for (int64_t j = 0; j < i; j++) {
        d[j] = at(i - 1, j);
        at(i, j) = at(j, i) = 0;
      }
      d[i] = 0;
      return;
    }
    for (int64_t k = 0; k < i; k++) {
      d[k] /= scale;
      h += d[k] * d[k];
    }
    const double f = d[i - 1], g = f > 0 ? -std::sqrt(h) : std::sqrt(h);
    e[i] = scale * g;
    h -= f * g;
    d[i - 1] = f - g;
    multiply(i);
    update(i, h);
    d[i] = h;
  }

  // e = A d over the first i rows, of which the lower half is stored; d is kept in column i.
  void multiply(int64_t i) const noexcept {
    std::fill_n(e, i, 0.0);
    for (int64_t j = 0; j < i; j++) {
      const double f = d[j];
      at(j, i) = f;
      double g = e[j] + at(j, j) * f;
      for (int64_t k = j + 1; k < i; k++) {
        g += at(k, j) * d[k];
        e[k] += at(k, j) * f;
      }
      e[j] = g;
    }
  }

  void update(int64_t i, double h) const noexcept {
    double f = 0;
    for (int64_t j = 0; j < i; j++) {
      e[j] /= h;
      f += e[j] * d[j];
    }
    const double half = f / (h + h);
    for (int64_t j = 0; j < i; j++) e[j] -= half * d[j];
    for (int64_t j = 0; j < i; j++) {
      for (int64_t k = j; k < i; k++) at(k, j) -= d[j] * e[k] + e[j] * d[k];
      d[j] = at(i - 1, j);
      at(i, j) = 0;
    }
  }

  // The product of the reflections.
  void accumulate() const noexcept {
    for (int64_t i = 0; i < n - 1; i++) {
      at(n - 1, i) = at(i, i);
      at(i, i) = 1;
      const double h = d[i + 1];
      if (h != 0) {
        for (int64_t k = 0; k <= i; k++) d[k] = at(k, i + 1) / h;
        for (int64_t j = 0; j <= i; j++) {
          double g = 0;
          for (int64_t k = 0; k <= i; k++) g += at(k, i + 1) * at(k, j);
          for (int64_t k = 0; k <= i; k++) at(k, j) -= g * d[k];
        }
      }
      for (int64_t k = 0; k <= i; k++) at(k, i + 1) = 0;
    }
    for (int64_t j = 0; j < n; j++) {
      d[j] = at(n - 1, j);
      at(n - 1, j) = 0;
    }
    at(n - 1, n - 1) = 1;
    e[0] = 0;
  }

  void reduce() const noexcept {
    for (int64_t j = 0; j < n; j++) d[j] = at(n - 1, j);
    for (int64_t i = n - 1; i > 0; i--) reflect(i);
    accumulate();
  }

  void rotate_columns(int64_t i, double s, double c) const noexcept {
    for (int64_t k = 0; k < n; k++) {
      const double h = at(k, i + 1);
      at(k, i + 1) = s * at(k, i) + c * h;
      at(k, i) = c * at(k, i) - s * h;
    }
  }

  // One sweep with an implicit shift over l to m.
  void sweep(int64_t l, int64_t m, double& shift) const noexcept {
    const double g = d[l], p = (d[l + 1] - g) / (2 * e[l]);
    const double r = p < 0 ? -std::hypot(p, 1.0) : std::hypot(p, 1.0);
    d[l] = e[l] / (p + r);
    d[l + 1] = e[l] * (p + r);
    const double next = d[l + 1], moved = g - d[l], old = e[l + 1];
    for (int64_t i = l + 2; i < n; i++) d[i] -= moved;
    shift += moved;
    double at_p = d[m], c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
    for (int64_t i = m - 1; i >= l; i--) {
      c3 = c2;
      c2 = c;
      s2 = s;
      const double to = c * e[i], h = c * at_p, length = std::hypot(at_p, e[i]);
      e[i + 1] = s * length;
      s = e[i] / length;
      c = at_p / length;
      at_p = c * d[i] - s * to;
      d[i + 1] = h + s * (c * to + s * d[i]);
      rotate_columns(i, s, c);
    }
    at_p = -s * s2 * c3 * old * e[l] / next;
    e[l] = s * at_p;
    d[l] = c * at_p;
  }

  bool diagonalise() const noexcept {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    for (int64_t i = 1; i < n; i++) e[i - 1] = e[i];
    e[n - 1] = 0;
    double shift = 0, size = 0;
    for (int64_t l = 0; l < n; l++) {
      size = std::max(size, std::abs(d[l]) + std::abs(e[l]));
      int64_t m = l;
      while (m < n - 1 && std::abs(e[m]) > kEpsilon * size) m++;
      for (int round = 0; m > l && std::abs(e[l]) > kEpsilon * size; round++) {
        if (round == 100) return false;
        sweep(l, m, shift);
      }
      d[l] += shift;
      e[l] = 0;
    }
    return true;
  }

  void sort() const noexcept {
    for (int64_t i = 0; i < n - 1; i++) {
      const int64_t least = std::min_element(d + i, d + n) - d;
      if (least == i) continue;
      std::swap(d[i], d[least]);
      for (int64_t k = 0; k < n; k++) std::swap(at(k, i), at(k, least));
    }
  }
};

}  // namespace

bool symmetric_eigen(double* matrix, int64_t n, double* eigenvalues, double* spare) noexcept {
  if (n == 0) return true;
  const Tridiagonal work{matrix, n, eigenvalues, spare};
  work.reduce();
  if (!work.diagonalise()) return false;
  work.sort();
  return true;
}

}  // namespace posenc::kernels
