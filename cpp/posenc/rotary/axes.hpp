// Pairs of channels that turn by different coordinates of a position: which axis each pair listens
// to, and the table of factors, written axis by axis.
//
// An element depends on its own coordinate and frequency alone, to the last bit: a token whose
// coordinates are all p turns as RoPE turns one at p.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/memory.hpp"
#include "posenc/core/operation.hpp"
#include "posenc/core/positions.hpp"

namespace posenc {

inline constexpr int kMaxAxes = 8;

// Where the factors of `count` tokens go, [count, pairs] each.
struct FactorRows {
  float* cos;
  float* sin;
  int64_t pairs;
};

class PairAxes {
 public:
  // axis_of[m] is the axis of pair m, below `axes`.
  Status prepare(std::span<const uint8_t> axis_of, int axes) noexcept;

  int axes() const noexcept { return axes_; }
  int64_t size() const noexcept { return pairs_.size(); }
  // The pairs of one axis, in order.
  std::span<const int32_t> pairs_of(int axis) const noexcept {
    return pairs_.span().subspan(static_cast<std::size_t>(first_[axis]),
                                 static_cast<std::size_t>(first_[axis + 1] - first_[axis]));
  }
  // Writes the columns of one axis. frequency_of(pair, data) gives radians per unit of the
  // coordinate, which is axis `coordinate` of `positions`.
  using FrequencyOf = double (*)(int64_t pair, const void* data) noexcept;
  void write(int axis, const Positions& positions, int coordinate, FrequencyOf frequency_of,
             const void* data, float amplitude, const FactorRows& out) const noexcept;

 private:
  Buffer<int32_t> pairs_;  // all of them, axis by axis
  int64_t first_[kMaxAxes + 1] = {};
  int axes_ = 0;
};

// The axis of each pair, as the result of an operation.
Result<OperationResult> axis_of_each(const PairAxes& pairs) noexcept;

}  // namespace posenc
