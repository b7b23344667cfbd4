// Whole tensors turned by an encoding, for the tests of the rotary family.
#pragma once

#include <cmath>
#include <vector>

#include "posenc/core/adapters.hpp"
#include "posenc/rotary/apply.hpp"
#include "support/compare.hpp"

namespace posenc::testing {

struct Turn {
  RotaryDirection direction = RotaryDirection::kForward;
  RotarySide side = RotarySide::kQuery;
  double reached = 0;
};

// x [heads, positions, head_dim].
inline std::vector<float> turned(const RotaryEncoding& rotary, const std::vector<float>& x,
                                 const Positions& positions, Turn turn = {}) {
  const auto heads = static_cast<int64_t>(x.size()) / (positions.count * rotary.head_dim());
  std::vector<float> out(x.size(), NAN);
  const Status status = rotate(
      rotary,
      {.batch = 1,
       .heads = heads,
       .seq = positions.count,
       .x = HeadRows<const float>::heads(x.data(), heads, positions.count, rotary.head_dim()),
       .out = HeadRows<float>::heads(out.data(), heads, positions.count, rotary.head_dim()),
       .positions = std::span(&positions, 1),
       .direction = turn.direction,
       .side = turn.side,
       .reached = turn.reached});
  CHECK(status.has_value());
  return out;
}

inline NumberList list_of(const std::vector<double>& values) {
  NumberList list = std::move(*NumberList::make(static_cast<int64_t>(values.size()), "test"));
  std::copy(values.begin(), values.end(), list.data());
  return list;
}

inline std::vector<double> doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }

}  // namespace posenc::testing
