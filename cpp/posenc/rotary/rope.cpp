#include "posenc/rotary/rope.hpp"

#include <algorithm>

#include "posenc/kernels/angles.hpp"
#include "posenc/rotary/scaling.hpp"

namespace posenc {
namespace {

constexpr int64_t kChunk = 64;  // frequencies that are worked out at a time when they depend on the length

Status fill_frequencies(const RopeOptions& options, double reached, Buffer<double>& out) noexcept {
  Result<Buffer<double>> made = Buffer<double>::make(*options.rotary_dim / 2, "rotaryDim");
  if (!made) return std::unexpected(made.error());
  scaled_frequencies(options, reached, 0, made->span());
  out = std::move(*made);
  return {};
}

}  // namespace

Status Rope::resolve(RopeOptions& options) noexcept {
  if (!options.rotary_dim) {
    if (options.head_dim % 2 != 0) {
      return fail(ErrorCode::kOutOfRange, "headDim", text_of(options.head_dim),
                  "an even number, or a smaller even rotaryDim");
    }
    options.rotary_dim = options.head_dim;
  }
  return check_scaling(options);
}

Status Rope::prepare() noexcept {
  if (Status status = fill_frequencies(options_, 0, frequencies_); !status) return status;
  if (options_.scaling.type != RopeScalingType::kLongrope) return {};
  return fill_frequencies(options_, options_.scaling.original_length + 1, long_frequencies_);
}

bool Rope::depends_on_reach() const noexcept { return scales_by_reach(options_.scaling); }

void Rope::table(const Positions& positions, const RotaryContext& context, float* cos, float* sin) const noexcept {
  const int64_t pairs = rotary_dim() / 2;
  const auto amplitude = static_cast<float>(rotary_amplitude(options_.scaling, context.reached));
  const bool beyond = beyond_original(options_.scaling, context.reached);
  if (!beyond || options_.scaling.type == RopeScalingType::kLongrope) {
    const double* frequencies = beyond ? long_frequencies_.data() : frequencies_.data();
    return kernels::angles_apart({frequencies, pairs, positions}, amplitude, sin, cos, pairs);
  }
  double frequencies[kChunk];  // dynamic, longer than trained: of this call alone, so that nothing stays behind
  for (int64_t first = 0; first < pairs; first += kChunk) {
    const int64_t count = std::min(kChunk, pairs - first);
    scaled_frequencies(options_, context.reached, first, std::span(frequencies).first(static_cast<std::size_t>(count)));
    kernels::angles_apart({frequencies, count, positions}, amplitude, sin + first, cos + first, pairs);
  }
}

}  // namespace posenc
