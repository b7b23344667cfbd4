#include "posenc/kernels/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::kernels {
namespace {

// Columns stand one after the other: all inner loops go down a column.
struct Matrix {
  double* data;
  int64_t n;
  double& operator()(int64_t i, int64_t j) const noexcept { return data[j * n + i]; }
};

// One Householder step: clears row i left of the second diagonal, working on the i rows above. d
// holds that row.
void reflect(const Matrix& v, int64_t i, double* d, double* e) noexcept {
  double scale = 0, h = 0;
  for (int64_t k = 0; k < i; k++) scale += std::abs(d[k]);
  if (scale == 0) {
    e[i] = d[i - 1];
    for (int64_t j = 0; j < i; j++) {
      d[j] = v(i - 1, j);
      v(i, j) = v(j, i) = 0;
    }
    d[i] = 0;
    return;
  }
  for (int64_t k = 0; k < i; k++) d[k] /= scale, h += d[k] * d[k];
  const double f = d[i - 1], g = f > 0 ? -std::sqrt(h) : std::sqrt(h);
  e[i] = scale * g;
  h -= f * g;
  d[i - 1] = f - g;
  std::fill_n(e, i, 0.0);
  for (int64_t j = 0; j < i; j++) {  // e = A d, from the lower triangle
    const double dj = d[j];
    v(j, i) = dj;
    double sum = e[j] + v(j, j) * dj;
    for (int64_t k = j + 1; k < i; k++) {
      sum += v(k, j) * d[k];
      e[k] += v(k, j) * dj;
    }
    e[j] = sum;
  }
  double product = 0;
  for (int64_t j = 0; j < i; j++) e[j] /= h, product += e[j] * d[j];
  const double half = product / (h + h);
  for (int64_t j = 0; j < i; j++) e[j] -= half * d[j];
  for (int64_t j = 0; j < i; j++) {
    for (int64_t k = j; k < i; k++) v(k, j) -= d[j] * e[k] + e[j] * d[k];
    d[j] = v(i - 1, j);
    v(i, j) = 0;
  }
  d[i] = h;
}

// Multiplies the reflections out into v.
void accumulate(const Matrix& v, double* d) noexcept {
  const int64_t n = v.n;
  for (int64_t i = 0; i < n - 1; i++) {
    v(n - 1, i) = v(i, i);
    v(i, i) = 1;
    const double h = d[i + 1];
    for (int64_t k = 0; h != 0 && k <= i; k++) d[k] = v(k, i + 1) / h;
    for (int64_t j = 0; h != 0 && j <= i; j++) {
      double g = 0;
      for (int64_t k = 0; k <= i; k++) g += v(k, i + 1) * v(k, j);
      for (int64_t k = 0; k <= i; k++) v(k, j) -= g * d[k];
    }
    for (int64_t k = 0; k <= i; k++) v(k, i + 1) = 0;
  }
  for (int64_t j = 0; j < n; j++) {
    d[j] = v(n - 1, j);
    v(n - 1, j) = 0;
  }
  v(n - 1, n - 1) = 1;
}

// Both are sizes of a matrix of moderate numbers, or a ratio below 1 / epsilon: their squares have
// room.
double length(double x, double y) noexcept { return std::sqrt(x * x + y * y); }

// One QL step with Wilkinson's shift on the block from l to m; `shifted` sums the shifts.
void ql_step(const Matrix& v, int64_t l, int64_t m, double* d, double* e,
             double& shifted) noexcept {
  double g = d[l], p = (d[l + 1] - g) / (2 * e[l]), r = length(p, 1);
  if (p < 0) r = -r;
  d[l] = e[l] / (p + r);
  d[l + 1] = e[l] * (p + r);
  const double next = d[l + 1], h = g - d[l];
  for (int64_t i = l + 2; i < v.n; i++) d[i] -= h;
  shifted += h;
  p = d[m];
  double c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
  const double second = e[l + 1];
  for (int64_t i = m - 1; i >= l; i--) {
    c3 = c2, c2 = c, s2 = s;
    g = c * e[i];
    const double x = c * p;
    r = length(p, e[i]);
    e[i + 1] = s * r;
    s = e[i] / r, c = p / r;
    p = c * d[i] - s * g;
    d[i + 1] = x + s * (c * g + s * d[i]);
    for (int64_t k = 0; k < v.n; k++) {
      const double turned = v(k, i + 1);
      v(k, i + 1) = s * v(k, i) + c * turned;
      v(k, i) = c * v(k, i) - s * turned;
    }
  }
  p = -s * s2 * c3 * second * e[l] / next;
  e[l] = s * p;
  d[l] = c * p;
}

void sort_rising(const Matrix& v, double* d) noexcept {
  for (int64_t i = 0; i + 1 < v.n; i++) {
    const int64_t least = std::min_element(d + i, d + v.n) - d;
    if (least == i) continue;
    std::iter_swap(d + i, d + least);
    std::swap_ranges(&v(0, i), &v(0, i) + v.n, &v(0, least));
  }
}

}  // namespace

bool symmetric_eigen(double* matrix, int64_t n, double* values, double* scratch) noexcept {
  if (n == 0) return true;
  constexpr int kMostSteps = 100;
  const Matrix v{matrix, n};
  double *d = values, *e = scratch;
  for (int64_t j = 0; j < n; j++) d[j] = v(n - 1, j);
  e[0] = 0;
  for (int64_t i = n - 1; i > 0; i--) reflect(v, i, d, e);
  accumulate(v, d);
  e[0] = 0;
  std::copy_n(e + 1, n - 1, e);
  e[n - 1] = 0;

  double shifted = 0, size = 0;
  for (int64_t l = 0; l < n; l++) {
    size = std::max(size, std::abs(d[l]) + std::abs(e[l]));
    const double small = std::numeric_limits<double>::epsilon() * size;
    int64_t m = l;
    while (m < n - 1 && std::abs(e[m]) > small) m++;
    for (int step = 0; m > l && std::abs(e[l]) > small; step++) {
      if (step == kMostSteps) return false;
      ql_step(v, l, m, d, e, shifted);
    }
    d[l] += shifted;
    e[l] = 0;
  }
  sort_rising(v, d);
  return true;
}

}  // namespace posenc::kernels
