#include "reference/relative/terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::reference {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// One pair of query and key: where its vectors stand.
struct Pair {
  std::size_t score, query, key, value, out;
  int64_t head;
};

template <typename Body>
void for_queries(const Attention& a, Body body) {
  for (int64_t b = 0; b < a.batch; b++) {
    for (int64_t h = 0; h < a.heads; h++) {
      for (int64_t i = 0; i < a.q_len; i++) body(b, h, i);
    }
  }
}

Pair pair_of(const Attention& a, int64_t b, int64_t h, int64_t i, int64_t j) {
  const int64_t query = (b * a.heads + h) * a.q_len + i;
  const int64_t key = (b * a.kv_heads + h / (a.heads / a.kv_heads)) * a.k_len + j;
  const auto place = [](int64_t row, int64_t width) {
    return static_cast<std::size_t>(row * width);
  };
  return {place(query, a.k_len) + static_cast<std::size_t>(j),
          place(query, a.head_dim),
          place(key, a.head_dim),
          place(key, a.value_dim),
          place(query, a.value_dim),
          h};
}

std::size_t row_of(const Attention& a, const Term& term, int64_t h, int64_t i, int64_t j) {
  return static_cast<std::size_t>(h * term.count +
                                  term.index[static_cast<std::size_t>(i * a.k_len + j)]);
}

// The query as it is multiplied with keys: q + u.
double query_at(const RelativeAttention& r, const Pair& p, int64_t c,
                const std::vector<double>& offset) {
  const double q = r.attention.q[p.query + static_cast<std::size_t>(c)];
  return offset.empty() ? q
                        : q + offset[static_cast<std::size_t>(p.head * r.attention.head_dim + c)];
}
const std::vector<double>& offset_of(const RelativeAttention& r, const Term& term) {
  return term.offset.empty() ? r.offset : term.offset;
}

double raw_score(const RelativeAttention& r, const Pair& p, int64_t i, int64_t j) {
  const Attention& a = r.attention;
  double raw = 0;
  for (int64_t c = 0; c < a.head_dim; c++)
    raw += query_at(r, p, c, r.offset) * a.k[p.key + static_cast<std::size_t>(c)];
  raw *= a.scale;
  for (const Term& term : r.terms) {
    if (term.side == Side::kValue) continue;
    const std::size_t row = row_of(a, term, p.head, i, j);
    double sum = term.bias.empty() ? 0 : term.bias[row];
    for (int64_t c = 0; c < a.head_dim; c++) {
      const double factor = term.side == Side::kQuery ? query_at(r, p, c, offset_of(r, term))
                                                      : a.k[p.key + static_cast<std::size_t>(c)];
      sum += factor *
             term.rows[row * static_cast<std::size_t>(a.head_dim) + static_cast<std::size_t>(c)];
    }
    raw += term.scale * sum;
  }
  return raw;
}

// v_j + the rows of value terms.
double value_at(const RelativeAttention& r, const Pair& p, int64_t i, int64_t j, int64_t c) {
  const Attention& a = r.attention;
  double value = a.v[p.value + static_cast<std::size_t>(c)];
  for (const Term& term : r.terms) {
    if (term.side != Side::kValue) continue;
    value += term.rows[row_of(a, term, p.head, i, j) * static_cast<std::size_t>(a.value_dim) +
                       static_cast<std::size_t>(c)];
  }
  return value;
}

double capped(const Attention& a, double raw) {
  return a.softcap > 0 ? a.softcap * std::tanh(raw / a.softcap) : raw;
}
bool visible(const Attention& a, std::size_t score) {
  return a.visible.empty() || a.visible[score];
}

}  // namespace

RelativeResult relative_forward(const RelativeAttention& r) {
  const Attention& a = r.attention;
  RelativeResult result;
  result.raw.resize(static_cast<std::size_t>(a.batch * a.heads * a.q_len * a.k_len));
  result.weights = result.raw;
  result.out.resize(static_cast<std::size_t>(a.batch * a.heads * a.q_len * a.value_dim));
  for_queries(a, [&](int64_t b, int64_t h, int64_t i) {
    double largest = kHidden, sum = 0;
    for (int64_t j = 0; j < a.k_len; j++) {
      const Pair p = pair_of(a, b, h, i, j);
      result.raw[p.score] = raw_score(r, p, i, j);
      const double score = capped(a, result.raw[p.score]) + (a.bias.empty() ? 0 : a.bias[p.score]);
      result.weights[p.score] = visible(a, p.score) ? score : kHidden;
      largest = std::max(largest, result.weights[p.score]);
    }
    for (int64_t j = 0; j < a.k_len; j++) {
      double& weight = result.weights[pair_of(a, b, h, i, j).score];
      weight = weight == kHidden ? 0 : std::exp(weight - largest);
      sum += weight;
    }
    result.lse.push_back(sum > 0 ? largest + std::log(sum) : kHidden);
    for (int64_t j = 0; j < a.k_len && sum > 0; j++) {
      const Pair p = pair_of(a, b, h, i, j);
      result.weights[p.score] /= sum;
      for (int64_t c = 0; c < a.value_dim && visible(a, p.score); c++) {
        result.out[p.out + static_cast<std::size_t>(c)] +=
            result.weights[p.score] * value_at(r, p, i, j, c);
      }
    }
  });
  return result;
}

