#include "posenc/relative/transformer_xl.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"
#include "posenc/kernels/angles.hpp"
#include "posenc/kernels/dense.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/shift.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc {

Status TransformerXl::resolve(TransformerXlOptions& options) noexcept {
  if (options.rows == TransformerXlRows::kTable || options.dim) return {};
  options.dim = options.heads * options.head_dim;
  if (*options.dim % 2 == 0 && *options.dim <= 1 << 20) return {};
  return fail(ErrorCode::kOutOfRange, "dim", text_of(*options.dim, ", which is heads * headDim"),
              "an even number of at most 1048576");
}

Status TransformerXl::prepare() noexcept {
  terms_[1] = {
      .side = RelativeSide::kQuery, .axis = 1, .lowest = -1, .highest = 1, .has_bias = true};
  terms_[0] = {.side = RelativeSide::kQuery, .has_bias = true};
  if (!sinusoidal()) {
    terms_[0].lowest = 1 - options_.max_length;
    terms_[0].highest = 0;
    return {};
  }
  if (options_.clamp_length) {
    terms_[0].lowest = -*options_.clamp_length;
    terms_[0].highest = *options_.clamp_length;
  }
  if (Status status = frequencies_.allocate(*options_.dim / 2, "dim"); !status) return status;
  for (int64_t i = 0; i < frequencies_.size(); i++) {
    frequencies_[i] = math::power(options_.base,
                                  -2 * static_cast<double>(i) / static_cast<double>(*options_.dim));
  }
  return {};
}

PositionDomain TransformerXl::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = options_.segments ? 2 : 1;
  return domain;
}

// Sines of a block of distances, and rows of one head with their gradient.
int64_t TransformerXl::scratch_floats() const noexcept {
  return kRelativeRows * ((sinusoidal() ? *options_.dim : 0) + 2 * options_.head_dim) +
         options_.head_dim;
}

int64_t TransformerXl::table_row(int term, int64_t distance) const noexcept {
  if (term == 1) return distance == 0 ? 0 : 1;
  return options_.max_length - 1 + std::clamp(distance, terms_[0].lowest, terms_[0].highest);
}

void TransformerXl::write_features(const RelativeRows& rows, float* out) const noexcept {
  double behind[kRelativeRows];  // query - key, as the paper counts
  const int64_t last = rows.first + rows.count - 1;
  Positions positions = Positions::array(behind, rows.count);
  int64_t stride = *options_.dim, cosines = stride / 2;
  if (rows.first >= terms_[0].lowest && last <= terms_[0].highest) {
    // Ascending, from the last row up: rows on both sides of one are made together.
    positions = Positions::range(-static_cast<double>(last), rows.count);
    out += (rows.count - 1) * stride;
    stride = -stride;
  } else {
    for (int64_t r = 0; r < rows.count; r++) {
      behind[r] =
          -static_cast<double>(std::clamp(rows.first + r, terms_[0].lowest, terms_[0].highest));
    }
  }
  const kernels::Angles angles{frequencies_.data(), cosines, positions};
  if (options_.layout == TransformerXlLayout::kInterleaved)
    kernels::angles_interleaved(angles, out, stride);
  else
    kernels::angles_apart(angles, 1, out, out + cosines, stride);
}

void TransformerXl::write_head(const RelativeRows& rows, int64_t head, const float* sines,
                               float* out) const noexcept {
  const int64_t width = options_.head_dim;
  if (feature_width(rows.term) > 0) {
    const int64_t dim = *options_.dim;
    const float* weight = parameters_.values("projection") + head * width * dim;
    return kernels::dense({weight, nullptr, dim, width}, sines, rows.count, out);
  }
  const float* table = parameters_.values(rows.term == 0 ? "table" : "segmentTable");
  for (int64_t r = 0; r < rows.count; r++) {
    const int64_t row = table_row(rows.term, rows.first + r) * options_.heads + head;
    kernels::copy(table + row * width, width, out + r * width);
  }
}

// Attention multiplies rows with q + u; what a term has instead of u comes in by the row's bias.
void TransformerXl::offset_of(int term, int64_t head, float* out) const noexcept {
  const int64_t width = options_.head_dim, first = head * width;
  kernels::scale(parameters_.values("contentBias") + first, -1, width, out);
  if (term == 1)
    kernels::add(parameters_.values("segmentBias") + first, width, out);
  else if (sinusoidal())
    kernels::add(parameters_.values("positionBias") + first, width, out);
}

void TransformerXl::move_query(int64_t head, const float* query, float factor, float* out,
                               float* scratch) const noexcept {
  const int64_t width = options_.head_dim, dim = *options_.dim;
  float* moved = scratch;
  offset_of(0, head, moved);
  kernels::scale_add(moved, factor, query, width, moved);
  std::fill_n(out, dim, 0.0F);
  kernels::add_rows(parameters_.values("projection") + head * width * dim, dim, width, moved, dim,
                    1, out);
}

