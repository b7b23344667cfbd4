// Softmax over rows that come in pieces: a running largest value and sum (Milakov & Gimelshein
// 2018).
#pragma once

#include <cstdint>

namespace posenc::kernels {

// The largest of `count` values; -inf of none. NaN may be passed over: it shows in the sum.
float largest(const float* x, int64_t count) noexcept;
// x = exp(x - shift); returns the sum. -inf gives exactly 0.
float exp_shifted(float* x, int64_t count, float shift) noexcept;

// What the rows of a tile have seen so far.
struct RunningRows {
  float* largest;  // -inf at first
  float* sum;      // 0 at first
  float* factors;  // by which what was summed with older weights has to be multiplied after a step
};
// Takes in tile [rows, columns], rows `stride` floats apart, and turns its scores into weights
// exp(score - largest).
void softmax_step(float* tile, int64_t stride, int64_t rows, int64_t columns,
                  const RunningRows& running) noexcept;

// out = x / sum, where `sum` is that of the weights behind x; zeros where nothing was seen.
void weighted_mean(const float* x, float sum, int64_t count, float* out) noexcept;
// log of the sum of exp of all that a row has seen; -inf of nothing.
float log_sum_exp(float largest, float sum) noexcept;

// x = cap·tanh(x / cap)
void softcap(float* x, int64_t count, float cap) noexcept;
// d_x = d_capped·(1 - (capped / cap)²), in place. A gradient of 0 stays 0 whatever stands beside
// it.
void softcap_backward(const float* capped, int64_t count, float cap, float* gradient) noexcept;
// The gradient of a row of scores from its weights and the gradient of these, in place:
// weight·(gradient - mean), where `mean` is the mean gradient under the weights. A weight of 0
// gives exactly 0.
void softmax_backward(const float* weights, int64_t count, float mean, float* gradient) noexcept;

bool all_finite(const float* x, int64_t count) noexcept;
float dot(const float* x, const float* y, int64_t count) noexcept;

}  // namespace posenc::kernels
