// The frequencies of RoPE's pairs, kept where they do not change from call to call and worked out
// where they do.
#pragma once

#include <cstdint>

#include "posenc/rotary/rope_options.hpp"

namespace posenc {

class RopeFrequencies {
 public:
  // `options` are resolved.
  Status prepare(const RopeOptions& options) noexcept;

  // Those kept for a length reached, [rotary_dim / 2]; null where they are of that length alone:
  // `dynamic`, longer than trained. Nothing of a call stays behind.
  const double* kept(const RopeOptions& options, double reached) const noexcept;
  // Radians per position of one pair.
  double of(const RopeOptions& options, double reached, int64_t pair) const noexcept;

 private:
  Buffer<double> trained_;  // at a length reached of 0
  Buffer<double> long_;     // longrope: beyond the original length
};

}  // namespace posenc
