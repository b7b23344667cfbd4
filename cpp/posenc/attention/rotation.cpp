#include "posenc/attention/rotation.hpp"

#include "posenc/kernels/elementwise.hpp"

namespace posenc::attn {
namespace {

// out = x turned by the factors; `turn` is 1 forwards and -1 for the gradient. out may be x.
void rotate_row(const float* x, const float* cos, const float* sin, const Rotation& rotation, float turn,
                float* out) noexcept {
  const int64_t half = rotation.dim / 2;
  const bool halves = rotation.layout == PairLayout::kHalf;
  const int64_t step = halves ? 1 : 2, other = halves ? half : 1;
  for (int64_t m = 0; m < half; m++) {
    const float a = x[m * step], b = x[m * step + other];
    const float c = cos[m], s = turn * sin[m];
    out[m * step] = a * c - b * s;
    out[m * step + other] = b * c + a * s;
  }
}

}  // namespace

void load_rows(const float* x, int64_t stride, int64_t count, int64_t width, const Rotation& rotation, int64_t first,
               float scale, float* out) noexcept {
  const int64_t half = rotation.dim / 2;
  for (int64_t i = 0; i < count; i++, x += stride, out += width) {
    if (half > 0) {
      const int64_t at = (first + i) * half;
      rotate_row(x, rotation.cos + at, rotation.sin + at, rotation, 1, out);
      kernels::scale(out, scale, rotation.dim, out);
    }
    kernels::scale(x + rotation.dim, scale, width - rotation.dim, out + rotation.dim);
  }
}

void store_gradient_rows(const float* x, int64_t stride, int64_t count, int64_t width, const Rotation& rotation,
                         int64_t first, float scale, float* out, int64_t out_stride) noexcept {
  const int64_t half = rotation.dim / 2;
  for (int64_t i = 0; i < count; i++, x += stride, out += out_stride) {
    kernels::scale(x, scale, width, out);
    const int64_t at = (first + i) * half;
    if (half > 0) rotate_row(out, rotation.cos + at, rotation.sin + at, rotation, -1, out);
  }
}

RotaryTables::RotaryTables(const Attention& attention, const AttentionInputs& inputs) noexcept
    : rotary_(attention.rotary()) {
  if (rotary_ == nullptr) return;
  query_ = {nullptr, nullptr, rotary_->rotary_dim(), rotary_->layout()};
  if (!inputs.keys_rotated) key_ = query_;
  if (rotary_->rotates_values()) value_ = key_;
}

void RotaryTables::lay_out(Carver& carver, int64_t q_len, int64_t k_len) noexcept {
  query_.cos = query_cos_ = carver.take(q_len * query_.dim / 2);
  query_.sin = query_sin_ = carver.take(q_len * query_.dim / 2);
  key_.cos = key_cos_ = carver.take(k_len * key_.dim / 2);
  key_.sin = key_sin_ = carver.take(k_len * key_.dim / 2);
  value_.cos = key_.cos;
  value_.sin = key_.sin;
}

void RotaryTables::make(const CallRow& row) noexcept {
  if (rotary_ == nullptr) return;
  const bool fresh = !any_made_ || row.reached != made_.reached;
  if (fresh || row.query != made_.query) {
    rotary_->table(row.query, {.side = RotarySide::kQuery, .reached = row.reached}, query_cos_, query_sin_);
  }
  if (key_.dim > 0 && (fresh || row.key != made_.key)) {
    rotary_->table(row.key, {.side = RotarySide::kKey, .reached = row.reached}, key_cos_, key_sin_);
  }
  made_ = row;
  any_made_ = true;
}

}  // namespace posenc::attn
