#include "posenc/kernels/masks.hpp"

#include <limits>

#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;
constexpr float kHidden = -std::numeric_limits<float>::infinity();

}  // namespace

bool hide_false(const uint8_t* seen, int64_t count, float* scores) noexcept {
  bool hid = false;
  for (int64_t j = 0; j < count; j++) {
    hid |= seen[j] == 0;
    scores[j] = seen[j] != 0 ? scores[j] : kHidden;
  }
  return hid;
}

bool hide_others(const int32_t* segments, int32_t own, int64_t count, float* scores) noexcept {
  bool hid = false;
  for (int64_t j = 0; j < count; j++) {
    hid |= segments[j] != own;
    scores[j] = segments[j] == own ? scores[j] : kHidden;
  }
  return hid;
}

bool add_mask(const float* mask, int64_t count, float* scores) noexcept {
  const Floats hidden(kHidden), lowest(std::numeric_limits<float>::lowest());
  Floats least(0);  // of the mask: -inf where any hides
  simd::for_lanes(count, [&](int64_t j, auto lanes) {
    const Floats value = lanes.load(mask + j), sum = lanes.load(scores + j) + value;
    const Floats kept = simd::select(sum < lowest, lowest, sum);
    lanes.store(scores + j, simd::select(value == hidden, hidden, kept));
    least = simd::select(value < least, value, least);
  });
  return -simd::reduce_max(-least) == kHidden;
}

}  // namespace posenc::kernels
