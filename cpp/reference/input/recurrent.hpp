// States of a recurrent cell without input and their gradients, as plain loops in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/network.hpp"

namespace posenc::reference {

using Vector = std::vector<double>;

// start, W_n, b_n and, of the GRU, W_r, b_r, W_z, b_z, b_g.
struct Cell {
  std::vector<Vector> tensors;
  bool gru() const { return tensors.size() > 3; }
};

struct CellStep {
  Vector reset, update, gated, fresh, next;
};

inline CellStep cell_step(const Cell& cell, const Vector& h) {
  const std::size_t d = h.size();
  const auto& t = cell.tensors;
  if (!cell.gru()) {
    CellStep step;
    step.next = dense(t[1], t[2], h, d);
    for (double& value : step.next) value = std::tanh(value);
    return step;
  }
  CellStep step = {dense(t[3], t[4], h, d), dense(t[5], t[6], h, d), dense(t[1], t[7], h, d),
                   Vector(d), Vector(d)};
  for (std::size_t i = 0; i < d; i++) {
    step.reset[i] = sigmoid(step.reset[i]);
    step.update[i] = sigmoid(step.update[i]);
    step.fresh[i] = std::tanh(t[2][i] + step.reset[i] * step.gated[i]);
    step.next[i] = (1 - step.update[i]) * step.fresh[i] + step.update[i] * h[i];
  }
  return step;
}

// Adds the gradients of the tensors and returns that of h.
inline Vector cell_back(const Cell& cell, const Vector& h, const Vector& d_next,
                        std::vector<Vector>& gradients) {
  const std::size_t d = h.size();
  const auto& t = cell.tensors;
  const CellStep step = cell_step(cell, h);
  Vector d_new(d), d_reset(d), d_update(d), d_gated(d), d_h(d);
  if (!cell.gru()) {
    for (std::size_t i = 0; i < d; i++) d_new[i] = d_next[i] * (1 - step.next[i] * step.next[i]);
    return dense_backward(t[1], h, d_new, gradients[1], gradients[2]);
  }
  for (std::size_t i = 0; i < d; i++) {
    const double r = step.reset[i], z = step.update[i], n = step.fresh[i];
    d_h[i] = d_next[i] * z;
    d_update[i] = d_next[i] * (h[i] - n) * z * (1 - z);
    d_new[i] = d_next[i] * (1 - z) * (1 - n * n);
    d_reset[i] = d_new[i] * step.gated[i] * r * (1 - r);
    d_gated[i] = d_new[i] * r;
    gradients[2][i] += d_new[i];
  }
  const Vector parts[] = {dense_backward(t[3], h, d_reset, gradients[3], gradients[4]),
                          dense_backward(t[5], h, d_update, gradients[5], gradients[6]),
                          dense_backward(t[1], h, d_gated, gradients[1], gradients[7])};
  for (const Vector& part : parts) {
    for (std::size_t i = 0; i < d; i++) d_h[i] += part[i];
  }
  return d_h;
}

// States 0 to last.
inline std::vector<Vector> cell_states(const Cell& cell, int64_t last) {
  std::vector<Vector> states = {cell.tensors[0]};
  for (int64_t p = 0; p < last; p++) states.push_back(cell_step(cell, states.back()).next);
  return states;
}

}  // namespace posenc::reference
