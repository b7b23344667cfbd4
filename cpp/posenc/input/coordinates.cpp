#include "posenc/input/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/core/math.hpp"
#include "posenc/kernels/rows.hpp"

namespace posenc {
namespace {

constexpr int64_t kMaxFeatures = 2 * kMaxCoordinateAxes * kMaxCoordinateBands;

// One number for all axes, or one for each; `otherwise` where the list is empty.
Status spread(NumberList& list, int64_t axes, double otherwise, const char* parameter) noexcept {
  if (list.size() == axes) return {};
  if (list.size() > 1) {
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(list.size(), " numbers"),
                text_of("1, or axes, which is ", axes));
  }
  const double value = list.size() == 1 ? list[0] : otherwise;
  if (Status status = list.allocate(axes, parameter); !status) return status;
  std::fill_n(list.data(), axes, value);
  return {};
}

}  // namespace

Status Coordinates::resolve(CoordinatesOptions& options) noexcept {
  if (Status status = spread(options.low, options.axes, 0, "low"); !status) return status;
  if (Status status = spread(options.high, options.axes, 1, "high"); !status) return status;
  for (int64_t a = 0; a < options.axes; a++) {
    if (options.high[a] > options.low[a] && std::isfinite(options.high[a] - options.low[a]))
      continue;
    return fail(ErrorCode::kOutOfRange, "high", text_of(options.high[a], " on axis ", a),
                text_of("above low, which is ", options.low[a]));
  }
  return {};
}

Status Coordinates::prepare() noexcept {
  for (int64_t a = 0; a < options_.axes; a++)
    ranges_[static_cast<std::size_t>(a)] = {options_.low[a], options_.high[a]};
  return {};
}

PositionDomain Coordinates::domain() const noexcept {
  const bool bounded = options_.outside == CoordinateOutside::kError;
  return {.kind = DomainKind::kReals,
          .axes = static_cast<int>(options_.axes),
          .ranges = bounded ? ranges_.data() : nullptr};
}

void Coordinates::features_of(const Positions& positions, int64_t i, float* out) const noexcept {
  const bool fourier = options_.features == CoordinateFeatures::kFourier;
  const int64_t bands = options_.bands;
  for (int64_t a = 0; a < options_.axes; a++) {
    const auto [low, high] = ranges_[static_cast<std::size_t>(a)];
    const double c =
        2 * (std::clamp(positions.at(i, static_cast<int>(a)), low, high) - low) / (high - low) - 1;
    if (!fourier) out[a] = static_cast<float>(c);
    double turns = c / 2;  // doubled from band to band: exact, and so are whole turns taken off
    for (int64_t k = 0; fourier && k < bands; k++, turns *= 2) {
      const math::SineCosine wave = math::sine_cosine(turns);
      out[2 * a * bands + k] = static_cast<float>(wave.sine);
      out[(2 * a + 1) * bands + k] = static_cast<float>(wave.cosine);
    }
  }
}

void Coordinates::encode(const Positions& positions, float* out) const noexcept {
  float features[kMaxFeatures];
  const int64_t dim = options_.dim, count = feature_count();
  for (int64_t i = 0; i < positions.count; i++, out += dim) {
    features_of(positions, i, features);
    kernels::dot_rows(parameters_.values("weight"), count, dim, features, count, out);
    kernels::add(parameters_.values("bias"), dim, out);
  }
}

void Coordinates::backward(const Positions& positions, const float* d_out,
                           Gradients& gradients) const noexcept {
  float features[kMaxFeatures];
  const int64_t dim = options_.dim, count = feature_count();
  float *d_weight = gradients.of[0], *d_bias = gradients.of[1];
  for (int64_t i = 0; i < positions.count; i++, d_out += dim) {
    if (d_bias) kernels::add(d_out, dim, d_bias);
    if (!d_weight) continue;
    features_of(positions, i, features);
    for (int64_t c = 0; c < dim; c++) {
      kernels::scale_add(features, d_out[c], d_weight + c * count, count, d_weight + c * count);
    }
  }
}

}  // namespace posenc
