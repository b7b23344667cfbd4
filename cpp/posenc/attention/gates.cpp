#include "posenc/attention/gates.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/activation.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc::attn {

using kernels::kTile;

void GateCounter::lay_out(Carver& carver, int64_t kept_keys) noexcept {
  gates_ = carver.take(kTile * kTile);
  wholes_ = carver.take(kTile * kTile);
  fractions_ = carver.take(kTile * kTile);
  carry_ = carver.take(2 * kTile);
  d_carry_ = carver.take(kTile);
  kept_ = kept_keys > 0 ? carver.take(2 * kernels::padded(kept_keys, kTile)) : nullptr;
}

void GateCounter::begin_queries() noexcept {
  std::fill_n(carry_, 2 * kTile, 0.0F);
  std::fill_n(d_carry_, kTile, 0.0F);
}

// Hidden keys have a gate of 0, whatever stands there. What a mask adds to scores does not count.
void GateCounter::make_gates(const ScoreTile& tile, const HeadMask& mask,
                             const float* products) noexcept {
  const TileKind kind = mask.classify(tile);
  if (kind == TileKind::kHidden) {
    std::fill_n(gates_, tile.queries * kTile, 0.0F);
    return;
  }
  for (int64_t i = 0; i < tile.queries; i++) {
    float* row = gates_ + i * kTile;
    kernels::scale(products + i * tile.stride, factor_, tile.keys, row);
    kernels::activate(kernels::Activation::kSigmoid, row, tile.keys, row);
  }
  if (kind == TileKind::kWhole) return;
  const ScoreTile own{tile.first_query, tile.queries, tile.first_key, tile.keys, kTile};
  float* hidden = wholes_;
  std::fill_n(hidden, tile.queries * kTile, 0.0F);
  mask.apply(own, hidden);
  for (int64_t n = 0; n < tile.queries * kTile; n++) {
    if (std::isinf(hidden[n]) && hidden[n] < 0) gates_[n] = 0;
  }
}

void GateCounter::make_positions(const ScoreTile& tile, float* carry) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    float whole = carry[2 * i], fraction = carry[2 * i + 1];
    for (int64_t j = tile.keys - 1; j >= 0; j--) {
      fraction += gates_[i * kTile + j];
      if (fraction >= 1) {
        fraction -= 1;
        whole += 1;
      }
      wholes_[i * kTile + j] = whole;
      fractions_[i * kTile + j] = fraction;
    }
    carry[2 * i] = whole;
    carry[2 * i + 1] = fraction;
  }
}

void GateCounter::count(const ScoreTile& tile, const HeadMask& mask,
                        const float* products) noexcept {
  make_gates(tile, mask, products);
  kernels::copy(carry_, 2 * kTile, kept(tile));
  make_positions(tile, carry_);
}

void GateCounter::open(const ScoreTile& tile, const HeadMask& mask,
                       const float* products) noexcept {
  make_gates(tile, mask, products);
  float again[2 * kTile];
  if (kept_) kernels::copy(kept(tile), 2 * kTile, again);
  make_positions(tile, kept_ ? again : carry_);
}

GateCounter::Place GateCounter::place(int64_t i, int64_t j) const noexcept {
  const float whole = wholes_[i * kTile + j], share = fractions_[i * kTile + j];
  if (!(whole < most_)) return {static_cast<int64_t>(most_), static_cast<int64_t>(most_), 0, false};
  const auto row = static_cast<int64_t>(whole);
  return {row, share == 0 ? row : row + 1, share, true};
}

float GateCounter::gradient(int64_t i, int64_t j, float d_position) noexcept {
  d_carry_[i] += d_position;
  const float gate = gates_[i * kTile + j];
  return factor_ * d_carry_[i] * gate * (1 - gate);
}

}  // namespace posenc::attn
