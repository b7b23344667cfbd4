#include "posenc/relative/shaw.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/elementwise.hpp"

namespace posenc {

void initialise_rows(int64_t rows, int64_t width, std::span<float> values,
                     Random& random) noexcept {
  const double limit = std::sqrt(6.0 / static_cast<double>(rows + width));
  for (float& value : values) value = static_cast<float>(limit * (2 * random.uniform() - 1));
}

Status Shaw::resolve(ShawOptions& options) noexcept {
  if (!options.value_dim) options.value_dim = options.head_dim;
  if (!options.right) options.right = options.left;
  if (options.values != ShawValues::kShared || *options.value_dim == options.head_dim) return {};
  return fail(
      ErrorCode::kOutOfRange, "valueDim", text_of(*options.value_dim),
      text_of("headDim, which is ", options.head_dim, ", where values share the keys' table"));
}

Status Shaw::prepare() noexcept {
  const auto add = [&](RelativeSide side) {
    terms_[static_cast<std::size_t>(count_++)] = {
        .side = side, .lowest = -options_.left, .highest = *options_.right};
  };
  add(RelativeSide::kQuery);
  if (options_.queries) add(RelativeSide::kKey);
  if (options_.values != ShawValues::kNone) add(RelativeSide::kValue);
  return {};
}

PositionDomain Shaw::domain() const noexcept {
  if (options_.beyond == ShawBeyond::kClip) return info.domain;
  const int64_t farthest = std::min(options_.left, *options_.right);
  return {.kind = DomainKind::kNaturals, .limit = static_cast<double>(farthest + 1), .axes = 1};
}

int64_t Shaw::row_of(int64_t distance) const noexcept {
  const int64_t clipped = std::clamp(distance, -options_.left, *options_.right);
  return options_.order == ShawOrder::kKeyMinusQuery ? clipped + options_.left
                                                     : *options_.right - clipped;
}

int Shaw::table_of(int term) const noexcept {
  const bool values = terms_[static_cast<std::size_t>(term)].side == RelativeSide::kValue;
  return values && options_.values == ShawValues::kTable ? 1 : 0;
}

void Shaw::write(const RelativeRows& rows, float* out, float*, float*) const noexcept {
  const ParameterTensor& table = parameters_[table_of(rows.term)];
  const int64_t width = table.shape[1];
  for (int64_t r = 0; r < rows.count; r++) {
    kernels::copy(table.values.data() + row_of(rows.first + r) * width, width, out + r * width);
  }
}

void Shaw::backward(const RelativeRows& rows, int64_t, const float* d_rows, const float*, float*,
                    Gradients& gradients) const noexcept {
  const int table = table_of(rows.term);
  const int64_t width = parameters_[table].shape[1];
  float* d_table = gradients.of[static_cast<std::size_t>(table)];
  for (int64_t r = 0; d_table && r < rows.count; r++) {
    kernels::add(d_rows + r * width, width, d_table + row_of(rows.first + r) * width);
  }
}

}  // namespace posenc
