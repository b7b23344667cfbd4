// Which rows of a relative term the queries and keys of a tile meet: those of their distances,
// clamped to what the term tells apart. Rows stand in blocks of kTile.
#pragma once

#include <cstdint>

#include "posenc/attention/call.hpp"
#include "posenc/core/relative.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {

// The distances low, low + 1, ... that a call can meet.
struct DistanceRange {
  int64_t low = 0, count = 0;

  int64_t blocks() const noexcept { return (count + kernels::kTile - 1) / kernels::kTile; }
  int64_t rows_of(int64_t block) const noexcept {
    const int64_t rest = count - block * kernels::kTile;
    return rest < kernels::kTile ? rest : kernels::kTile;
  }
  bool operator==(const DistanceRange&) const = default;
};
DistanceRange distance_range(const RelativeTerm& term, const Positions& query,
                             const Positions& key) noexcept;

// Rows of a block that a tile may meet, from the first of a bundle on.
struct RowRange {
  int64_t begin, end;
};
RowRange rows_met(const RelativeTerm& term, const DistanceRange& range, const CallRow& row,
                  const ScoreTile& tile, int64_t block) noexcept;

// Columns column, column + 1, ... of a tile whose rows follow one another in one block, or (step 0)
// are one.
struct DistanceRun {
  int32_t column, count;
  int64_t row;
  int32_t step;

  int64_t block() const noexcept { return row / kernels::kTile; }
  int64_t place() const noexcept { return row % kernels::kTile; }  // in the block
};

// The runs of one query over the keys of a tile, at most kTile of them.
class DistanceRuns {
 public:
  DistanceRuns(const RelativeTerm& term, const DistanceRange& range, const CallRow& row,
               int64_t query, int64_t first_key, int64_t keys) noexcept;
  const DistanceRun* begin() const noexcept { return runs_; }
  const DistanceRun* end() const noexcept { return runs_ + count_; }

 private:
  void add(int64_t column, int64_t count, int64_t row, int32_t step) noexcept;
  void add_slices(int64_t column, int64_t end, int64_t row) noexcept;

  DistanceRun runs_[kernels::kTile];
  int64_t count_ = 0;
};

}  // namespace posenc::attn
