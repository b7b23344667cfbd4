// Attention as the formula says it, in double, with every matrix written out.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// Matrices are row-major; q and k are those that are multiplied, so rotated where a rotary encoding
// is in play.
struct Attention {
  int64_t batch = 1, heads = 1, kv_heads = 1, q_len = 0, k_len = 0, head_dim = 0, value_dim = 0;
  double scale = 1, softcap = 0;
  std::vector<double> q;     // [batch, heads, q_len, head_dim]
  std::vector<double> k;     // [batch, kv_heads, k_len, head_dim]
  std::vector<double> v;     // [batch, kv_heads, k_len, value_dim]
  std::vector<double> bias;  // [batch, heads, q_len, k_len], biases and additive mask; empty: none
  std::vector<double> sinks =
      {};  // [heads], a logit more in every row's softmax, whose value is 0; empty: none
  std::vector<bool> visible;  // [batch, heads, q_len, k_len]; empty: all
};

// [batch, heads, q_len, k_len] each. biased: hidden scores are -infinity. weights: those of a row
// with nothing to see are 0.
struct AttentionScores {
  std::vector<double> raw, capped, biased, weights;
};
AttentionScores attention_scores(const Attention& attention);

struct AttentionResult {
  std::vector<double> out;  // [batch, heads, q_len, value_dim]
  std::vector<double> lse;  // [batch, heads, q_len]
};
AttentionResult attention_forward(const Attention& attention);

// Gradients of sum(out · d_out).
struct AttentionGradient {
  std::vector<double> dq, dk, dv, d_bias;
  std::vector<double> d_sinks;  // [heads]
};
AttentionGradient attention_backward(const Attention& attention, const std::vector<double>& d_out);

// The magnitudes of what the sums behind dq and dk add up. A score's gradient is a difference,
// weight · (gradient - mean gradient): small where one weight is nearly 1, of numbers that are not.
struct AttentionGradientSizes {
  std::vector<double> dq, dk;
};
AttentionGradientSizes attention_gradient_sizes(const Attention& attention,
                                                const std::vector<double>& d_out);

}  // namespace posenc::reference
