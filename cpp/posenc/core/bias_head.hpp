// What a bias encoding works on: one head of one batch row, and a row of its scores.
#pragma once

#include <cstdint>

#include "posenc/core/error.hpp"
#include "posenc/core/positions.hpp"

namespace posenc {

// Ids that the caller gives for every pair of a query and a key, [queries, keys], rows `stride`
// apart.
struct Relations {
  const int32_t* ids = nullptr;
  int64_t stride = 0;
};

// outOfRange names the first of `count` ids that is not one of 0 to known - 1.
Status check_relations(const int32_t* ids, int64_t count, int64_t known,
                       TextRef parameter) noexcept;

// What a bias needs while the tiles of one head go by. `values` and `sums` are scratch_floats()
// long.
struct BiasHead {
  int64_t head;
  Positions query, key;
  float* values;             // what begin() prepared
  float* sums;               // gradient sums; null in a forward pass
  Relations relations = {};  // where the encoding reads them
};

// The keys first_key, first_key + 1, ... of one query: at most kPairChunk of them.
struct PairRow {
  int64_t query, first_key, count;
};
inline constexpr int64_t kPairChunk = 256;

}  // namespace posenc
