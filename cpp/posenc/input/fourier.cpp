#include "posenc/input/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/core/math.hpp"
#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc {
namespace {

constexpr double kPi = std::numbers::pi;

double nerf_frequency(const FourierOptions& options, int64_t k) noexcept {
  const double share = options.frequencies > 1
                           ? static_cast<double>(k) / static_cast<double>(options.frequencies - 1)
                           : 0;
  const double most = *options.max_log2;
  const bool log = options.sampling == FourierSampling::kLog;
  return (log ? math::exp2(share * most) : 1 + share * (math::exp2(most) - 1)) *
         (options.pi ? kPi : 1);
}

int64_t features_of(const FourierOptions& options) noexcept {
  const int64_t projections =
      options.frequencies * (options.kind == FourierKind::kNerf ? options.axes : 1);
  return 2 * projections + (options.include_input ? options.axes : 0);
}

}  // namespace

void initialise_features_layer(const void* options, std::span<float> values,
                               Random& random) noexcept {
  initialise_layer(values, features_of(*static_cast<const FourierOptions*>(options)), random);
}

Status Fourier::resolve(FourierOptions& options) noexcept {
  if (!options.max_log2) options.max_log2 = static_cast<double>(options.frequencies - 1);
  options.ffn = options.ffn && options.kind != FourierKind::kNerf;
  return {};
}

Status Fourier::prepare() noexcept {
  features_ = features_of(options_);
  if (options_.kind == FourierKind::kNerf) {
    if (Status status = frequencies_.allocate(options_.frequencies, "frequencies"); !status)
      return status;
    for (int64_t k = 0; k < frequencies_.size(); k++) frequencies_[k] = nerf_frequency(options_, k);
  }
  if (!options_.ffn) return {};
  const Network network(parameters_, options_.activation);
  const int64_t floats = network.scratch_floats() + 2 * Network::kRows * features_;
  return scratch_.allocate(floats, "hidden");
}

PositionDomain Fourier::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = static_cast<int>(options_.axes);
  return domain;
}

int64_t Fourier::projections() const noexcept {
  return (features_ - (options_.include_input ? options_.axes : 0)) / 2;
}

double Fourier::amplitude() const noexcept {
  return options_.kind == FourierKind::kLearned
             ? 1 / std::sqrt(2 * static_cast<double>(options_.frequencies))
             : 1;
}

Fourier::Columns Fourier::columns_of(int64_t j) const noexcept {
  const int64_t axes = options_.axes, first = options_.include_input ? axes : 0;
  if (options_.kind == FourierKind::kNerf) {
    const int64_t sin = first + j / axes * 2 * axes + j % axes;
    return {sin, sin + axes};
  }
  const int64_t near = first + j, far = near + projections();
  return options_.order == FourierOrder::kCosSin ? Columns{far, near} : Columns{near, far};
}

void Fourier::begin_part(Part& part, int64_t first) const noexcept {
  const int64_t axes = options_.axes;
  part.first = first;
  part.count = std::min(kPart, projections() - first);
  std::fill_n(part.columns, axes * kPart, 0.0);
  if (options_.kind == FourierKind::kNerf) {
    for (int64_t i = 0; i < part.count; i++)
      part.columns[(first + i) % axes * kPart + i] = frequencies_[(first + i) / axes];
    return;
  }
  const float* matrix = parameters_.values("matrix") + first * axes;
  for (int64_t i = 0; i < part.count; i++) {
    for (int64_t a = 0; a < axes; a++) part.columns[a * kPart + i] = static_cast<double>(*matrix++);
  }
}

void Fourier::project(const Positions& positions, int64_t token, Part& part) const noexcept {
  double x[kMostAxes];
  const double factor = options_.kind == FourierKind::kRandom ? 2 * kPi : 1;
  for (int64_t a = 0; a < options_.axes; a++)
    x[a] = positions.at(token, static_cast<int>(a)) * factor;
  kernels::project(x, options_.axes, part.columns, kernels::padded(part.count, 4), part.angles);
}

