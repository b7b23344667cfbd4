// An attention layer as the formula says it, in double, with every matrix written out.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

using Numbers = std::vector<double>;

// Weights are [in, out]; an empty bias is none, an empty wo no output projection.
struct LayerWeights {
  Numbers wq, wk, wv, wo, bq, bk, bv, bo;
};

struct Layer {
  int64_t batch = 1, q_len = 0, k_len = 0, dim = 0, context_dim = 0;
  int64_t heads = 1, kv_heads = 1, head_dim = 0, value_dim = 0;
  double scale = 1, softcap = 0;
  LayerWeights weights;
  Numbers x;        // [batch, q_len, dim]
  Numbers context;  // [batch, k_len, context_dim]; empty: x
  // Rows of the input encodings [batch, length, width], and the factor on the tokens; empty: none.
  Numbers x_rows, context_rows;
  double input_scale = 1;
  bool encode_keys = true, encode_values = true;
  // Rotation of queries and keys in pairs m, m + frequencies; empty: none. Positions of queries and
  // keys of all rows.
  Numbers frequencies, q_positions, k_positions;
  Numbers bias;               // [batch, heads, q_len, k_len]; empty: none
  std::vector<bool> visible;  // the same; empty: all
};

struct LayerResult {
  Numbers out;       // [batch, q_len, dim], or heads · value_dim wide
  Numbers attended;  // [batch, q_len, heads · value_dim]
  Numbers lse;       // [batch, heads, q_len]
  Numbers weights;   // of attention, [batch, heads, q_len, k_len]
};
LayerResult layer_forward(const Layer& layer);

// Gradients of sum(out · d_out).
struct LayerGradient {
  Numbers dx, d_context, d_x_rows, d_context_rows, d_bias;
  LayerWeights weights;
  LayerWeights added_up;  // the magnitudes of what the sums behind `weights` add up
};
LayerGradient layer_backward(const Layer& layer, const Numbers& d_out);

}  // namespace posenc::reference
