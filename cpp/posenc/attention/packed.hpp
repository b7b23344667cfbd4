// Keys and values of one key/value head in the packed form that all query tiles and all heads of
// its group read.
#pragma once

#include <cstdint>

#include "posenc/attention/rotation.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {

// Rows [count, width] in tiles of kTile, each packed by itself: as columns of B (what queries are
// multiplied with) or as rows of B (what weights are multiplied with).
class PackedRows {
 public:
  enum class As : uint8_t { kColumns, kRows };

  void lay_out(Carver& carver, As as, int64_t longest, int64_t width) noexcept;
  // Packs the tile of `count` rows that begins at row `first`.
  void pack_tile(const RowsIn& x, int64_t first, int64_t count) noexcept;

  const float* tile(int64_t first) const noexcept { return data_ + first * row_floats(); }
  // Whether a tile has no NaN or infinity; looked at once.
  bool finite(int64_t first, int64_t count) noexcept;

 private:
  int64_t row_floats() const noexcept {
    return as_ == As::kColumns ? width_ : kernels::padded(width_, kernels::kPanel);
  }

  As as_ = As::kColumns;
  int64_t width_ = 0;
  float* data_ = nullptr;
  float* states_ = nullptr;  // per tile: 0 not looked at, 1 finite, -1 not
};

// Rows of one head, rotated on the way where `rotation` says so, into any number of packed forms.
template <typename... Forms>
void pack_head(const float* x, int64_t stride, int64_t count, int64_t width,
               const Rotation& rotation, float* rotated, Forms&... forms) noexcept {
  for (int64_t first = 0; first < count; first += kernels::kTile) {
    const int64_t rows = count - first < kernels::kTile ? count - first : kernels::kTile;
    RowsIn source{x + first * stride, stride};
    if (rotation.changes()) {
      turn_rows(source, rows, width, rotation, first, 1, {rotated, width});
      source = {rotated, width};
    }
    (forms.pack_tile(source, first, rows), ...);
  }
}

}  // namespace posenc::attn