RelativeGradient relative_backward(const RelativeAttention& r, const std::vector<double>& d_out) {
  const Attention& a = r.attention;
  const RelativeResult forward = relative_forward(r);
  RelativeGradient g;
  g.dq.resize(a.q.size()), g.dk.resize(a.k.size()), g.dv.resize(a.v.size()),
      g.d_offset.resize(r.offset.size());
  for (const Term& term : r.terms) {
    g.d_rows.emplace_back(term.rows.size());
    g.d_bias.emplace_back(term.bias.size());
    g.d_term_offset.emplace_back(term.offset.size());
  }
  for_queries(a, [&](int64_t b, int64_t h, int64_t i) {
    std::vector<double> d_weights(static_cast<std::size_t>(a.k_len));
    double mean = 0;
    for (int64_t j = 0; j < a.k_len; j++) {
      const Pair p = pair_of(a, b, h, i, j);
      if (!visible(a, p.score)) continue;
      const double weight = forward.weights[p.score];
      for (int64_t c = 0; c < a.value_dim; c++) {
        const auto at = static_cast<std::size_t>(c);
        const double d = d_out[p.out + at];
        d_weights[static_cast<std::size_t>(j)] += d * value_at(r, p, i, j, c);
        g.dv[p.value + at] += weight * d;
        for (std::size_t t = 0; t < r.terms.size(); t++) {
          if (r.terms[t].side != Side::kValue) continue;
          g.d_rows[t][row_of(a, r.terms[t], h, i, j) * static_cast<std::size_t>(a.value_dim) +
                      at] += weight * d;
        }
      }
      mean += weight * d_weights[static_cast<std::size_t>(j)];
    }
    for (int64_t j = 0; j < a.k_len; j++) {
      const Pair p = pair_of(a, b, h, i, j);
      if (!visible(a, p.score)) continue;
      double d_raw = forward.weights[p.score] * (d_weights[static_cast<std::size_t>(j)] - mean);
      if (a.softcap > 0) d_raw *= 1 - std::pow(capped(a, forward.raw[p.score]) / a.softcap, 2);
      const auto add_query = [&](std::size_t c, double d, std::vector<double>& d_offset) {
        g.dq[p.query + c] += d;
        if (!d_offset.empty()) d_offset[static_cast<std::size_t>(h * a.head_dim) + c] += d;
      };
      for (std::size_t c = 0; c < static_cast<std::size_t>(a.head_dim); c++) {
        add_query(c, a.scale * d_raw * a.k[p.key + c], g.d_offset);
        g.dk[p.key + c] += a.scale * d_raw * query_at(r, p, static_cast<int64_t>(c), r.offset);
      }
      for (std::size_t t = 0; t < r.terms.size(); t++) {
        const Term& term = r.terms[t];
        if (term.side == Side::kValue) continue;
        const std::size_t row = row_of(a, term, h, i, j);
        const double d = term.scale * d_raw;
        if (!term.bias.empty()) g.d_bias[t][row] += d;
        for (std::size_t c = 0; c < static_cast<std::size_t>(a.head_dim); c++) {
          const std::size_t at = row * static_cast<std::size_t>(a.head_dim) + c;
          if (term.side == Side::kQuery) {
            add_query(c, d * term.rows[at], term.offset.empty() ? g.d_offset : g.d_term_offset[t]);
            g.d_rows[t][at] += d * query_at(r, p, static_cast<int64_t>(c), offset_of(r, term));
          } else {
            g.dk[p.key + c] += d * term.rows[at];
            g.d_rows[t][at] += d * a.k[p.key + c];
          }
        }
      }
    }
  });
  return g;
}

}  // namespace posenc::reference
