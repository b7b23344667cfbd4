#include "posenc/attention/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/attention/fade.hpp"
#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"
#include "posenc/kernels/rotate.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

constexpr double kShortest = 1e-12;  // what a shorter row is taken for, as PyTorch's normalize does

// In double, since a factor of up to 100 follows.
double length_of(const float* x, int64_t width) noexcept {
  double sum = 0;
  for (int64_t c = 0; c < width; c++) sum += static_cast<double>(x[c]) * x[c];
  return std::max(std::sqrt(sum), kShortest);
}

bool same(const Positions& a, const Positions& b) noexcept {
  return a.given == b.given && a.start == b.start && a.count == b.count && a.axes == b.axes;
}

}  // namespace

void turn_rows(const RowsIn& x, int64_t count, int64_t width, const Rotation& rotation,
               int64_t first, double scale, const RowsOut& out) noexcept {
  RowsIn source = x;
  if (rotation.unit) {
    for (int64_t i = 0; i < count; i++) {
      const float* row = x.data + i * x.stride;
      const double factor = scale / length_of(row, width);
      for (int64_t c = 0; c < width; c++)
        out.data[i * out.stride + c] = static_cast<float>(factor * row[c]);
    }
    source = {out.data, out.stride};
    scale = 1;
  }
  if (rotation.dim > 0) {
    const int64_t pairs = rotation.dim / 2;
    const auto rotate =
        rotation.layout == PairLayout::kHalf ? kernels::rotate_half : kernels::rotate_interleaved;
    rotate({.x = source.data,
            .x_stride = source.stride,
            .out = out.data,
            .out_stride = out.stride,
            .rows = count,
            .dim = width,
            .cos = rotation.cos + first * pairs,
            .sin = rotation.sin + first * pairs,
            .factor_stride = pairs,
            .pairs = pairs});
    source = {out.data, out.stride};
  }
  if (source.data == out.data && scale == 1) return;
  for (int64_t i = 0; i < count; i++) {
    kernels::scale(source.data + i * source.stride, static_cast<float>(scale), width,
                   out.data + i * out.stride);
  }
}

float unit_rows_backward(const RowsIn& x, int64_t count, int64_t width,
                         const RowsOut& gradient) noexcept {
  float sum = 0;
  for (int64_t i = 0; i < count; i++) {
    const float* row = x.data + i * x.stride;
    float* g = gradient.data + i * gradient.stride;
    if (kernels::dot(g, g, width) == 0) continue;
    const auto length = static_cast<float>(length_of(row, width));
    const float along = kernels::dot(row, g, width) / length;
    sum += along;
    kernels::scale_add(row, -along / length, g, width, g);
    kernels::scale(g, 1 / length, width, g);
  }
  return sum;
}

void scale_by_position(const AttentionOptions& options, const Positions& positions, int64_t first,
                       const RowsOut& rows, int64_t count, int64_t width) noexcept {
  const TemperatureOptions& rule = options.temperature;
  if (rule.type == QueryTemperature::kNone) return;
  for (int64_t i = 0; i < count; i++) {
    const double reached = positions.at(first + i) + 1;
    const double factor =
        rule.type == QueryTemperature::kLogN
            ? std::max(1.0, math::log(std::max(reached, 1.0)) / math::log(rule.length))
            : math::log(std::max(std::floor(reached / rule.floor_scale), 0.0) + 1) * rule.weight +
                  1;
    kernels::scale(rows.data + i * rows.stride, static_cast<float>(factor), width,
                   rows.data + i * rows.stride);
  }
}

void RotaryTables::Side::lay_out(Carver& carver, int64_t count, bool gradients) noexcept {
  const int64_t factors = count * forward.dim / 2;
  forward.cos = cos = carver.take(factors);
  forward.sin = sin = carver.take(factors);
  if (!gradients) return;
  back = forward;
  back.unit = false;
  back.sin = negative_sin = carver.take(factors);
}

void RotaryTables::Side::make(const RotaryEncoding& rotary, const Positions& positions,
                              RotaryContext context) noexcept {
  const int64_t step = rotary.fades() ? kernels::kTile : positions.count, pairs = forward.dim / 2;
  for (int64_t first = 0; first < positions.count; first += step) {
    const Positions tile = positions.slice(first, std::min(step, positions.count - first));
    if (rotary.fades()) context.centre = middle_of(tile);
    rotary.table(tile, context, cos + first * pairs, sin + first * pairs);
  }
  if (negative_sin == nullptr) return;
  const int64_t factors = positions.count * forward.dim / 2;
  std::copy_n(sin, factors, negative_sin);
  kernels::transpose_factors(negative_sin, factors);
}

RotaryTables::RotaryTables(const Attention& attention, const AttentionInputs& inputs,
                           bool gradients) noexcept
    : rotary_(attention.rotary()), gradients_(gradients) {
  query_.forward.unit = key_.forward.unit = attention.options().logits == Logits::kCosine;
  if (rotary_ == nullptr) return;
  query_.forward.dim = rotary_->rotary_dim();
  query_.forward.layout = rotary_->layout();
  // A cache turns keys on the way in; fading is centred on the tiles of this call.
  if (inputs.keys_rotated && !rotary_->fades()) return;
  key_part_ = inputs.keys_rotated ? RotaryPart::kFade : RotaryPart::kWhole;
  key_.forward = query_.forward;
  values_ = rotary_->rotates_values() && !inputs.keys_rotated;
}

void RotaryTables::lay_out(Carver& carver, int64_t q_len, int64_t k_len) noexcept {
  query_.lay_out(carver, q_len, gradients_);
  key_.lay_out(carver, k_len, gradients_);
}

void RotaryTables::make(const CallRow& row) noexcept {
  if (rotary_ == nullptr) return;
  const bool fresh = !any_made_ || row.reached != made_.reached;
  if (fresh || !same(row.query, made_.query)) {
    query_.make(*rotary_, row.query, {.side = RotarySide::kQuery, .reached = row.reached});
  }
  if (key_.forward.dim > 0 && (fresh || !same(row.key, made_.key))) {
    key_.make(*rotary_, row.key,
              {.side = RotarySide::kKey, .reached = row.reached, .part = key_part_});
  }
  made_ = row;
  any_made_ = true;
}

}  // namespace posenc::attn
