#include "posenc/rotary/axes.hpp"

#include <algorithm>

#include "posenc/kernels/angles.hpp"

namespace posenc {
namespace {

constexpr int64_t kBlock = 32;  // pairs at a time, as the angle tables have them
constexpr int64_t kTokens =
    32;  // whose factors are made aside where their columns do not lie side by side

bool side_by_side(std::span<const int32_t> pairs) noexcept {
  return pairs.back() - pairs.front() == static_cast<int32_t>(pairs.size()) - 1;
}

void scatter(const float* from, std::span<const int32_t> pairs, int64_t count, int64_t width,
             float* to) noexcept {
  const auto block = static_cast<int64_t>(pairs.size());
  for (int64_t i = 0; i < count; i++) {
    for (int64_t m = 0; m < block; m++)
      to[i * width + pairs[static_cast<std::size_t>(m)]] = from[i * block + m];
  }
}

}  // namespace

Status PairAxes::prepare(std::span<const uint8_t> axis_of, int axes) noexcept {
  axes_ = axes;
  Status status = pairs_.allocate(static_cast<int64_t>(axis_of.size()), "rotaryDim");
  if (!status) return status;
  int64_t next = 0;
  for (int axis = 0; axis < axes; axis++) {
    for (std::size_t m = 0; m < axis_of.size(); m++) {
      if (axis_of[m] == axis) pairs_[next++] = static_cast<int32_t>(m);
    }
    first_[axis + 1] = next;
  }
  return {};
}

void PairAxes::write(int axis, const Positions& positions, int coordinate, FrequencyOf frequency_of,
                     const void* data, float amplitude, const FactorRows& out) const noexcept {
  if (positions.count == 0) return;
  double frequencies[kBlock];
  float cos[kTokens * kBlock], sin[kTokens * kBlock];
  const std::span<const int32_t> all = pairs_of(axis);
  for (std::size_t first = 0; first < all.size(); first += kBlock) {
    const auto pairs = all.subspan(first, std::min<std::size_t>(kBlock, all.size() - first));
    const auto block = static_cast<int64_t>(pairs.size());
    std::transform(pairs.begin(), pairs.end(), frequencies,
                   [&](int32_t m) { return frequency_of(m, data); });
    if (side_by_side(pairs)) {
      kernels::angles_apart({frequencies, block, positions, coordinate}, amplitude,
                            out.sin + pairs[0], out.cos + pairs[0], out.pairs);
      continue;
    }
    for (int64_t token = 0; token < positions.count; token += kTokens) {
      const int64_t count = std::min(kTokens, positions.count - token);
      kernels::angles_apart({frequencies, block, positions.slice(token, count), coordinate},
                            amplitude, sin, cos, block);
      scatter(sin, pairs, count, out.pairs, out.sin + token * out.pairs);
      scatter(cos, pairs, count, out.pairs, out.cos + token * out.pairs);
    }
  }
}

Result<OperationResult> axis_of_each(const PairAxes& pairs) noexcept {
  Result<OperationResult> result = OperationResult::make({pairs.size()}, "rotaryDim");
  for (int axis = 0; result && axis < pairs.axes(); axis++) {
    for (const int32_t pair : pairs.pairs_of(axis)) result->data[pair] = static_cast<float>(axis);
  }
  return result;
}

}  // namespace posenc
