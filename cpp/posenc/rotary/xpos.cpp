#include "posenc/rotary/xpos.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"
#include "posenc/kernels/angles.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

constexpr double kTableReach = 40;  // |ln| of a factor in a table: its square is a normal float too
constexpr double kFadeReach = 80;
constexpr int64_t kChunk = 64;  // pairs whose factors are worked out at a time

// How far from the centre the fastest pair stays within the reach.
double farthest(const XposOptions& options) noexcept {
  return std::floor(kTableReach * options.scale_base /
                    math::log((1 + options.gamma) / options.gamma));
}

}  // namespace

Status Xpos::resolve(XposOptions& options) noexcept {
  if (!options.rotary_dim) {
    if (options.head_dim % 2 != 0) {
      return fail(ErrorCode::kOutOfRange, "headDim", text_of(options.head_dim),
                  "an even number, or a smaller even rotaryDim");
    }
    options.rotary_dim = options.head_dim;
  }
  if (std::abs(options.centre) <= 0x1p52) return {};
  return fail(ErrorCode::kOutOfRange, "centre", text_of(options.centre),
              text_of("a magnitude of at most ", 0x1p52));
}

Status Xpos::prepare() noexcept {
  const int64_t pairs = rotary_dim() / 2;
  if (Status status = frequencies_.allocate(pairs, "rotaryDim"); !status) return status;
  if (Status status = log_fades_.allocate(pairs, "rotaryDim"); !status) return status;
  for (int64_t m = 0; m < pairs; m++) {
    const double share = static_cast<double>(m) / static_cast<double>(pairs);
    frequencies_[m] = math::power(options_.base, -share);
    log_fades_[m] =
        math::log((share + options_.gamma) / (1 + options_.gamma)) / options_.scale_base;
  }
  table_range_ = {options_.centre - farthest(options_), options_.centre + farthest(options_)};
  return {};
}

void Xpos::fade(double distance, float* out) const noexcept {
  for (int64_t m = 0; m < log_fades_.size(); m++) {
    out[m] = static_cast<float>(math::exp(std::min(distance * log_fades_[m], kFadeReach)));
  }
}

void Xpos::table(const Positions& positions, const RotaryContext& context, float* cos,
                 float* sin) const noexcept {
  const int64_t pairs = rotary_dim() / 2;
  if (context.part == RotaryPart::kFade) {
    std::fill_n(cos, positions.count * pairs, 1.0F);
    std::fill_n(sin, positions.count * pairs, 0.0F);
  } else {
    kernels::angles_apart({frequencies_.data(), pairs, positions}, 1, sin, cos, pairs);
  }
  if (context.part == RotaryPart::kTurn) return;
  const double sign = context.side == RotarySide::kQuery ? 1 : -1;
  const double centre = context.centre.value_or(options_.centre);
  float factors[kChunk];
  for (int64_t i = 0; i < positions.count; i++) {
    const double distance = sign * (positions.at(i) - centre);
    for (int64_t first = 0; first < pairs; first += kChunk) {
      const int64_t count = std::min(kChunk, pairs - first), at = i * pairs + first;
      for (int64_t m = 0; m < count; m++) {
        factors[m] = static_cast<float>(math::exp(distance * log_fades_[first + m]));
      }
      kernels::multiply_by(factors, count, cos + at);
      kernels::multiply_by(factors, count, sin + at);
    }
  }
}

Result<OperationResult> xpos_fades(const Xpos& xpos, const NoArguments&,
                                   OperationTensors) noexcept {
  const int64_t pairs = xpos.rotary_dim() / 2;
  Result<OperationResult> result = OperationResult::make({pairs}, "rotaryDim");
  for (int64_t m = 0; result && m < pairs; m++) {
    result->data[m] = static_cast<float>(math::exp(xpos.log_fade(m) * xpos.options().scale_base));
  }
  return result;
}

}  // namespace posenc
