#include "posenc/input/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/core/math.hpp"
#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/sincos.hpp"

namespace posenc {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int64_t kMostAxes = 8;  // as the options say

double nerf_frequency(const FourierOptions& options, int64_t k) noexcept {
  const double share = options.frequencies > 1
                           ? static_cast<double>(k) / static_cast<double>(options.frequencies - 1)
                           : 0;
  const double most = *options.max_log2;
  const bool log = options.sampling == FourierSampling::kLog;
  return (log ? math::exp2(share * most) : 1 + share * (math::exp2(most) - 1)) *
         (options.pi ? kPi : 1);
}

// A frequency's axes are few numbers, for which the kernel would do more around them than with
// them.
void put(const float* x, float scale, int64_t count, float* out) noexcept {
  if (count > kMostAxes) return kernels::scale(x, scale, count, out);
  for (int64_t i = 0; i < count; i++) out[i] = x[i] * scale;
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

void Fourier::project(const Positions& positions, int64_t token, Part& part) const noexcept {
  const int64_t axes = options_.axes;
  double x[kMostAxes], angles[kPart];
  for (int64_t a = 0; a < axes; a++) x[a] = positions.at(token, static_cast<int>(a));
  if (options_.kind == FourierKind::kNerf) {
    int64_t k = part.first / axes, axis = part.first % axes;
    for (int64_t i = 0; i < part.count; i++) {
      angles[i] = x[axis] * frequencies_[k];
      if (++axis == axes) axis = 0, k++;
    }
  } else {
    const float* matrix = parameters_.values("matrix") + part.first * axes;
    for (int64_t a = 0; a < axes && options_.kind == FourierKind::kRandom; a++) x[a] *= 2 * kPi;
    for (int64_t i = 0; i < part.count; i++, matrix += axes) {
      double sum = 0;
      for (int64_t a = 0; a < axes; a++) sum += x[a] * static_cast<double>(matrix[a]);
      angles[i] = sum;
    }
  }
  kernels::sincos(angles, part.count, part.sin, part.cos);
}

// To where they stand in a row: all of a kind follow one another, for nerf those of a frequency's
// axes.
void Fourier::write_part(const Part& part, float scale, float* out) const noexcept {
  const int64_t run = options_.kind == FourierKind::kNerf ? options_.axes : part.first + part.count;
  for (int64_t i = 0; i < part.count;) {
    const int64_t j = part.first + i, count = std::min(run - j % run, part.count - i);
    const Columns columns = columns_of(j);
    put(part.sin + i, scale, count, out + columns.sin);
    put(part.cos + i, scale, count, out + columns.cos);
    i += count;
  }
}

void Fourier::write_features(const Positions& positions, float* out) const noexcept {
  const auto scale = static_cast<float>(amplitude());
  Part part;
  for (int64_t token = 0; token < positions.count; token++, out += features_) {
    for (int64_t a = 0; options_.include_input && a < options_.axes; a++) {
      out[a] = static_cast<float>(positions.at(token, static_cast<int>(a)));
    }
    for (part.first = 0; part.first < projections(); part.first += kPart) {
      part.count = std::min(kPart, projections() - part.first);
      project(positions, token, part);
      write_part(part, scale, out);
    }
  }
}

// d_B_j += (d_sin · cos - d_cos · sin) · x
void Fourier::add_gradient(const Positions& positions, const float* d_features,
                           float* d_matrix) const noexcept {
  Part part;
  for (int64_t token = 0; token < positions.count; token++, d_features += features_) {
    for (part.first = 0; part.first < projections(); part.first += kPart) {
      part.count = std::min(kPart, projections() - part.first);
      project(positions, token, part);
      for (int64_t i = 0; i < part.count; i++) {
        const Columns columns = columns_of(part.first + i);
        const double d_angle =
            amplitude() * (static_cast<double>(d_features[columns.sin]) * part.cos[i] -
                           static_cast<double>(d_features[columns.cos]) * part.sin[i]);
        float* row = d_matrix + (part.first + i) * options_.axes;
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
