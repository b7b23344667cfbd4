// What all passes over the heads of a call work with, and how they make queries ready.
#pragma once

#include <cstdint>

#include "posenc/attention/fade.hpp"
#include "posenc/attention/head.hpp"
#include "posenc/attention/packed.hpp"
#include "posenc/attention/relative.hpp"

namespace posenc::attn {

// For one row of the batch at a time, and one head or several of a group.
struct PassWork {
  const Attention& attention;
  const AttentionInputs& inputs;
  int64_t head_dim, value_dim, group;
  bool backward, every_key;
  RotaryTables tables;
  HeadBiases biases;
  RelativePass relative;
  TileFade fade;
  Buffer<float> memory;

  // `every_key` as in resolve_row().
  PassWork(const Attention& a, const AttentionInputs& i, RelativePass::Mode mode,
           bool every_key = false) noexcept;

  // For up to `queries` queries at a time.
  void lay_out(Carver& carver, int64_t queries) noexcept;
  CallRow begin_row(int64_t batch_row) noexcept;
  // The head's biases are in place `slot`.
  HeadScores begin_head(const CallRow& row, int64_t head, int64_t slot = 0) noexcept;
  // Queries from `first` on as keys are multiplied with them: out [queries, head_dim].
  void turn_queries(const CallRow& row, int64_t head, int64_t first, int64_t queries,
                    float* out) const noexcept;
  RowsIn queries_of(const CallRow& row, int64_t head, int64_t first) const noexcept {
    return {inputs.q.row(row.batch_row, head, first), inputs.q.row_stride};
  }
};

// For passes through tiles of kTile queries and kTile keys, which are packed.
struct TileWork : PassWork {
  PackedRows keys;      // of the whole head, as columns
  float *rows, *query;  // of a tile: as rows of head_dim or value_dim, and packed
  using PassWork::PassWork;

  void lay_out(Carver& carver) noexcept;
  void pack_queries(const float* turned, int64_t queries) noexcept;
  void begin_queries(const CallRow& row, int64_t head, int64_t first, int64_t queries) noexcept;
  // Where encodings fade, packs the queries anew as they meet the keys of this tile. Their rows.
  const float* fade_queries(const CallRow& row, const ScoreTile& tile) noexcept;
  // scores = scale · q·k of a tile
  void multiply(const ScoreTile& tile, float* scores) const noexcept;
  // The same with the terms of a relative encoding.
  void score(const HeadMask& mask, const ScoreTile& tile, float* scores) noexcept;
};

// Gives a pass its memory, to work on `heads` heads at once.
template <typename Work>
Status reserve(Work& work, int64_t heads) noexcept {
  if (Status status = work.biases.allocate(work.attention, heads); !status) return status;
  return carve(work.memory, "k", [&](Carver& carver) { work.lay_out(carver); });
}

}  // namespace posenc::attn
