#include "reference/layer/layer.hpp"

#include <cmath>

#include "reference/attention/attention.hpp"

namespace posenc::reference {
namespace {

std::size_t at(int64_t a, int64_t stride, int64_t b) {
  return static_cast<std::size_t>(a * stride + b);
}

// x [rows, in] · w [in, out] + b
Numbers project(const Numbers& x, const Numbers& w, const Numbers& b, int64_t in, int64_t out) {
  const int64_t rows = static_cast<int64_t>(x.size()) / in;
  Numbers y(at(rows, out, 0));
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t o = 0; o < out; o++) {
      double sum = b.empty() ? 0 : b[at(0, 0, o)];
      for (int64_t i = 0; i < in; i++) sum += x[at(r, in, i)] * w[at(i, out, o)];
      y[at(r, out, o)] = sum;
    }
  }
  return y;
}

// Gradients of the same for dy: of weight and bias, and added to dx that of x.
struct Sums {
  Numbers weight, bias;
};
Sums sum_products(const Numbers& x, const Numbers& dy, int64_t in, int64_t out) {
  Sums sums{Numbers(at(in, out, 0)), Numbers(at(0, 0, out))};
  for (int64_t r = 0; r < static_cast<int64_t>(x.size()) / in; r++) {
    for (int64_t o = 0; o < out; o++) {
      const double d = dy[at(r, out, o)];
      sums.bias[at(0, 0, o)] += d;
      for (int64_t i = 0; i < in; i++) sums.weight[at(i, out, o)] += x[at(r, in, i)] * d;
    }
  }
  return sums;
}

Numbers magnitudes(Numbers numbers) {
  for (double& x : numbers) x = std::abs(x);
  return numbers;
}

// `dy_size`: what the sums behind dy add up.
void project_backward(const Numbers& x, const Numbers& w, const Numbers& dy, const Numbers& dy_size,
                      int64_t in, int64_t out, bool with_bias, Numbers LayerWeights::* weight,
                      Numbers LayerWeights::* bias, LayerGradient& g, Numbers& dx) {
  const Sums sums = sum_products(x, dy, in, out),
             sizes = sum_products(magnitudes(x), dy_size, in, out);
  g.weights.*weight = sums.weight, g.added_up.*weight = sizes.weight;
  if (with_bias) g.weights.*bias = sums.bias, g.added_up.*bias = sizes.bias;
  for (int64_t r = 0; r < static_cast<int64_t>(x.size()) / in; r++) {
    for (int64_t o = 0; o < out; o++) {
      for (int64_t i = 0; i < in; i++) dx[at(r, in, i)] += w[at(i, out, o)] * dy[at(r, out, o)];
    }
  }
}

// [batch, length, heads · dim] → [batch, heads, length, dim], or back.
Numbers swap_heads(const Numbers& x, int64_t batch, int64_t length, int64_t heads, int64_t dim,
                   bool back) {
  Numbers y(x.size());
  for (int64_t b = 0; b < batch; b++) {
    for (int64_t l = 0; l < length; l++) {
      for (int64_t h = 0; h < heads; h++) {
        for (int64_t c = 0; c < dim; c++) {
          const std::size_t packed = at((b * length + l) * heads + h, dim, c);
          const std::size_t by_heads = at((b * heads + h) * length + l, dim, c);
          y[back ? packed : by_heads] = x[back ? by_heads : packed];
        }
      }
    }
  }
  return y;
}

// Turns rows [.., length, dim] by position · frequency, pairs m and m + frequencies.
void rotate(Numbers& x, const Numbers& positions, const Numbers& frequencies, int64_t dim,
            double direction) {
  const auto pairs = static_cast<int64_t>(frequencies.size());
  if (pairs == 0) return;
  const auto length = static_cast<int64_t>(positions.size());
  for (int64_t r = 0; r < static_cast<int64_t>(x.size()) / dim; r++) {
    for (int64_t m = 0; m < pairs; m++) {
      const double angle = direction * positions[static_cast<std::size_t>(r % length)] *
                           frequencies[static_cast<std::size_t>(m)];
      double &a = x[at(r, dim, m)], &b = x[at(r, dim, m + pairs)];
      const double turned = a * std::cos(angle) - b * std::sin(angle);
      b = a * std::sin(angle) + b * std::cos(angle);
      a = turned;
    }
  }
}

// Magnitudes of rows that turn, whatever the angle: both of a pair have the sum of both.
void mix(Numbers& sizes, const Numbers& frequencies, int64_t dim) {
  const auto pairs = static_cast<int64_t>(frequencies.size());
  for (int64_t r = 0; r < static_cast<int64_t>(sizes.size()) / dim; r++) {
    for (int64_t m = 0; m < pairs; m++) {
      double &a = sizes[at(r, dim, m)], &b = sizes[at(r, dim, m + pairs)];
      a = b = a + b;
    }
  }
}

// What queries, keys and values are made from, and the attention of what was made.
struct Parts {
  const Layer& l;
  bool cross;
  Numbers xq, xk, xv;
  Attention attention;

