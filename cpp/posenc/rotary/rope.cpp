#include "posenc/rotary/rope.hpp"

#include <algorithm>

#include "posenc/kernels/angles.hpp"
#include "posenc/rotary/scaling.hpp"

namespace posenc {
namespace {

constexpr int64_t kChunk =
    64;  // frequencies that are worked out at a time when they depend on the length

}  // namespace

Status resolve_rope(RopeOptions& options) noexcept {
  if (!options.rotary_dim) {
    if (options.head_dim % 2 != 0) {
      return fail(ErrorCode::kOutOfRange, "headDim", text_of(options.head_dim),
                  "an even number, or a smaller even rotaryDim");
    }
    options.rotary_dim = options.head_dim;
  }
  return check_scaling(options);
}

Status Rope::resolve(RopeOptions& options) noexcept { return resolve_rope(options); }

Status Rope::prepare() noexcept { return frequencies_.prepare(options_); }

bool Rope::depends_on_reach() const noexcept { return scales_by_reach(options_.scaling); }

void Rope::table(const Positions& positions, const RotaryContext& context, float* cos,
                 float* sin) const noexcept {
  const int64_t pairs = rotary_dim() / 2;
  const auto amplitude = static_cast<float>(rotary_amplitude(options_.scaling, context.reached));
  if (const double* kept = frequencies_.kept(options_, context.reached)) {
    return kernels::angles_apart({kept, pairs, positions}, amplitude, sin, cos, pairs);
  }
  double frequencies[kChunk];
  for (int64_t first = 0; first < pairs; first += kChunk) {
    const int64_t count = std::min(kChunk, pairs - first);
    scaled_frequencies(options_, context.reached, first,
                       std::span(frequencies).first(static_cast<std::size_t>(count)));
    kernels::angles_apart({frequencies, count, positions}, amplitude, sin + first, cos + first,
                          pairs);
  }
}

}  // namespace posenc
