#include "posenc/attention/rotation.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rotate.hpp"

namespace posenc::attn {
namespace {

bool same(const Positions& a, const Positions& b) noexcept {
  return a.given == b.given && a.start == b.start && a.count == b.count && a.axes == b.axes;
}

}  // namespace

void turn_rows(const RowsIn& x, int64_t count, int64_t width, const Rotation& rotation, int64_t first, float scale,
               const RowsOut& out) noexcept {
  RowsIn source = x;
  if (rotation.dim > 0) {
    const int64_t pairs = rotation.dim / 2;
    const auto rotate =
        rotation.layout == PairLayout::kHalf ? kernels::rotate_half : kernels::rotate_interleaved;
    rotate({.x = x.data, .x_stride = x.stride, .out = out.data, .out_stride = out.stride, .rows = count,
            .dim = width, .cos = rotation.cos + first * pairs, .sin = rotation.sin + first * pairs,
            .factor_stride = pairs, .pairs = pairs});
    source = {out.data, out.stride};
  }
  if (source.data == out.data && scale == 1) return;
  for (int64_t i = 0; i < count; i++) {
    kernels::scale(source.data + i * source.stride, scale, width, out.data + i * out.stride);
  }
}

void RotaryTables::Side::lay_out(Carver& carver, int64_t count, bool gradients) noexcept {
  const int64_t factors = count * forward.dim / 2;
  forward.cos = cos = carver.take(factors);
  forward.sin = sin = carver.take(factors);
  if (!gradients) return;
  back = forward;
  back.sin = negative_sin = carver.take(factors);
}

void RotaryTables::Side::make(const RotaryEncoding& rotary, const Positions& positions,
                              const RotaryContext& context) noexcept {
  rotary.table(positions, context, cos, sin);
  if (negative_sin == nullptr) return;
  const int64_t factors = positions.count * forward.dim / 2;
  std::copy_n(sin, factors, negative_sin);
  kernels::transpose_factors(negative_sin, factors);
}

RotaryTables::RotaryTables(const Attention& attention, const AttentionInputs& inputs, bool gradients) noexcept
    : rotary_(attention.rotary()), gradients_(gradients) {
  if (rotary_ == nullptr) return;
  query_.forward = {nullptr, nullptr, rotary_->rotary_dim(), rotary_->layout()};
  if (inputs.keys_rotated) return;
  key_.forward = query_.forward;
  values_ = rotary_->rotates_values();
}

void RotaryTables::lay_out(Carver& carver, int64_t q_len, int64_t k_len) noexcept {
  query_.lay_out(carver, q_len, gradients_);
  key_.lay_out(carver, k_len, gradients_);
}

void RotaryTables::make(const CallRow& row) noexcept {
  if (rotary_ == nullptr) return;
  const bool fresh = !any_made_ || row.reached != made_.reached;
  if (fresh || !same(row.query, made_.query)) {
    query_.make(*rotary_, row.query, {.side = RotarySide::kQuery, .reached = row.reached});
  }
  if (key_.forward.dim > 0 && (fresh || !same(row.key, made_.key))) {
    key_.make(*rotary_, row.key, {.side = RotarySide::kKey, .reached = row.reached});
  }
  made_ = row;
  any_made_ = true;
}

}  // namespace posenc::attn
