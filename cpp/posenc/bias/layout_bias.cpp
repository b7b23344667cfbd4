#include "posenc/bias/layout_bias.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/lookup.hpp"

namespace posenc {

Status LayoutBias::prepare() noexcept {
  Status status;
  if (text()) {
    status = text_buckets_.prepare(options_.num_buckets, options_.max_distance, true, "numBuckets",
                                   "maxDistance");
  }
  if (status && page()) {
    status = page_buckets_.prepare(options_.num_buckets_2d, options_.max_distance_2d, true,
                                   "numBuckets2d", "maxDistance2d");
  }
  return status;
}

PositionDomain LayoutBias::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = axes();
  return domain;
}

LayoutBias::Parts LayoutBias::parts() const noexcept {
  Parts parts;
  int64_t first = 0;
  const auto add = [&](const DistanceBuckets& buckets, int axis, int64_t count) {
    parts.list[static_cast<std::size_t>(parts.count)] = {&buckets, axis, first, count, parts.count};
    parts.count++;
    first += count;
  };
  const int box = text() ? 1 : 0;
  if (text()) add(text_buckets_, 0, options_.num_buckets);
  if (!page()) return parts;
  add(page_buckets_, box, options_.num_buckets_2d);
  add(page_buckets_, box + (options_.edge == LayoutEdge::kLower ? 3 : 1), options_.num_buckets_2d);
  return parts;
}

int64_t LayoutBias::scratch_floats(const Positions&, const Positions&) const noexcept {
  return (text() ? options_.num_buckets : 0) + (page() ? 2 * options_.num_buckets_2d : 0);
}

void LayoutBias::begin(const BiasHead& head) const noexcept {
  const Parts all = parts();
  for (int i = 0; i < all.count; i++) {
    const Part& part = all.list[static_cast<std::size_t>(i)];
    kernels::scale(parameters_[part.tensor].values.data() + head.head * part.count,
                   static_cast<float>(options_.factor), part.count, head.values + part.first);
  }
  if (head.sums) std::fill_n(head.sums, scratch_floats(head.query, head.key), 0.0F);
}

void LayoutBias::index(const BiasHead& head, const PairRow& row, const Part& part,
                       int32_t* out) const noexcept {
  const double query = head.query.at(row.query, part.axis);
  for (int64_t i = 0; i < row.count; i++) {
    out[i] = static_cast<int32_t>(
        part.first + part.buckets->of(head.key.at(row.first_key + i, part.axis) - query));
  }
}

void LayoutBias::evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept {
  const Parts all = parts();
  int32_t places[kPairChunk];
  float more[kPairChunk];
  for (int i = 0; i < all.count; i++) {
    index(head, row, all.list[static_cast<std::size_t>(i)], places);
    kernels::gather(head.values, places, row.count, i == 0 ? out : more);
    if (i > 0) kernels::add(more, row.count, out);
  }
}

void LayoutBias::backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                          Gradients&) const noexcept {
  const Parts all = parts();
  int32_t places[kPairChunk];
  for (int i = 0; i < all.count; i++) {
    index(head, row, all.list[static_cast<std::size_t>(i)], places);
    kernels::scatter_add(d_bias, places, row.count, head.sums);
  }
}

void LayoutBias::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  const Parts all = parts();
  for (int i = 0; i < all.count; i++) {
    const Part& part = all.list[static_cast<std::size_t>(i)];
    float* gradient = gradients.of[static_cast<std::size_t>(part.tensor)];
    if (gradient == nullptr) continue;
    gradient += head.head * part.count;
    kernels::scale_add(head.sums + part.first, static_cast<float>(options_.factor), gradient,
                       part.count, gradient);
  }
}

namespace {

Status check_whole(std::span<const double> values, const char* parameter) noexcept {
  for (std::size_t i = 0; i < values.size(); i++) {
    const double value = values[i];
    if (std::abs(value) <= kLargestFloatPosition && value == std::floor(value)) continue;
    return fail(ErrorCode::kOutOfRange, parameter,
                text_of(value, " at index ", static_cast<int64_t>(i)),
                text_of("whole numbers of magnitude up to ", kLargestFloatPosition));
  }
  return {};
}

}  // namespace

Result<OperationResult> layout_positions(const LayoutBias& bias, const NoArguments&,
                                         OperationTensors inputs) noexcept {
  const auto &boxes = inputs[0], &text = inputs[1];
  if (boxes.shape.rank < 2 || boxes.shape.back(0) != 4) {
    return fail(ErrorCode::kShapeMismatch, "boxes", text_of_shape(boxes.shape), "[.., n, 4]");
  }
  Shape shape = boxes.shape;
  shape[shape.rank - 1] = bias.axes();
  const int64_t length = boxes.shape.back(1), count = static_cast<int64_t>(boxes.data.size()) / 4;
  const auto given = static_cast<int64_t>(text.data.size());
  if (text.given() && !bias.text()) {
    return fail(ErrorCode::kUnknownOption, "textPositions", text_of(given, " positions"),
                "nothing where parts is page");
  }
  if (text.given() && given != count && given != length) {
    return fail(ErrorCode::kShapeMismatch, "textPositions", text_of(given, " positions"),
                text_of(length, " or ", count, ", one per token"));
  }
  Status status = check_whole(boxes.data, "boxes");
  if (status) status = check_whole(text.data, "textPositions");
  if (!status) return std::unexpected(status.error());
  Result<OperationResult> result = OperationResult::make(shape, "boxes");
  if (!result) return result;
  float* out = result->data.data();
  for (int64_t i = 0; i < count; i++) {
    if (bias.text()) {
      const int64_t place = text.given() ? i % given : i % length;
      *out++ = static_cast<float>(text.given() ? text.data[static_cast<std::size_t>(place)]
                                               : static_cast<double>(place));
    }
    for (int64_t c = 0; bias.page() && c < 4; c++) {
      *out++ = static_cast<float>(boxes.data[static_cast<std::size_t>(4 * i + c)]);
    }
  }
  return result;
}

}  // namespace posenc
