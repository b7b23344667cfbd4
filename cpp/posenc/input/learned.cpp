#include "posenc/input/learned.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {

Status Learned::resolve(LearnedOptions& options) noexcept {
  if (!options.padding_index || *options.padding_index < options.max_length) return {};
  return fail(ErrorCode::kOutOfRange, "paddingIndex", text_of(*options.padding_index),
              text_of("below maxLength, which is ", options.max_length));
}

Status Learned::prepare() noexcept {
  range_ = {-static_cast<double>(options_.offset), static_cast<double>(options_.max_length - 1)};
  return {};
}

PositionDomain Learned::domain() const noexcept {
  const bool bounded = options_.extend == LearnedExtend::kError;
  return {.kind = DomainKind::kIntegers, .ranges = bounded ? &range_ : nullptr};
}

int64_t Learned::row_of(double position) const noexcept {
  const int64_t p = static_cast<int64_t>(position), length = options_.max_length;
  const bool inside = p >= -options_.offset && p < length;
  if (inside || options_.extend == LearnedExtend::kError) return p + options_.offset;
  if (options_.extend == LearnedExtend::kClamp)
    return std::clamp(p, -options_.offset, length - 1) + options_.offset;
  return (p % length + length) % length + options_.offset;
}

void Learned::encode(const Positions& positions, float* out) const noexcept {
  gather_rows(
      parameters_.values("table"), options_.dim, positions.count,
      [&](int64_t i) { return row_of(positions.at(i)); }, out, options_.dim);
}

void Learned::backward(const Positions& positions, const float* d_out,
                       Gradients& gradients) const noexcept {
  float* d_table = gradients.of[0];
  if (d_table == nullptr) return;
  const int64_t dim = options_.dim;
  const int64_t padding = options_.padding_index ? *options_.padding_index + options_.offset : -1;
  for (int64_t i = 0; i < positions.count; i++) {
    const int64_t row = row_of(positions.at(i));
    if (row != padding) kernels::add(d_out + i * dim, dim, d_table + row * dim);
  }
}

}  // namespace posenc
