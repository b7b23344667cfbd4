#include "posenc/relative/deberta.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/math.hpp"
#include "posenc/kernels/dense.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {

int64_t DebertaBuckets::bucket(int64_t distance) const noexcept {
  const int64_t middle = span / 2;
  int64_t magnitude = distance < 0 ? -distance : distance;
  if (rule == DebertaBucketRule::kLinear || magnitude <= middle) return distance;
  if (far == DebertaFar::kClamp) magnitude = std::min(magnitude, max_distance - 1);
  const auto half = static_cast<double>(middle);
  const double share = math::log(static_cast<double>(magnitude) / half) /
                       math::log(static_cast<double>(max_distance - 1) / half);
  const auto steps = static_cast<int64_t>(std::ceil(share * (half - 1))) + middle;
  return distance < 0 ? -steps : steps;
}

namespace {

// Where the logarithm ends it has to lie beyond where it begins.
Status check_buckets(const DebertaBuckets& buckets) noexcept {
  if (buckets.rule == DebertaBucketRule::kLinear) return {};
  if (buckets.span < 2)
    return fail(ErrorCode::kOutOfRange, "span", text_of(buckets.span), "2 or more for log buckets");
  if (buckets.max_distance - 1 > buckets.span / 2) return {};
  return fail(ErrorCode::kOutOfRange, "maxRelativePositions", text_of(buckets.max_distance),
              text_of("more than span / 2 + 1, which is ", buckets.span / 2 + 1));
}

}  // namespace

Result<OperationResult> deberta_buckets(const DebertaBucketArguments& arguments,
                                        OperationTensors inputs) noexcept {
  DebertaBuckets buckets = arguments.buckets;
  buckets.rule = DebertaBucketRule::kLog;
  if (Status status = check_buckets(buckets); !status) return std::unexpected(status.error());
  const TensorView<const double>& distances = inputs[0];
  Result<OperationResult> result = OperationResult::make(distances.shape, "distances");
  if (!result) return result;
  for (std::size_t i = 0; i < distances.data.size(); i++) {
    const double distance = distances.data[i];
    if (!(std::abs(distance) <= kRelativeLimit) || distance != std::floor(distance)) {
      return fail(ErrorCode::kOutOfRange, "distances",
                  text_of(distance, " at index ", static_cast<int64_t>(i)),
                  text_of("whole numbers of magnitude up to ", kRelativeLimit));
    }
    result->data[static_cast<int64_t>(i)] =
        static_cast<float>(buckets.bucket(static_cast<int64_t>(distance)));
  }
  return result;
}

Status Deberta::resolve(DebertaOptions& options) noexcept {
  if (!options.dim) options.dim = options.heads * options.head_dim;
  return check_buckets(options.buckets);
}

Status Deberta::prepare() noexcept {
  // From there on the row is that of the end of the table.
  const bool log = options_.buckets.rule == DebertaBucketRule::kLog;
  const int64_t end = std::max(options_.buckets.span, log ? options_.buckets.max_distance : 0);
  const auto add = [&](RelativeSide side) {
    terms_[static_cast<std::size_t>(count_++)] = {.side = side, .lowest = -end, .highest = end};
  };
  if (options_.terms != DebertaTerms::kP2c) add(RelativeSide::kQuery);
  if (options_.terms != DebertaTerms::kC2p) add(RelativeSide::kKey);
  return {};
}

int64_t Deberta::scratch_floats() const noexcept {
  return options_.rows == DebertaRows::kEmbeddings ? 2 * kRelativeRows * *options_.dim : 0;
}

int64_t Deberta::table_row(const RelativeTerm& term, int64_t distance) const noexcept {
  const bool turned = term.side == RelativeSide::kKey && options_.p2c == DebertaP2c::kPaper;
  const int64_t span = options_.buckets.span;
  const int64_t bucket = options_.buckets.bucket(turned ? distance : -distance);
  return std::clamp<int64_t>(bucket + span, 0, 2 * span - 1);
}

// The embeddings of the rows' distances.
void Deberta::gather(const RelativeRows& rows, float* out) const noexcept {
  const int64_t dim = *options_.dim;
  const RelativeTerm& term = terms_[static_cast<std::size_t>(rows.term)];
  for (int64_t r = 0; r < rows.count; r++) {
    kernels::copy(parameters_[0].values.data() + table_row(term, rows.first + r) * dim, dim,
                  out + r * dim);
  }
}

