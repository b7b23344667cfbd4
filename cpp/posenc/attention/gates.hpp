// Positions that the content counts: p_ij = Σ gates σ(f · product_it) of the visible keys t from j
// on, at most `most`. Tiles of keys come from the last to the first, with a carry per query; in a
// backward pass the carries are kept, and gradients of gates, which are sums over all keys up to
// theirs, run from the first tile to the last. Golovneva et al. 2024, "Contextual Position
// Encoding".
#pragma once

#include <cstdint>

#include "posenc/attention/mask.hpp"
#include "posenc/attention/scratch.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {

class GateCounter {
 public:
  void set(float factor, int64_t most) noexcept {
    factor_ = factor, most_ = static_cast<float>(most);
  }
  // `kept_keys`: carries are kept for as many, or 0.
  void lay_out(Carver& carver, int64_t kept_keys) noexcept;
  void begin_queries() noexcept;
  // Takes in the gates of a tile and keeps the carry at its right end.
  void count(const ScoreTile& tile, const HeadMask& mask, const float* products) noexcept;
  // Makes gates and positions of a tile ready: the next one to the left, or any that count() has
  // seen.
  void open(const ScoreTile& tile, const HeadMask& mask, const float* products) noexcept;

  // The rows that a position lies between. It moves with its gates unless it stands at the end.
  struct Place {
    int64_t low, high;
    float share;
    bool moves;
  };
  Place place(int64_t i, int64_t j) const noexcept;
  // The gradient of product (i, j), once that of position (i, j) is `d_position`; keys in order.
  float gradient(int64_t i, int64_t j, float d_position) noexcept;

 private:
  void make_gates(const ScoreTile& tile, const HeadMask& mask, const float* products) noexcept;
  void make_positions(const ScoreTile& tile, float* carry) noexcept;
  float* kept(const ScoreTile& tile) const noexcept {
    return kept_ + 2 * tile.first_key;
  }  // a carry per tile

  float factor_ = 1, most_ = 0;
  // Sums are whole numbers and fractions below 1 apart, so that long ones lose nothing.
  float *gates_ = nullptr, *wholes_ = nullptr, *fractions_ = nullptr;  // [kTile, kTile]
  float *carry_ = nullptr, *kept_ = nullptr;  // [kTile, 2] each: whole, fraction
  float* d_carry_ = nullptr;                  // [kTile]
};

}  // namespace posenc::attn
