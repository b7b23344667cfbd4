// Rotations of a call: the factors of its positions, and rows turned by them on their way into packed form.
#pragma once

#include <cstdint>

#include "posenc/attention/call.hpp"
#include "posenc/attention/scratch.hpp"

namespace posenc::attn {

// Factors of one side, [count, dim / 2] each; dim 0: rows stay as they are.
struct Rotation {
  const float* cos = nullptr;
  const float* sin = nullptr;
  int64_t dim = 0;
  PairLayout layout = PairLayout::kHalf;
};

// Rows x [count, width], `stride` apart → out [count, width] = scale · rotated; row i takes factors first + i.
void load_rows(const float* x, int64_t stride, int64_t count, int64_t width, const Rotation& rotation, int64_t first,
               float scale, float* out) noexcept;
// The gradient of that: x [count, width], `stride` apart → out, `out_stride` apart, turned back.
void store_gradient_rows(const float* x, int64_t stride, int64_t count, int64_t width, const Rotation& rotation,
                         int64_t first, float scale, float* out, int64_t out_stride) noexcept;

// The tables of a batch row, made anew only where they differ from those of the row before.
class RotaryTables {
 public:
  RotaryTables(const Attention& attention, const AttentionInputs& inputs) noexcept;
  void lay_out(Carver& carver, int64_t q_len, int64_t k_len) noexcept;
  void make(const CallRow& row) noexcept;

  Rotation query() const noexcept { return query_; }
  Rotation key() const noexcept { return key_; }
  Rotation value() const noexcept { return value_; }

 private:
  const RotaryEncoding* rotary_;
  Rotation query_, key_, value_;
  float *query_cos_ = nullptr, *query_sin_ = nullptr, *key_cos_ = nullptr, *key_sin_ = nullptr;
  CallRow made_;
  bool any_made_ = false;
};

}  // namespace posenc::attn
