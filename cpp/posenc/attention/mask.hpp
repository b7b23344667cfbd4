// Which keys one head of one batch row may see, tile by tile.
// A query at place p = offset + i sees key j where j < keys, p - left ≤ j ≤ p + right, both have
// the same segment and the mask says so; with a chunk, floor(p / chunk) = floor(j / chunk) too.
// Sparse rules show keys outside of the window, never those that lengths, causal, chunks, segments
// and mask hide. What is hidden has the score -inf from here on; nothing else has.
#pragma once

#include <cstdint>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/sparse.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {

struct HeadMask {
  static constexpr int64_t kUnbounded = int64_t{1} << 32;

  int64_t keys = 0;  // also bounded by the width of the mask
  int64_t offset = 0;
  int64_t left = kUnbounded, right = kUnbounded;
  int64_t chunk = 0;  // 0: none
  bool causal = false;
  SparseRule sparse;
  const int32_t* query_segments = nullptr;
  const int32_t* key_segments = nullptr;
  AttentionMask::Kind kind = AttentionMask::Kind::kNone;
  const uint8_t* boolean = nullptr;
  const float* additive = nullptr;
  int64_t stride = 0;  // from one query's mask row to the next; 0: all have the same
  int64_t start = 0;   // element of the whole mask where this head's part begins

  // What place allows to any of `queries` queries from `first` on.
  KeyRange range(int64_t first, int64_t queries) const noexcept;
  TileKind classify(const ScoreTile& tile) const noexcept;
  // Adds the additive mask and hides what is hidden; false when that was nothing.
  bool apply(const ScoreTile& tile, float* scores) const noexcept;

 private:
  // What place allows, with the window and without it; neither end falls from one query to the
  // next.
  KeyRange window(int64_t query) const noexcept;
  KeyRange bounds(int64_t query) const noexcept;
  KeyRange range(int64_t query) const noexcept {
    return sparse.active() ? bounds(query) : window(query);
  }
  TileKind classify_sparse(const ScoreTile& tile) const noexcept;
};

// Calls body(first key) for each tile of kTile keys that a range touches, the last one first where
// `backwards`.
template <typename Body>
void for_key_tiles(const KeyRange& range, bool backwards, Body body) noexcept {
  constexpr int64_t kSize = kernels::kTile;
  const int64_t first = range.begin / kSize, count = (range.end + kSize - 1) / kSize - first;
  for (int64_t n = 0; n < count; n++) body((first + (backwards ? count - 1 - n : n)) * kSize);
}

}  // namespace posenc::attn