// The embeddings of the rows' distances, each that several distances in a row share once; `place`
// says which is whose.
int64_t Deberta::gather_once(const RelativeRows& rows, float* out, int64_t* place) const noexcept {
  const int64_t dim = *options_.dim;
  const RelativeTerm& term = terms_[static_cast<std::size_t>(rows.term)];
  int64_t count = 0, last = -1;
  for (int64_t r = 0; r < rows.count; r++) {
    const int64_t row = table_row(term, rows.first + r);
    if (row != last)
      kernels::copy(parameters_[0].values.data() + row * dim, dim, out + count++ * dim);
    place[r] = count - 1;
    last = row;
  }
  return count;
}

// The rows of one head from their embeddings: W · E + b. Spread from the last to the first, they
// find room in place.
void Deberta::project(const RelativeRows& rows, int64_t head, const float* embeddings,
                      int64_t count, const int64_t* place, float* out) const noexcept {
  const bool key = terms_[static_cast<std::size_t>(rows.term)].side == RelativeSide::kKey;
  const int64_t width = options_.head_dim, dim = *options_.dim;
  const float* weight = parameters_.values(key ? "queryWeight" : "keyWeight") + head * width * dim;
  const float* bias = parameters_.values(key ? "queryBias" : "keyBias") + head * width;
  kernels::dense({weight, bias, dim, width}, embeddings, count, out);
  for (int64_t r = rows.count - 1; r > place[r]; r--)
    kernels::copy(out + place[r] * width, width, out + r * width);
}

void Deberta::write(const RelativeRows& rows, float* out, float*, float* scratch) const noexcept {
  const RelativeTerm& term = terms_[static_cast<std::size_t>(rows.term)];
  const bool key = term.side == RelativeSide::kKey;
  const int64_t width = options_.head_dim, span = options_.buckets.span;
  const bool projected = options_.rows == DebertaRows::kProjected;
  int64_t place[kRelativeRows];
  const int64_t count = projected ? 0 : gather_once(rows, scratch, place);
  for (int64_t h = 0; h < options_.heads; h++, out += rows.count * width) {
    if (!projected) {
      project(rows, h, scratch, count, place, out);
      continue;
    }
    const float* table =
        parameters_.values(key ? "positionQueries" : "positionKeys") + h * 2 * span * width;
    for (int64_t r = 0; r < rows.count; r++) {
      kernels::copy(table + table_row(term, rows.first + r) * width, width, out + r * width);
    }
  }
}

void Deberta::backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float*,
                       float* scratch, Gradients& gradients) const noexcept {
  const RelativeTerm& term = terms_[static_cast<std::size_t>(rows.term)];
  const bool key = term.side == RelativeSide::kKey;
  const int64_t width = options_.head_dim, dim = *options_.dim, span = options_.buckets.span;
  const auto gradient = [&](std::string_view name, int64_t offset) {
    float* data = gradients.of[static_cast<std::size_t>(parameters_.find(name))];
    return data ? data + offset : nullptr;
  };
  if (options_.rows == DebertaRows::kProjected) {
    float* d_table = gradient(key ? "positionQueries" : "positionKeys", head * 2 * span * width);
    for (int64_t r = 0; d_table && r < rows.count; r++) {
      kernels::add(d_rows + r * width, width, d_table + table_row(term, rows.first + r) * width);
    }
    return;
  }
  gather(rows, scratch);
  float* d_embeddings = gradient("relativeEmbeddings", 0);
  float* d_x = d_embeddings ? scratch + kRelativeRows * dim : nullptr;
  const float* weight = parameters_.values(key ? "queryWeight" : "keyWeight") + head * width * dim;
  kernels::dense_backward({weight, nullptr, dim, width}, scratch, d_rows, rows.count,
                          {gradient(key ? "queryWeight" : "keyWeight", head * width * dim),
                           gradient(key ? "queryBias" : "keyBias", head * width), d_x});
  for (int64_t r = 0; d_x && r < rows.count; r++) {
    kernels::add(d_x + r * dim, dim, d_embeddings + table_row(term, rows.first + r) * dim);
  }
}

}  // namespace posenc
