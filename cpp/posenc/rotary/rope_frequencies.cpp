#include "posenc/rotary/rope_frequencies.hpp"

#include "posenc/rotary/scaling.hpp"

namespace posenc {
namespace {

Status fill(const RopeOptions& options, double reached, Buffer<double>& out) noexcept {
  if (Status status = out.allocate(*options.rotary_dim / 2, "rotaryDim"); !status) return status;
  scaled_frequencies(options, reached, 0, out.span());
  return {};
}

}  // namespace

Status RopeFrequencies::prepare(const RopeOptions& options) noexcept {
  if (Status status = fill(options, 0, trained_); !status) return status;
  if (options.scaling.type != RopeScalingType::kLongrope) return {};
  return fill(options, options.scaling.original_length + 1, long_);
}

const double* RopeFrequencies::kept(const RopeOptions& options, double reached) const noexcept {
  if (!beyond_original(options.scaling, reached)) return trained_.data();
  return options.scaling.type == RopeScalingType::kLongrope ? long_.data() : nullptr;
}

double RopeFrequencies::of(const RopeOptions& options, double reached,
                           int64_t pair) const noexcept {
  if (const double* list = kept(options, reached)) return list[pair];
  double frequency = 0;
  scaled_frequencies(options, reached, pair, {&frequency, 1});
  return frequency;
}

}  // namespace posenc
