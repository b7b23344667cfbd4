#include "posenc/input/conv.hpp"

#include <algorithm>

#include "posenc/input/network.hpp"
#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

constexpr int64_t kRows = 16;  // windows that go through a layer at a time

int64_t taps_of(const ConvOptions& options) noexcept {
  return options.axes == 1 ? options.kernel : options.kernel * options.kernel;
}
int64_t group_width(const ConvOptions& options) noexcept { return options.dim / *options.groups; }

}  // namespace

void initialise_filters(const void* options, std::span<float> values, Random& random) noexcept {
  const auto& given = *static_cast<const ConvOptions*>(options);
  initialise_layer(values, group_width(given) * taps_of(given), random);
}

Status Conv::resolve(ConvOptions& options) noexcept {
  if (!options.groups) options.groups = options.dim;
  if (*options.groups <= options.dim && options.dim % *options.groups == 0) return {};
  return fail(ErrorCode::kOutOfRange, "groups", text_of(*options.groups),
              text_of("a divisor of dim, which is ", options.dim));
}

Status Conv::prepare() noexcept {
  const int64_t taps = taps_of(options_), width = group_width(options_);
  // Depthwise: the filters turned over and a row of sums, and the gradients of both. Else: blocks
  // of windows and of sums, and their gradients.
  const int64_t floats =
      2 * (is_depthwise() ? (taps + 1) * options_.dim : kRows * (taps + 1) * width);
  return scratch_.allocate(floats, "kernel");
}

PositionDomain Conv::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = static_cast<int>(options_.axes);
  return domain;
}

kernels::Windows Conv::windows_of(const Positions& positions) const noexcept {
  const int64_t count = positions.count;
  const bool grid = options_.axes == 2;
  const int64_t rows = grid && count > 0 ? static_cast<int64_t>(positions.at(count - 1, 0)) + 1 : 1;
  return {rows,
          rows > 0 ? count / rows : 0,
          options_.dim,
          grid ? options_.kernel : 1,
          options_.kernel,
          options_.padding == ConvPadding::kCircular};
}

Status Conv::check(const Positions& positions, TextRef parameter) const noexcept {
  const int64_t count = positions.count;
  if (positions.contiguous() || count == 0) return {};
  if (options_.axes == 1) {
    for (int64_t i = 1; i < count; i++) {
      if (positions.at(i) == positions.at(0) + static_cast<double>(i)) continue;
      return fail(ErrorCode::kOutsideDomain, parameter, text_of(positions.at(i), " at index ", i),
                  "consecutive positions");
    }
    return {};
  }
  const double rows = positions.at(count - 1, 0) + 1, cols = positions.at(count - 1, 1) + 1;
  bool fits = rows >= 1 && cols >= 1 && rows * cols == static_cast<double>(count);
  for (int64_t i = 0; fits && i < count; i++) {
    const auto width = static_cast<int64_t>(cols);
    fits = positions.at(i, 0) == static_cast<double>(i / width) &&
           positions.at(i, 1) == static_cast<double>(i % width);
  }
  if (fits) return {};
  return fail(ErrorCode::kOutsideDomain, parameter, text_of(count, " positions"),
              "all cells of a grid from (0, 0), row by row");
}

const float* Conv::bias_of() const noexcept {
  return options_.bias ? parameters_.values("biases") : nullptr;
}

void Conv::encode(const Positions& positions, const float* x, float* out) const noexcept {
  const kernels::Windows windows = windows_of(positions);
  const int64_t dim = options_.dim;
  if (is_depthwise()) {
    float* taps = scratch_.data();
    kernels::transpose(parameters_.values("weight"), dim, windows.taps(), taps);
    for (int64_t i = 0; i < positions.count; i++)
      kernels::depthwise(windows, x, i, taps, bias_of(), out + i * dim);
  } else {
    for (int64_t group = 0; group < *options_.groups; group++) grouped(windows, group, x, out);
  }
  if (options_.activation == ConvActivation::kNone) return;
  kernels::activate(kernels::Activation::kGelu, out, positions.count * dim, out);
}

void Conv::backward(const Positions& positions, const float* x, const float* d_out, float* d_x,
                    Gradients& gradients) const noexcept {
  if (d_x) std::fill_n(d_x, positions.count * options_.dim, 0.0F);
  const kernels::Windows windows = windows_of(positions);
  if (is_depthwise()) return depthwise_backward(windows, x, d_out, d_x, gradients);
  for (int64_t group = 0; group < *options_.groups; group++) {
    grouped_backward(windows, group, x, d_out, d_x, gradients);
  }
}

