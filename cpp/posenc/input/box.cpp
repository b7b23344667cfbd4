#include "posenc/input/box.hpp"

#include <algorithm>

namespace posenc {
namespace {

enum Table { kX, kY, kH, kW };
constexpr Table kTableOf[] = {kX, kY, kX, kY, kH, kW};

struct Sides {
  double low, high;
};

// The edges whose distance is the box's height or width.
Sides sides(const Positions& positions, int64_t i, bool vertical) noexcept {
  return {positions.at(i, vertical ? 1 : 0), positions.at(i, vertical ? 3 : 2)};
}

}  // namespace

Status Box::resolve(BoxOptions& options) noexcept {
  auto &corner = options.coordinate_size, &size = options.shape_size;
  const int64_t dim = options.dim;
  if (options.combine == BoxCombine::kSum) {
    corner = corner.value_or(dim);
    size = size.value_or(dim);
    if (*corner == dim && *size == dim) return {};
    return fail(ErrorCode::kShapeMismatch, *corner == dim ? "shapeSize" : "coordinateSize",
                text_of(*corner == dim ? *size : *corner),
                text_of("dim, which is ", dim, ", for a sum"));
  }
  if (!corner) corner = size ? (dim - 2 * *size) / 4 : dim / 6;
  if (!size) size = (dim - 4 * *corner) / 2;
  if (*corner >= 1 && *size >= 1 && 4 * *corner + 2 * *size == dim) return {};
  return fail(ErrorCode::kShapeMismatch, "dim", text_of(dim),
              text_of("4 · coordinateSize + 2 · shapeSize, which is ", 4 * *corner + 2 * *size));
}

Status Box::prepare() noexcept {
  ranges_.fill({0, static_cast<double>(options_.max_position - 1)});
  return {};
}

PositionDomain Box::domain() const noexcept {
  const bool bounded = options_.outside != BoxOutside::kClamp;
  return {.kind = DomainKind::kIntegers, .axes = 4, .ranges = bounded ? ranges_.data() : nullptr};
}

Status Box::check(const Positions& positions, TextRef parameter) const noexcept {
  if (options_.outside != BoxOutside::kError) return {};
  for (int64_t i = 0; i < positions.count; i++) {
    for (const bool vertical :
         {true, false}) {  // corners are in range, so that only a negative size is left
      const auto [low, high] = sides(positions, i, vertical);
      if (high >= low) continue;
      return fail(ErrorCode::kOutsideDomain, parameter,
                  text_of(vertical ? "height " : "width ", high - low, " of box ", i, ", from ",
                          low, " to ", high),
                  text_of("sizes from 0 to ", options_.max_position - 1));
    }
  }
  return {};
}

int64_t Box::row_of(const Positions& positions, int64_t i, int term) const noexcept {
  double value = 0;
  if (term < 4) {
    value = positions.at(i, term);
  } else {
    const auto [low, high] = sides(positions, i, kTableOf[term] == kH);
    value = high - low;
  }
  return static_cast<int64_t>(std::clamp(value, 0.0, ranges_[0].high));
}

template <typename Body>
void Box::for_terms(Body body) const noexcept {
  int64_t first = 0;
  for (int term = 0; term < kTerms; term++) {
    body(kTableOf[term], term, first);
    if (options_.combine == BoxCombine::kConcat)
      first += term < 4 ? *options_.coordinate_size : *options_.shape_size;
  }
}

void Box::encode(const Positions& positions, float* out) const noexcept {
  if (positions.count == 0) return;
  for_terms([&](int table, int term, int64_t first) {
    const ParameterTensor& tensor = parameters_[table];
    const auto row = [&](int64_t i) { return row_of(positions, i, term); };
    const bool add = term > 0 && options_.combine == BoxCombine::kSum;
    const auto write = add ? add_gathered_rows<decltype(row)> : gather_rows<decltype(row)>;
    write(tensor.values.data(), tensor.shape[1], positions.count, row, out + first, options_.dim);
  });
}

void Box::backward(const Positions& positions, const float* d_out,
                   Gradients& gradients) const noexcept {
  if (positions.count == 0) return;
  for_terms([&](int table, int term, int64_t first) {
    const auto row = [&](int64_t i) { return row_of(positions, i, term); };
    scatter_rows(gradients.of[static_cast<std::size_t>(table)], parameters_[table].shape[1],
                 positions.count, row, d_out + first, options_.dim);
  });
}

}  // namespace posenc
