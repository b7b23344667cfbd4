// What a query sees beside its window: global tokens, which see all and are seen by all
// (Longformer), and blocks of keys near its own, at both ends, and drawn at random (BigBird).
// Beltagy et al. 2020, "Longformer"; Zaheer et al. 2020, "Big Bird".
//
// Blocks of `size` places. Block i sees blocks i - window to i + window, the first and the last
// `global` ones, and `random` others, drawn for each head and block from the seed; the global
// blocks see all. With causal attention a block draws from those before it, and the first blocks
// alone are global: which are the last would be known only when the text has ended, and a token
// would see other keys in a cache than in the whole.
#pragma once

#include <cstdint>
#include <limits>

#include "posenc/core/encoding.hpp"

namespace posenc::attn {

struct KeyRange {
  int64_t begin, end;
};

enum class TileKind : uint8_t {
  kHidden,  // nothing to see: skip it
  kWhole,   // every key is seen and nothing is added
  kPart,    // has to go through HeadMask::apply
};

// Rounded down, also below 0.
inline int64_t floor_div(int64_t a, int64_t b) noexcept {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

inline constexpr int64_t kMostRandomBlocks = 16;

struct KeyBlocks {
  int64_t size = 0;  // 0: no blocks
  int64_t window = 0, global = 0, random = 0;
  uint64_t seed = 0;
  bool causal = false;
  int64_t head = 0;
  int64_t count = 0;  // of the keys

  // A query may stand before the first key or behind the last: its block is none of the keys'.
  bool at_end(int64_t block) const noexcept {
    return block >= 0 && block < count && (block < global || block >= last_global());
  }
  // The first of the last blocks that are global.
  int64_t last_global() const noexcept {
    return causal ? std::numeric_limits<int64_t>::max() : count - global;
  }
  // Writes the blocks drawn for a block of queries, in ascending order, and returns how many there
  // are.
  int64_t draw(int64_t query_block, int64_t* out) const noexcept;
};

// How often a block of queries sees a block of keys: made once for many keys.
class BlockRow {
 public:
  BlockRow(const KeyBlocks& blocks, int64_t query_block) noexcept;
  bool sees(int64_t key_block) const noexcept;

 private:
  const KeyBlocks& blocks_;
  int64_t query_block_;
  bool all_;
  int64_t drawn_[kMostRandomBlocks];
  int64_t count_;
};

// The rules of one head of one batch row.
struct SparseRule {
  const int32_t* query_global = nullptr;  // [q_len] flags, or null
  const int32_t* key_global = nullptr;    // [keys]
  KeyBlocks blocks;
  bool has_window = true;  // whether place shows anything beside them

  bool active() const noexcept {
    return query_global != nullptr || key_global != nullptr || blocks.size > 0;
  }
  // Of a tile whose first query stands at `place`, beside the window.
  TileKind classify(const ScoreTile& tile, int64_t place) const noexcept;
  // Hides in a row of scores what neither the window, counted from the tile's first key, nor these
  // rules show.
  bool hide(const ScoreTile& tile, int64_t query, int64_t place, KeyRange window,
            float* row) const noexcept;
};

}  // namespace posenc::attn
