// T5's buckets of relative positions: one each for small distances, then ranges that grow
// geometrically.
//   n < exact            bucket n                                              exact = floor(side /
//   2) n >= exact           exact + floor(log(n / exact) / log(max / exact) · (side - exact)), at
//   most side - 1
// With two sides each has half of the buckets, and keys ahead of the query the upper half; with
// one, keys ahead are in bucket 0. Exact at every whole distance: where the logarithm is a whole
// number no rounding decides. Raffel et al. 2019; mesh_tensorflow and Hugging Face agree.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"

namespace posenc {

class DistanceBuckets {
 public:
  // Refuses what has no geometric part: fewer than 2 buckets a side, or max_distance not beyond the
  // exact ones. Errors name `count_name` and `distance_name`.
  Status prepare(int64_t buckets, int64_t max_distance, bool two_sides, TextRef count_name,
                 TextRef distance_name) noexcept;

  // Bucket of key - query, any whole number.
  int64_t of(double relative) const noexcept;

 private:
  bool two_sides_ = true;
  int64_t side_ = 0, exact_ = 0;
  Buffer<double> first_;  // the smallest distance of bucket exact + 1, exact + 2, ...
  Buffer<int32_t> near_;  // buckets of the distances 0, 1, 2, ..., which most pairs have
};

}  // namespace posenc
