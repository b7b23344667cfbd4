// Tiles of a bias that depends on key - query alone.
// Contiguous positions: one vector over the queries + keys - 1 distances, a row of a tile is a
// slice of it. Given positions: distances are formed and evaluated row by row. Both give the same
// bits.
#pragma once

#include <cstdint>

#include "posenc/core/encoding.hpp"

namespace posenc {

class DistanceFunction {
 public:
  virtual void evaluate(int64_t head, const double* distances, int64_t count,
                        float* out) const noexcept = 0;
  virtual void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                        Gradients& gradients) const noexcept = 0;

 protected:
  ~DistanceFunction() = default;
};

int64_t distance_scratch_floats(const Positions& query, const Positions& key) noexcept;
void distance_begin(const DistanceFunction& bias, const BiasHead& head) noexcept;
void distance_apply(const DistanceFunction& bias, const BiasHead& head, const ScoreTile& tile,
                    float* scores, bool assign) noexcept;
void distance_accumulate(const DistanceFunction& bias, const BiasHead& head, const ScoreTile& tile,
                         const float* d_scores, Gradients& gradients) noexcept;
void distance_finish(const DistanceFunction& bias, const BiasHead& head,
                     Gradients& gradients) noexcept;

}  // namespace posenc