void Conv::through_activation(const float* sums, int64_t count, float* d) const noexcept {
  if (options_.activation == ConvActivation::kNone) return;
  kernels::activate_backward(kernels::Activation::kGelu, sums, count, d);
}

void Conv::depthwise_backward(const kernels::Windows& windows, const float* x, const float* d_out,
                              float* d_x, Gradients& gradients) const noexcept {
  const int64_t dim = options_.dim, filters = windows.taps() * dim;
  float *taps = scratch_.data(), *d_taps = taps + filters, *sums = d_taps + filters,
        *d_sums = sums + dim;
  float* d_weight = gradient_of(parameters_, gradients, "weight");
  float* d_bias = gradient_of(parameters_, gradients, "biases");
  kernels::transpose(parameters_.values("weight"), dim, windows.taps(), taps);
  std::fill_n(d_taps, filters, 0.0F);
  for (int64_t i = 0; i < windows.cells(); i++, d_out += dim) {
    kernels::depthwise(windows, x, i, taps, bias_of(), sums);
    kernels::copy(d_out, dim, d_sums);
    through_activation(sums, dim, d_sums);
    kernels::depthwise_backward(windows, x, i, taps, d_sums, d_x, d_weight ? d_taps : nullptr);
    if (d_bias) kernels::add(d_sums, dim, d_bias);
  }
  if (d_weight) kernels::add_transposed(d_taps, windows.taps(), dim, d_weight);
}

// The filters of a group as a layer: a window in, a number per channel out.
kernels::Dense Conv::layer_of(int64_t group) const noexcept {
  const int64_t width = group_width(options_), inputs = width * taps_of(options_);
  const float* bias = bias_of();
  return {parameters_.values("weight") + group * width * inputs,
          bias ? bias + group * width : nullptr, inputs, width};
}

void Conv::grouped(const kernels::Windows& windows, int64_t group, const float* x,
                   float* out) const noexcept {
  const kernels::Dense layer = layer_of(group);
  const int64_t width = layer.outputs, channel = group * width;
  float *block = scratch_.data(), *sums = block + kRows * layer.inputs;
  for (int64_t first = 0; first < windows.cells(); first += kRows) {
    const int64_t rows = std::min(kRows, windows.cells() - first);
    for (int64_t i = 0; i < rows; i++) {
      kernels::gather_window(windows, x, first + i, channel, width, block + i * layer.inputs);
    }
    kernels::dense(layer, block, rows, sums);
    for (int64_t i = 0; i < rows; i++) {
      kernels::copy(sums + i * width, width, out + (first + i) * options_.dim + channel);
    }
  }
}

void Conv::grouped_backward(const kernels::Windows& windows, int64_t group, const float* x,
                            const float* d_out, float* d_x, Gradients& gradients) const noexcept {
  const kernels::Dense layer = layer_of(group);
  const int64_t width = layer.outputs, channel = group * width;
  float *block = scratch_.data(), *d_block = block + kRows * layer.inputs,
        *sums = d_block + kRows * layer.inputs;
  float* d_sums = sums + kRows * width;
  float* d_weight = gradient_of(parameters_, gradients, "weight");
  float* d_bias = gradient_of(parameters_, gradients, "biases");
  if (d_weight) d_weight += channel * layer.inputs;
  if (d_bias) d_bias += channel;
  for (int64_t first = 0; first < windows.cells(); first += kRows) {
    const int64_t rows = std::min(kRows, windows.cells() - first);
    for (int64_t i = 0; i < rows; i++) {
      kernels::gather_window(windows, x, first + i, channel, width, block + i * layer.inputs);
      kernels::copy(d_out + (first + i) * options_.dim + channel, width, d_sums + i * width);
    }
    kernels::dense(layer, block, rows, sums);
    through_activation(sums, rows * width, d_sums);
    kernels::dense_backward(layer, block, d_sums, rows,
                            {d_weight, d_bias, d_x ? d_block : nullptr});
    for (int64_t i = 0; d_x && i < rows; i++) {
      kernels::scatter_window(windows, d_block + i * layer.inputs, first + i, channel, width, d_x);
    }
  }
}

}  // namespace posenc
