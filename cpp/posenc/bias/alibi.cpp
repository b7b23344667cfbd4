#include "posenc/bias/alibi.hpp"

#include <bit>

#include "posenc/core/math.hpp"

#include "posenc/kernels/distances.hpp"

namespace posenc {
namespace {

// 2^(-bias_max (i + 1) / count), the slopes of a power of two.
double geometric(double bias_max, int64_t i, int64_t count) noexcept {
  return math::exp2(-bias_max * static_cast<double>(i + 1) / static_cast<double>(count));
}

}  // namespace

void alibi_slopes(const AlibiOptions& options, std::span<float> out) noexcept {
  const int64_t heads = options.heads;
  const auto below = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
  const bool plain = below == heads || options.slopes == AlibiSlopes::kPower;
  for (int64_t h = 0; h < heads; h++) {
    double slope = 0;
    if (plain) {
      slope = geometric(options.bias_max, h, heads);
    } else if (options.slopes == AlibiSlopes::kPress) {
      slope = h < below ? geometric(options.bias_max, h, below)
                        : geometric(options.bias_max, 2 * (h - below), 2 * below);
    } else {  // of the power above, places 1, 3, 5, ... and then 0, 2, 4, ...
      slope = geometric(options.bias_max, h < below ? 2 * h + 1 : 2 * (h - below), 2 * below);
    }
    out[static_cast<std::size_t>(h)] = static_cast<float>(slope);
  }
}

void Alibi::evaluate(int64_t head, const double* distances, int64_t count,
                     float* out) const noexcept {
  const double behind = parameters_.values("slopes")[head];
  double ahead = behind;  // causal: the line goes on upwards, under the mask
  if (options_.sides == AlibiSides::kSymmetric) ahead = -behind;
  if (options_.sides == AlibiSides::kTwo)
    ahead = -static_cast<double>(parameters_.values("slopesAhead")[head]);
  kernels::lines_of_distances(distances, count, behind, ahead, out);
}

void Alibi::backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                     Gradients& gradients) const noexcept {
  double behind = 0, ahead = 0;
  for (int64_t i = 0; i < count; i++)
    (distances[i] < 0 ? behind : ahead) += distances[i] * d_bias[i];
  const auto add = [&](std::string_view name, double sum) {
    float* out = gradients.of[static_cast<std::size_t>(parameters_.find(name))];
    if (out) out[head] += static_cast<float>(sum);
  };
  switch (options_.sides) {
    case AlibiSides::kCausal: return add("slopes", behind + ahead);
    case AlibiSides::kSymmetric: return add("slopes", behind - ahead);
    case AlibiSides::kTwo: add("slopes", behind), add("slopesAhead", -ahead);
  }
}

}  // namespace posenc
