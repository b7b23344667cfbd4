#include "reference/bias/gate.hpp"

#include <cmath>

namespace posenc::reference {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// σ of the sum of one half of x·W + b.
double half_of(const Gate& gate, const double* row, int64_t half) {
  double sum = 0;
  for (int64_t n = half * gate.width / 2; n < (half + 1) * gate.width / 2; n++) {
    sum += gate.bias[static_cast<std::size_t>(n)];
    for (int64_t c = 0; c < gate.dim; c++)
      sum += row[c] * gate.weight[static_cast<std::size_t>(c * gate.width + n)];
  }
  return sigmoid(sum);
}

template <typename Body>
void for_rows(const Gate& gate, const std::vector<double>& content, int64_t rows, Body body) {
  for (std::size_t n = 0; n * static_cast<std::size_t>(gate.dim) < content.size(); n++) {
    const std::size_t head =
        n / static_cast<std::size_t>(rows) % static_cast<std::size_t>(gate.heads);
    body(n, head, content.data() + n * static_cast<std::size_t>(gate.dim));
  }
}

}  // namespace

std::vector<double> gates(const Gate& gate, const std::vector<double>& content, int64_t rows) {
  std::vector<double> result;
  for_rows(gate, content, rows, [&](std::size_t, std::size_t head, const double* row) {
    const double update = half_of(gate, row, 0), reset = half_of(gate, row, 1);
    result.push_back(update * (reset * gate.scale[head] - 1) + 2);
  });
  return result;
}

GateGradient gates_backward(const Gate& gate, const std::vector<double>& content, int64_t rows,
                            const std::vector<double>& d_gates) {
  GateGradient g{std::vector<double>(content.size()), std::vector<double>(gate.weight.size()),
                 std::vector<double>(gate.bias.size()), std::vector<double>(gate.scale.size())};
  for_rows(gate, content, rows, [&](std::size_t n, std::size_t head, const double* row) {
    const double update = half_of(gate, row, 0), reset = half_of(gate, row, 1);
    const double slopes[] = {d_gates[n] * (reset * gate.scale[head] - 1) * update * (1 - update),
                             d_gates[n] * update * gate.scale[head] * reset * (1 - reset)};
    g.scale[head] += d_gates[n] * update * reset;
    for (std::size_t z = 0; z < gate.bias.size(); z++) {
      const double slope = slopes[z < gate.bias.size() / 2 ? 0 : 1];
      g.bias[z] += slope;
      for (std::size_t c = 0; c < static_cast<std::size_t>(gate.dim); c++) {
        g.weight[c * gate.bias.size() + z] += slope * row[c];
        g.content[n * static_cast<std::size_t>(gate.dim) + c] +=
            slope * gate.weight[c * gate.bias.size() + z];
      }
    }
  });
  return g;
}

}  // namespace posenc::reference
