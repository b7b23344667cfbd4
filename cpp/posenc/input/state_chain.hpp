// States 0, 1, 2, ... of a recurrence, kept for as long as the parameters stay the same: a call for
// position n computes what is missing up to n, and a call for later ones goes on from there.
// `start` is the tensor that has state 0.
#pragma once

#include <algorithm>
#include <cstdint>

#include "posenc/core/parameters.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {

class StateChain {
 public:
  Status prepare(int64_t length, int64_t width, const ParameterSet& parameters) noexcept;

  const float* state(int64_t n) const noexcept { return states_.data() + n * width_; }
  float* gradient(int64_t n) noexcept { return gradients_.data() + n * width_; }

  // Makes the states up to `last`; step(n, state n, state n + 1) writes the next one.
  template <typename Step>
  void reach(const ParameterSet& parameters, int64_t last, Step step) noexcept {
    if (!same_as(parameters)) begin(parameters);
    for (; known_ <= last; known_++)
      step(known_ - 1, state(known_ - 1), states_.data() + known_ * width_);
  }
  // Zeros for the gradients of the states up to `last`.
  void clear(int64_t last) noexcept { std::fill_n(gradients_.data(), (last + 1) * width_, 0.0F); }
  // From the last state back to the first: step_back(n, state n, gradient of n + 1, gradient of n)
  // adds to the latter.
  template <typename StepBack>
  void back(int64_t last, StepBack step_back) noexcept {
    for (int64_t n = last - 1; n >= 0; n--) step_back(n, state(n), gradient(n + 1), gradient(n));
  }

 private:
  bool same_as(const ParameterSet& parameters) const noexcept;
  void begin(const ParameterSet& parameters) noexcept;

  int64_t width_ = 0;
  int64_t known_ = 0;         // states that are there
  Buffer<float> states_;      // [length, width]
  Buffer<float> gradients_;   // [length, width]
  Buffer<float> parameters_;  // what the states were made from
};

}  // namespace posenc
