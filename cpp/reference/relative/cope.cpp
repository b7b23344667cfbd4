#include "reference/relative/cope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::reference {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

// Vectors of one query and its keys.
struct Line {
  const Cope& cope;
  int64_t b, h, i;

  const Attention& a() const { return cope.attention; }
  int64_t query() const { return (b * a().heads + h) * a().q_len + i; }
  int64_t key(int64_t j) const {
    return (b * a().kv_heads + h / (a().heads / a().kv_heads)) * a().k_len + j;
  }
  std::size_t score(int64_t j) const { return at(query() * a().k_len + j); }
  bool visible(int64_t j) const { return a().visible.empty() || a().visible[score(j)]; }
  double q(int64_t c) const { return a().q[at(query() * a().head_dim + c)]; }
  double k(int64_t j, int64_t c) const { return a().k[at(key(j) * a().head_dim + c)]; }
  double product(int64_t j) const {
    double sum = 0;
    for (int64_t c = 0; c < a().head_dim; c++) sum += q(c) * k(j, c);
    return sum;
  }
  double row(int64_t r) const {  // q · e_r
    double sum = 0;
    for (int64_t c = 0; c < a().head_dim; c++) sum += q(c) * cope.table[at(r * a().head_dim + c)];
    return sum;
  }
  double gate(int64_t j) const {
    return visible(j) ? 1 / (1 + std::exp(-cope.gate_scale * product(j))) : 0;
  }
};

template <typename Body>
void for_lines(const Cope& cope, Body body) {
  for (int64_t b = 0; b < cope.attention.batch; b++) {
    for (int64_t h = 0; h < cope.attention.heads; h++) {
      for (int64_t i = 0; i < cope.attention.q_len; i++) body(Line{cope, b, h, i});
    }
  }
}

}  // namespace

CopeResult cope_forward(const Cope& cope) {
  const Attention& a = cope.attention;
  CopeResult result;
  result.raw.resize(at(a.batch * a.heads * a.q_len * a.k_len));
  result.positions = result.weights = result.raw;
  result.out.resize(at(a.batch * a.heads * a.q_len * a.value_dim));
  for_lines(cope, [&](const Line& line) {
    double position = 0, largest = kHidden, sum = 0;
    for (int64_t j = a.k_len - 1; j >= 0; j--) {
      position += line.gate(j);
      const double p = std::min(position, static_cast<double>(cope.count - 1)), low = std::floor(p);
      const double z = (1 - (p - low)) * line.row(static_cast<int64_t>(low)) +
                       (p - low) * line.row(static_cast<int64_t>(std::ceil(p)));
      result.positions[line.score(j)] = p;
      result.raw[line.score(j)] = a.scale * (line.product(j) + z);
      if (line.visible(j)) largest = std::max(largest, result.raw[line.score(j)]);
    }
    for (int64_t j = 0; j < a.k_len; j++) {
      double& weight = result.weights[line.score(j)];
      weight = line.visible(j) ? std::exp(result.raw[line.score(j)] - largest) : 0;
      sum += weight;
    }
    result.lse.push_back(sum > 0 ? largest + std::log(sum) : kHidden);
    for (int64_t j = 0; j < a.k_len && sum > 0; j++) {
      double& weight = result.weights[line.score(j)];
      weight /= sum;
      for (int64_t c = 0; c < a.value_dim && line.visible(j); c++) {
        result.out[at(line.query() * a.value_dim + c)] +=
            weight * a.v[at(line.key(j) * a.value_dim + c)];
      }
    }
  });
  return result;
}

CopeGradient cope_backward(const Cope& cope, const std::vector<double>& d_out) {
  const Attention& a = cope.attention;
  const CopeResult forward = cope_forward(cope);
  CopeGradient g{std::vector<double>(a.q.size()), std::vector<double>(a.k.size()),
                 std::vector<double>(a.v.size()), std::vector<double>(cope.table.size())};
  for_lines(cope, [&](const Line& line) {
    std::vector<double> d_weight(at(a.k_len)), d_position(at(a.k_len));
    double mean = 0;
    for (int64_t j = 0; j < a.k_len; j++) {
      const double weight = forward.weights[line.score(j)];
      for (int64_t c = 0; c < a.value_dim && line.visible(j); c++) {
        const double d = d_out[at(line.query() * a.value_dim + c)];
        d_weight[at(j)] += d * a.v[at(line.key(j) * a.value_dim + c)];
        g.dv[at(line.key(j) * a.value_dim + c)] += weight * d;
      }
      mean += weight * d_weight[at(j)];
    }
    const auto add_product = [&](int64_t j, double d) {  // of q·k_j
      for (int64_t c = 0; c < a.head_dim; c++) {
        g.dq[at(line.query() * a.head_dim + c)] += d * line.k(j, c);
        g.dk[at(line.key(j) * a.head_dim + c)] += d * line.q(c);
      }
    };
    const auto add_row = [&](int64_t r, double d) {  // of q·e_r
      for (int64_t c = 0; c < a.head_dim; c++) {
        g.dq[at(line.query() * a.head_dim + c)] += d * cope.table[at(r * a.head_dim + c)];
        g.d_table[at(r * a.head_dim + c)] += d * line.q(c);
      }
    };
    for (int64_t j = 0; j < a.k_len; j++) {
      if (!line.visible(j)) continue;
      const double d = a.scale * forward.weights[line.score(j)] * (d_weight[at(j)] - mean);
      const double p = forward.positions[line.score(j)], low = std::floor(p);
      const auto below = static_cast<int64_t>(low), above = static_cast<int64_t>(std::ceil(p));
      add_product(j, d);
      add_row(below, d * (1 - (p - low)));
      add_row(above, d * (p - low));
      if (p < static_cast<double>(cope.count - 1))
        d_position[at(j)] = d * (line.row(above) - line.row(below));
    }
    double d_gate = 0;  // gate t counts in the positions of all keys up to t
    for (int64_t t = 0; t < a.k_len; t++) {
      d_gate += d_position[at(t)];
      const double gate = line.gate(t);
      if (gate > 0) add_product(t, d_gate * gate * (1 - gate) * cope.gate_scale);
    }
  });
  return g;
}

}  // namespace posenc::reference