void TransformerXl::write(const RelativeRows& rows, float* out, float* bias,
                          float* scratch) const noexcept {
  const int64_t width = options_.head_dim;
  float* offset = scratch;
  float* sines = offset + width;
  if (feature_width(rows.term) > 0) write_features(rows, sines);
  for (int64_t h = 0; h < options_.heads; h++, out += rows.count * width, bias += rows.count) {
    write_head(rows, h, sines, out);
    offset_of(rows.term, h, offset);
    for (int64_t r = 0; r < rows.count; r++) {
      bias[r] = kernels::dot(offset, out + r * width, width);
      if (rows.term == 1 || sinusoidal()) continue;
      bias[r] += parameters_.values("tableBias")[table_row(0, rows.first + r) * options_.heads + h];
    }
  }
}

float* TransformerXl::gradient_of(std::string_view tensor, Gradients& gradients) const noexcept {
  return gradients.of[static_cast<std::size_t>(parameters_.find(tensor))];
}

// With c the gradient of a bias: rows get c·offset, offsets the sum of c·row.
void TransformerXl::backward(const RelativeRows& rows, int64_t head, const float* d_rows,
                             const float* d_bias, float* scratch,
                             Gradients& gradients) const noexcept {
  const int64_t width = options_.head_dim, count = rows.count, first = head * width;
  float *offset = scratch, *values = offset + width, *d_all = values + kRelativeRows * width;
  float* sines = d_all + kRelativeRows * width;
  const bool projected = feature_width(rows.term) > 0;
  if (projected) write_features(rows, sines);
  write_head(rows, head, sines, values);
  offset_of(rows.term, head, offset);
  float* d_content = gradient_of("contentBias", gradients);
  float* d_own = nullptr;
  if (rows.term == 1)
    d_own = gradient_of("segmentBias", gradients);
  else if (projected)
    d_own = gradient_of("positionBias", gradients);
  for (int64_t r = 0; r < count; r++) {
    kernels::scale_add(offset, d_bias[r], d_rows + r * width, width, d_all + r * width);
    if (d_content)
      kernels::scale_add(values + r * width, -d_bias[r], d_content + first, width,
                         d_content + first);
    if (d_own)
      kernels::scale_add(values + r * width, d_bias[r], d_own + first, width, d_own + first);
  }
  if (projected) {
    const int64_t dim = *options_.dim;
    float* d_weight = gradient_of("projection", gradients);
    const kernels::Dense layer{parameters_.values("projection") + first * dim, nullptr, dim, width};
    if (d_weight)
      kernels::dense_backward(layer, sines, d_all, count,
                              {d_weight + first * dim, nullptr, nullptr});
    return;
  }
  float* d_table = gradient_of(rows.term == 0 ? "table" : "segmentTable", gradients);
  float* d_numbers = rows.term == 0 ? gradient_of("tableBias", gradients) : nullptr;
  for (int64_t r = 0; r < count; r++) {
    const int64_t row = table_row(rows.term, rows.first + r) * options_.heads + head;
    if (d_table) kernels::add(d_all + r * width, width, d_table + row * width);
    if (d_numbers) d_numbers[row] += d_bias[r];
  }
}

void TransformerXl::offset_backward(int64_t head, const float* d_offset,
                                    Gradients& gradients) const noexcept {
  const int64_t width = options_.head_dim;
  if (float* d_content = gradient_of("contentBias", gradients)) {
    kernels::add(d_offset, width, d_content + head * width);
  }
}

Result<OperationResult> transformer_xl_shift(const TransformerXlShift& arguments,
                                             OperationTensors inputs) noexcept {
  const TensorView<const double>& x = inputs[0];
  if (x.shape.rank < 2) {
    return fail(ErrorCode::kShapeMismatch, "x", text_of_shape(x.shape), "[.., queries, rows]");
  }
  const int64_t queries = x.shape.back(1), rows = x.shape.back(0);
  Shape shape = x.shape;
  shape[shape.rank - 1] = arguments.keys;
  Result<OperationResult> result = OperationResult::make(shape, "keys");
  if (!result) return result;
  Buffer<float> plane;
  if (Status status = plane.allocate(queries * rows, "x"); !status)
    return std::unexpected(status.error());
  const int64_t area = queries * arguments.keys;
  for (int64_t n = 0; area > 0 && n < result->data.size() / area; n++) {
    for (int64_t i = 0; i < queries * rows; i++) {
      plane[i] = static_cast<float>(x.data[static_cast<std::size_t>(n * queries * rows + i)]);
    }
    kernels::shift_rows(plane.data(), rows, queries, arguments.keys,
                        arguments.offset.value_or(queries - 1), result->data.data() + n * area);
  }
  return result;
}

}  // namespace posenc
