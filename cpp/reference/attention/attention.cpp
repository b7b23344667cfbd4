#include "reference/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::reference {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// Where things stand: row i of query head (b, h), row j of the key/value head it reads.
struct Places {
  const Attention& a;

  std::size_t score(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return static_cast<std::size_t>(((b * a.heads + h) * a.q_len + i) * a.k_len + j);
  }
  std::size_t query(int64_t b, int64_t h, int64_t i, int64_t width) const {
    return static_cast<std::size_t>(((b * a.heads + h) * a.q_len + i) * width);
  }
  std::size_t key(int64_t b, int64_t h, int64_t j, int64_t width) const {
    const int64_t kv_head = h / (a.heads / a.kv_heads);
    return static_cast<std::size_t>(((b * a.kv_heads + kv_head) * a.k_len + j) * width);
  }
  bool visible(std::size_t score) const { return a.visible.empty() || a.visible[score]; }
};

double sink_of(const Attention& a, int64_t head) {
  return a.sinks.empty() ? kHidden : a.sinks[static_cast<std::size_t>(head)];
}

template <typename Body>
void for_rows(const Attention& a, Body body) {
  for (int64_t b = 0; b < a.batch; b++) {
    for (int64_t h = 0; h < a.heads; h++) {
      for (int64_t i = 0; i < a.q_len; i++) body(b, h, i);
    }
  }
}

double dot(const std::vector<double>& x, std::size_t x_at, const std::vector<double>& y,
           std::size_t y_at, int64_t width) {
  double sum = 0;
  for (int64_t c = 0; c < width; c++)
    sum += x[x_at + static_cast<std::size_t>(c)] * y[y_at + static_cast<std::size_t>(c)];
  return sum;
}

void add(std::vector<double>& to, std::size_t to_at, double factor, const std::vector<double>& x,
         std::size_t x_at, int64_t width) {
  for (int64_t c = 0; c < width; c++) {
    to[to_at + static_cast<std::size_t>(c)] += factor * x[x_at + static_cast<std::size_t>(c)];
  }
}

}  // namespace

AttentionScores attention_scores(const Attention& a) {
  const Places at{a};
  const auto count = static_cast<std::size_t>(a.batch * a.heads * a.q_len * a.k_len);
  AttentionScores s{std::vector<double>(count), std::vector<double>(count),
                    std::vector<double>(count), std::vector<double>(count)};
  for_rows(a, [&](int64_t b, int64_t h, int64_t i) {
    const double sink = sink_of(a, h);
    double largest = sink, sum = 0;
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t n = at.score(b, h, i, j);
      s.raw[n] = a.scale * dot(a.q, at.query(b, h, i, a.head_dim), a.k, at.key(b, h, j, a.head_dim),
                               a.head_dim);
      s.capped[n] = a.softcap > 0 ? a.softcap * std::tanh(s.raw[n] / a.softcap) : s.raw[n];
      s.biased[n] = at.visible(n) ? s.capped[n] + (a.bias.empty() ? 0 : a.bias[n]) : kHidden;
      largest = std::max(largest, s.biased[n]);
    }
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t n = at.score(b, h, i, j);
      s.weights[n] = at.visible(n) ? std::exp(s.biased[n] - largest) : 0;
      sum += s.weights[n];
    }
    if (sum > 0) sum += std::exp(sink - largest);
    for (int64_t j = 0; j < a.k_len && sum > 0; j++) s.weights[at.score(b, h, i, j)] /= sum;
  });
  return s;
}

AttentionResult attention_forward(const Attention& a) {
  const Places at{a};
  const AttentionScores s = attention_scores(a);
  AttentionResult result;
  result.out.resize(static_cast<std::size_t>(a.batch * a.heads * a.q_len * a.value_dim));
  for_rows(a, [&](int64_t b, int64_t h, int64_t i) {
    double largest = sink_of(a, h), sum = 0;
    for (int64_t j = 0; j < a.k_len; j++)
      largest = std::max(largest, s.biased[at.score(b, h, i, j)]);
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t n = at.score(b, h, i, j);
      if (!at.visible(n)) continue;
      sum += std::exp(s.biased[n] - largest);
      add(result.out, at.query(b, h, i, a.value_dim), s.weights[n], a.v,
          at.key(b, h, j, a.value_dim), a.value_dim);
    }
    if (sink_of(a, h) > kHidden) sum += std::exp(sink_of(a, h) - largest);
    result.lse.push_back(sum > 0 ? largest + std::log(sum) : kHidden);
  });
  return result;
}

