#include "posenc/input/sinusoidal.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"
#include "posenc/input/sines.hpp"
#include "posenc/kernels/angles.hpp"

namespace posenc {
namespace {

double frequency(const SinusoidalOptions& options, int64_t i) noexcept {
  const int64_t pairs = options.dim / 2;
  const double exponent =
      options.exponent == SinusoidalExponent::kPaper
          ? 2 * static_cast<double>(i) / static_cast<double>(options.dim)
          : static_cast<double>(i) / static_cast<double>(std::max<int64_t>(pairs - 1, 1));
  return math::power(options.base, -exponent);
}

}  // namespace

Status Sinusoidal::prepare() noexcept {
  if (Status status = frequencies_.allocate((options_.dim + 1) / 2, "dim"); !status) return status;
  for (int64_t i = 0; i < frequencies_.size(); i++) frequencies_[i] = frequency(options_, i);
  return {};
}

float Sinusoidal::input_scale() const noexcept {
  return options_.scale_input ? std::sqrt(static_cast<float>(options_.dim)) : 1;
}

void Sinusoidal::encode(const Positions& positions, float* out) const noexcept {
  if (positions.count == 0) return;
  const int64_t dim = options_.dim, pairs = dim / 2;
  const bool interleaved = options_.layout == SinusoidalLayout::kInterleaved;
  const bool extra_sine = dim % 2 != 0 && options_.odd == SinusoidalOdd::kSine;
  const kernels::Angles angles{frequencies_.data(), pairs, positions};
  if (interleaved)
    kernels::angles_interleaved(angles, out, dim);
  else
    kernels::angles_apart(angles, 1, out, out + pairs + (extra_sine ? 1 : 0), dim);

  if (extra_sine) {
    write_sines(frequencies_[pairs], positions, 0, out + (interleaved ? dim - 1 : pairs), dim);
  } else if (dim % 2 != 0) {
    for (int64_t i = 0; i < positions.count; i++) out[i * dim + dim - 1] = 0;
  }
  if (!options_.padding_index) return;
  const auto padding = static_cast<double>(*options_.padding_index);
  for (int64_t i = 0; i < positions.count; i++) {
    if (positions.at(i) == padding) std::fill_n(out + i * dim, dim, 0.0F);
  }
}

}  // namespace posenc