// Nerf: a frequency's axes follow one another, sines and then cosines.
void Fourier::write_axes(const Part& part, float* out) const noexcept {
  const int64_t axes = options_.axes;
  int64_t axis = part.first % axes;
  out += columns_of(part.first).sin;
  for (int64_t i = 0; i < part.count; i++, out++) {
    out[0] = part.sin[i];
    out[axes] = part.cos[i];
    if (++axis == axes) axis = 0, out += axes;
  }
}

void Fourier::write_features(const Positions& positions, float* out) const noexcept {
  const auto scale = static_cast<float>(amplitude());
  for (int64_t i = 0; options_.include_input && i < positions.count; i++) {
    for (int64_t a = 0; a < options_.axes; a++)
      out[i * features_ + a] = static_cast<float>(positions.at(i, static_cast<int>(a)));
  }
  Part part;
  for (int64_t first = 0; first < projections(); first += kPart) {
    begin_part(part, first);
    const int64_t count = part.count;
    const auto [sin_column, cos_column] = columns_of(first);
    float* row = out;
    for (int64_t i = 0; i < positions.count; i++, row += features_) {
      project(positions, i, part);
      if (options_.kind == FourierKind::kNerf) {
        kernels::sincos(part.angles, kernels::padded(count, 4), part.sin, part.cos);
        write_axes(part, row);
        continue;
      }
      float *sin = row + sin_column, *cos = row + cos_column;
      kernels::sincos(part.angles, count, sin, cos);
      if (scale == 1) continue;
      kernels::scale(sin, scale, count, sin);
      kernels::scale(cos, scale, count, cos);
    }
  }
}

// d_B_j += (d_sin · cos - d_cos · sin) · x
void Fourier::add_gradient(const Positions& positions, const float* d_features,
                           float* d_matrix) const noexcept {
  Part part;
  for (int64_t first = 0; first < projections(); first += kPart) {
    begin_part(part, first);
    const float* d_row = d_features;
    for (int64_t token = 0; token < positions.count; token++, d_row += features_) {
      project(positions, token, part);
      kernels::sincos(part.angles, part.count, part.sin, part.cos);
      for (int64_t i = 0; i < part.count; i++) {
        const Columns columns = columns_of(first + i);
        const double d_angle =
            amplitude() * (static_cast<double>(d_row[columns.sin]) * part.cos[i] -
                           static_cast<double>(d_row[columns.cos]) * part.sin[i]);
        float* row = d_matrix + (first + i) * options_.axes;
        for (int64_t a = 0; a < options_.axes; a++) {
          row[a] += static_cast<float>(d_angle * positions.at(token, static_cast<int>(a)));
        }
      }
    }
  }
}

void Fourier::encode(const Positions& positions, float* out) const noexcept {
  if (!options_.ffn) return write_features(positions, out);
  const Network network(parameters_, options_.activation);
  float* features = scratch_.data() + network.scratch_floats();
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    write_features(positions.slice(first, rows), features);
    network.forward(features, rows, scratch_.data(), out + first * options_.dim);
  }
}

void Fourier::backward(const Positions& positions, const float* d_out,
                       Gradients& gradients) const noexcept {
  const bool learned = options_.kind == FourierKind::kLearned;
  float* d_matrix = learned ? gradient_of(parameters_, gradients, "matrix") : nullptr;
  if (!options_.ffn) {
    if (d_matrix) add_gradient(positions, d_out, d_matrix);
    return;
  }
  const Network network(parameters_, options_.activation);
  float* features = scratch_.data() + network.scratch_floats();
  float* d_features = features + Network::kRows * features_;
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    const Positions part = positions.slice(first, rows);
    write_features(part, features);
    const float* d_part = d_out + first * options_.dim;
    network.forward(features, rows, scratch_.data(), nullptr);
    network.backward(features, rows, d_part, gradients, scratch_.data(),
                     d_matrix ? d_features : nullptr);
    if (d_matrix) add_gradient(part, d_features, d_matrix);
  }
}

}  // namespace posenc
