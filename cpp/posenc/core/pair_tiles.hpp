// Tiles of a bias that query and key decide together: made row by row, a few keys at a time.
#pragma once

#include <cstdint>

#include "posenc/core/encoding.hpp"

namespace posenc {

class PairFunction {
 public:
  virtual void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept = 0;
  virtual void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                        Gradients& gradients) const noexcept = 0;

 protected:
  ~PairFunction() = default;
};

void pair_apply(const PairFunction& bias, const BiasHead& head, const ScoreTile& tile,
                float* scores, bool assign) noexcept;
void pair_accumulate(const PairFunction& bias, const BiasHead& head, const ScoreTile& tile,
                     const float* d_scores, Gradients& gradients) noexcept;

}  // namespace posenc