AttentionGradient attention_backward(const Attention& a, const std::vector<double>& d_out) {
  const Places at{a};
  const AttentionScores s = attention_scores(a);
  AttentionGradient g{std::vector<double>(a.q.size()), std::vector<double>(a.k.size()),
                      std::vector<double>(a.v.size()), std::vector<double>(s.raw.size()),
                      std::vector<double>(a.sinks.size())};
  for_rows(a, [&](int64_t b, int64_t h, int64_t i) {
    const std::size_t out = at.query(b, h, i, a.value_dim), query = at.query(b, h, i, a.head_dim);
    std::vector<double> d_weights(static_cast<std::size_t>(a.k_len));
    double mean = 0;
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t n = at.score(b, h, i, j), value = at.key(b, h, j, a.value_dim);
      if (!at.visible(n)) continue;
      d_weights[static_cast<std::size_t>(j)] = dot(d_out, out, a.v, value, a.value_dim);
      mean += s.weights[n] * d_weights[static_cast<std::size_t>(j)];
      add(g.dv, value, s.weights[n], d_out, out, a.value_dim);
    }
    // The sink has what the weights lack of 1, and a value of 0: dS = weight · (0 - mean).
    if (sink_of(a, h) > kHidden) {
      double rest = 1;
      for (int64_t j = 0; j < a.k_len; j++) rest -= s.weights[at.score(b, h, i, j)];
      g.d_sinks[static_cast<std::size_t>(h)] -= rest * mean;
    }
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t n = at.score(b, h, i, j), key = at.key(b, h, j, a.head_dim);
      if (!at.visible(n)) continue;
      g.d_bias[n] = s.weights[n] * (d_weights[static_cast<std::size_t>(j)] - mean);
      double d_raw = g.d_bias[n];
      if (a.softcap > 0) d_raw *= 1 - std::pow(s.capped[n] / a.softcap, 2);
      add(g.dq, query, a.scale * d_raw, a.k, key, a.head_dim);
      add(g.dk, key, a.scale * d_raw, a.q, query, a.head_dim);
    }
  });
  return g;
}

AttentionGradientSizes attention_gradient_sizes(const Attention& a,
                                                const std::vector<double>& d_out) {
  const Places at{a};
  const AttentionScores s = attention_scores(a);
  AttentionGradientSizes sizes{std::vector<double>(a.q.size()), std::vector<double>(a.k.size())};
  const auto width = static_cast<std::size_t>(a.head_dim);
  for_rows(a, [&](int64_t b, int64_t h, int64_t i) {
    const std::size_t out = at.query(b, h, i, a.value_dim), query = at.query(b, h, i, a.head_dim);
    const auto d_weight = [&](int64_t j) {
      return std::abs(dot(d_out, out, a.v, at.key(b, h, j, a.value_dim), a.value_dim));
    };
    double mean = 0;
    for (int64_t j = 0; j < a.k_len; j++) mean += s.weights[at.score(b, h, i, j)] * d_weight(j);
    for (int64_t j = 0; j < a.k_len; j++) {
      const std::size_t key = at.key(b, h, j, a.head_dim);
      const double size = a.scale * s.weights[at.score(b, h, i, j)] * (d_weight(j) + mean);
      for (std::size_t c = 0; c < width; c++) {
        sizes.dq[query + c] += size * std::abs(a.k[key + c]);
        sizes.dk[key + c] += size * std::abs(a.q[query + c]);
      }
    }
  });
  return sizes;
}

}  // namespace posenc::reference
