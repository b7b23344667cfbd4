// Laplacians, their eigenvalues by Jacobi's method, random walks and tree positions, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace posenc::reference {

using Matrix = std::vector<std::vector<double>>;

// Every edge both ways; loops are left out unless asked for.
inline Matrix adjacency(std::size_t nodes, const std::vector<double>& edges, bool loops) {
  Matrix a(nodes, std::vector<double>(nodes));
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const auto u = static_cast<std::size_t>(edges[i]), v = static_cast<std::size_t>(edges[i + 1]);
    if (u != v || loops) a[u][v] = a[v][u] = 1;
  }
  return a;
}

inline double degree(const Matrix& a, std::size_t node) {
  double sum = 0;
  for (double entry : a[node]) sum += entry;
  return sum;
}

enum class Laplacian { kPlain, kSymmetric, kRandomWalk };

inline Matrix laplacian(const Matrix& a, Laplacian kind) {
  Matrix l(a.size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); i++) {
    for (std::size_t j = 0; j < a.size(); j++) {
      l[i][j] = (i == j ? degree(a, i) : 0) - a[i][j];
      if (l[i][j] == 0) continue;
      const double di = std::max(degree(a, i), 1.0), dj = std::max(degree(a, j), 1.0);
      if (kind == Laplacian::kSymmetric) l[i][j] /= std::sqrt(di * dj);
      if (kind == Laplacian::kRandomWalk) l[i][j] /= di;
    }
  }
  return l;
}

// Ascending eigenvalues of a symmetric matrix, by rotations that clear one entry after the other.
inline std::vector<double> jacobi_eigenvalues(Matrix m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 60; sweep++) {
    for (std::size_t p = 0; p < n; p++) {
      for (std::size_t q = p + 1; q < n; q++) {
        if (m[p][q] == 0) continue;
        const double angle = std::atan2(2 * m[p][q], m[q][q] - m[p][p]) / 2, c = std::cos(angle),
                     s = std::sin(angle);
        for (std::size_t k = 0; k < n; k++) {
          const double a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; k++) {
          const double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < n; i++) values.push_back(m[i][i]);
  std::sort(values.begin(), values.end());
  return values;
}

// Diagonals of (D^-1 A)^s, s = 1 to steps: [nodes, steps].
inline std::vector<double> landing(const Matrix& a, std::size_t steps) {
  const std::size_t n = a.size();
  Matrix walk(n, std::vector<double>(n)), power(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; i++) {
    power[i][i] = 1;
    for (std::size_t j = 0; j < n && degree(a, i) > 0; j++) walk[i][j] = a[i][j] / degree(a, i);
  }
  std::vector<double> out(n * steps);
  for (std::size_t s = 0; s < steps; s++) {
    Matrix next(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t k = 0; k < n; k++) {
        for (std::size_t j = 0; j < n; j++) next[i][j] += power[i][k] * walk[k][j];
      }
    }
    power = next;
    for (std::size_t i = 0; i < n; i++) out[i * steps + s] = power[i][i];
  }
  return out;
}

// A node's row by the paper's push: the parent's stack of one-hot branches moves down by one, the
// new one comes on top; then weights by level and feature. `parents` must have each parent before
// its children.
struct TreeRule {
  std::size_t degree, depth;
  double model_dim;
};

inline std::vector<double> tree_positions(const TreeRule& rule, const std::vector<double>& parents,
                                          const std::vector<double>& decay) {
  std::vector<std::vector<double>> stacks;
  std::vector<std::size_t> children(parents.size());
  std::vector<double> out;
  for (std::size_t i = 0; i < parents.size(); i++) {
    std::vector<double> stack(rule.degree * rule.depth);
    if (parents[i] >= 0) {
      const auto parent = static_cast<std::size_t>(parents[i]);
      std::copy(stacks[parent].begin(),
                stacks[parent].end() - static_cast<std::ptrdiff_t>(rule.degree),
                stack.begin() + static_cast<std::ptrdiff_t>(rule.degree));
      stack[children[parent]++] = 1;
    }
    for (std::size_t place = 0; place < stack.size(); place++) {
      for (double p : decay) {
        const double t = std::tanh(p), level = static_cast<double>(place / rule.degree);
        out.push_back(stack[place] * std::pow(t, level) *
                      std::sqrt((1 - t * t) * rule.model_dim / 2));
      }
    }
    stacks.push_back(stack);
  }
  return out;
}

// What d_out says about the decays, by the derivative of each weight.
inline std::vector<double> tree_backward(const TreeRule& rule, const std::vector<double>& rows,
                                         const std::vector<double>& decay,
                                         const std::vector<double>& d_out) {
  std::vector<double> d_decay(decay.size());
  for (std::size_t at = 0; at < rows.size(); at++) {
    if (rows[at] == 0) continue;
    const std::size_t f = at % decay.size(), place = at / decay.size() % (rule.degree * rule.depth);
    const double t = std::tanh(decay[f]), level = static_cast<double>(place / rule.degree);
    // The logarithm of a weight is level · log t + log(1 - t²) / 2.
    d_decay[f] += d_out[at] * rows[at] * (level / t - t / (1 - t * t)) * (1 - t * t);
  }
  return d_decay;
}

}  // namespace posenc::reference
