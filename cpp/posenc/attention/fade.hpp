// Encodings whose queries and keys are scaled by factors that grow with the position, as xPos does:
// both are centred on the middle of their own tile, and what is missing between two tiles
// multiplies the queries. Factors stay near 1 wherever the tiles stand, so that far positions
// neither underflow nor overflow.
//   ζ^(p - q) = ζ^(p - c_q) · ζ^(c_q - c_k) · ζ^(c_k - q)
#pragma once

#include <cstdint>

#include "posenc/attention/rotation.hpp"
#include "posenc/attention/scratch.hpp"

namespace posenc::attn {

// The position that a tile is centred on.
double middle_of(const Positions& tile) noexcept;

class TileFade {
 public:
  explicit TileFade(const Attention& attention) noexcept;
  bool wanted() const noexcept { return rotary_ != nullptr; }
  // Room for tiles of up to `rows` queries.
  void lay_out(Carver& carver, int64_t rows) noexcept;

  // The factors between the queries and the keys of a tile of scores.
  void make(const CallRow& row, const ScoreTile& tile) noexcept;
  // Rows [count, head_dim] times them, in memory of this object; the rows themselves where nothing
  // fades.
  const float* scaled(const float* rows, int64_t count) noexcept;
  // sums += rows times them: the way back for a gradient of scaled rows.
  void add_scaled(const float* rows, int64_t stride, int64_t count, float* sums,
                  int64_t sums_stride) const noexcept;

 private:
  const RotaryEncoding* rotary_;  // or null
  int64_t width_;
  float *pairs_ = nullptr, *channels_ = nullptr, *rows_ = nullptr;
};

// Tiles whose positions lie too far apart for floats are refused: the first of them, by its
// `parameter`.
Status check_spread(const RotaryEncoding& rotary, const Positions& positions,
                    const char* parameter) noexcept;

}  // namespace posenc::attn