  explicit Parts(const Layer& layer) : l(layer), cross(!layer.context.empty()) {
    const Numbers& plain = cross ? l.context : l.x;
    const Numbers with = encoded(plain, cross ? l.context_rows : l.x_rows);
    xq = encoded(l.x, l.x_rows);
    xk = l.encode_keys ? with : plain;
    xv = l.encode_values ? with : plain;
    const int64_t width = cross ? l.context_dim : l.dim;
    const LayerWeights& w = l.weights;
    attention = {l.batch,
                 l.heads,
                 l.kv_heads,
                 l.q_len,
                 l.k_len,
                 l.head_dim,
                 l.value_dim,
                 l.scale,
                 l.softcap,
                 swap_heads(project(xq, w.wq, w.bq, l.dim, l.heads * l.head_dim), l.batch, l.q_len,
                            l.heads, l.head_dim, false),
                 swap_heads(project(xk, w.wk, w.bk, width, l.kv_heads * l.head_dim), l.batch,
                            l.k_len, l.kv_heads, l.head_dim, false),
                 swap_heads(project(xv, w.wv, w.bv, width, l.kv_heads * l.value_dim), l.batch,
                            l.k_len, l.kv_heads, l.value_dim, false),
                 l.bias,
                 {},
                 l.visible};
    rotate(attention.q, l.q_positions, l.frequencies, l.head_dim, 1);
    rotate(attention.k, l.k_positions, l.frequencies, l.head_dim, 1);
  }

  Numbers encoded(const Numbers& tokens, const Numbers& rows) const {
    Numbers result = tokens;
    for (std::size_t i = 0; i < rows.size(); i++) result[i] = l.input_scale * tokens[i] + rows[i];
    return result;
  }
};

}  // namespace

LayerResult layer_forward(const Layer& l) {
  const Parts parts(l);
  const AttentionResult attended = attention_forward(parts.attention);
  LayerResult result;
  result.attended = swap_heads(attended.out, l.batch, l.q_len, l.heads, l.value_dim, true);
  result.lse = attended.lse;
  result.weights = attention_scores(parts.attention).weights;
  result.out = l.weights.wo.empty() ? result.attended
                                    : project(result.attended, l.weights.wo, l.weights.bo,
                                              l.heads * l.value_dim, l.dim);
  return result;
}

LayerGradient layer_backward(const Layer& l, const Numbers& d_out) {
  const Parts parts(l);
  const LayerResult forward = layer_forward(l);
  LayerGradient g;
  Numbers d_attended = l.weights.wo.empty() ? d_out : Numbers(forward.attended.size());
  if (!l.weights.wo.empty()) {
    project_backward(forward.attended, l.weights.wo, d_out, magnitudes(d_out),
                     l.heads * l.value_dim, l.dim, !l.weights.bo.empty(), &LayerWeights::wo,
                     &LayerWeights::bo, g, d_attended);
  }
  const Numbers d_heads = swap_heads(d_attended, l.batch, l.q_len, l.heads, l.value_dim, false);
  AttentionGradient a = attention_backward(parts.attention, d_heads);
  AttentionGradientSizes sizes = attention_gradient_sizes(parts.attention, d_heads);
  g.d_bias = a.d_bias;
  rotate(a.dq, l.q_positions, l.frequencies, l.head_dim, -1);
  rotate(a.dk, l.k_positions, l.frequencies, l.head_dim, -1);
  mix(sizes.dq, l.frequencies, l.head_dim);
  mix(sizes.dk, l.frequencies, l.head_dim);
  const Numbers dq = swap_heads(a.dq, l.batch, l.q_len, l.heads, l.head_dim, true);
  const Numbers dk = swap_heads(a.dk, l.batch, l.k_len, l.kv_heads, l.head_dim, true);
  const Numbers dq_size = swap_heads(sizes.dq, l.batch, l.q_len, l.heads, l.head_dim, true);
  const Numbers dk_size = swap_heads(sizes.dk, l.batch, l.k_len, l.kv_heads, l.head_dim, true);
  const Numbers dv = swap_heads(a.dv, l.batch, l.k_len, l.kv_heads, l.value_dim, true);

  const LayerWeights& w = l.weights;
  const int64_t width = parts.cross ? l.context_dim : l.dim;
  Numbers d_xq(parts.xq.size()), d_xk(parts.xk.size()), d_xv(parts.xv.size());
  const bool biases = !w.bq.empty();
  project_backward(parts.xq, w.wq, dq, dq_size, l.dim, l.heads * l.head_dim, biases,
                   &LayerWeights::wq, &LayerWeights::bq, g, d_xq);
  project_backward(parts.xk, w.wk, dk, dk_size, width, l.kv_heads * l.head_dim, biases,
                   &LayerWeights::wk, &LayerWeights::bk, g, d_xk);
  project_backward(parts.xv, w.wv, dv, magnitudes(dv), width, l.kv_heads * l.value_dim, biases,
                   &LayerWeights::wv, &LayerWeights::bv, g, d_xv);

  g.dx.assign(l.x.size(), 0);
  g.d_context.assign(l.context.size(), 0);
  g.d_x_rows.assign(l.x_rows.size(), 0);
  g.d_context_rows.assign(l.context_rows.size(), 0);
  const auto give = [&](const Numbers& d, bool to_context, bool encoded) {
    Numbers& tokens = to_context ? g.d_context : g.dx;
    Numbers& rows = to_context ? g.d_context_rows : g.d_x_rows;
    const bool scaled = encoded && !rows.empty();
    for (std::size_t i = 0; i < d.size(); i++) {
      tokens[i] += (scaled ? l.input_scale : 1) * d[i];
      if (scaled) rows[i] += d[i];
    }
  };
  give(d_xq, false, true);
  give(d_xk, parts.cross, l.encode_keys);
  give(d_xv, parts.cross, l.encode_values);
  return g;
}

}  // namespace posenc::reference
