#include "posenc/input/axial.hpp"

#include <algorithm>

namespace posenc {
namespace {

Status fill(NumberList& list, int64_t count, double value, const char* parameter) noexcept {
  if (list.size() > 0) return {};
  if (Status status = list.allocate(count, parameter); !status) return status;
  std::fill_n(list.data(), count, value);
  return {};
}

// Side by side the widths sum to dim; added, each is dim.
Status check_widths(const AxialOptions& options) noexcept {
  double sum = 0;
  for (double width : options.dims.span()) {
    sum += width;
    if (options.combine == AxialCombine::kConcat || width == static_cast<double>(options.dim))
      continue;
    return fail(ErrorCode::kShapeMismatch, "dims", text_of(width),
                text_of("dim, which is ", options.dim, ", for a sum"));
  }
  if (options.combine == AxialCombine::kSum || sum == static_cast<double>(options.dim)) return {};
  return fail(ErrorCode::kShapeMismatch, "dims", text_of("a sum of ", sum),
              text_of("dim, which is ", options.dim));
}

}  // namespace

Status Axial::resolve(AxialOptions& options) noexcept {
  if (Status status = fill(options.shape, 2, 16, "shape"); !status) return status;
  const int64_t axes = options.shape.size();
  if (axes < 2 || axes > kMaxAxialAxes) {
    return fail(ErrorCode::kOutOfRange, "shape", text_of(axes, " axes"),
                text_of("2 to ", kMaxAxialAxes, " axes"));
  }
  const bool concat = options.combine == AxialCombine::kConcat;
  if (concat && options.dims.size() == 0 && options.dim % axes != 0) {
    return fail(ErrorCode::kMissingOption, "dims", "nothing",
                text_of(axes, " widths that sum to ", options.dim));
  }
  const int64_t part = concat ? options.dim / axes : options.dim;
  if (Status status = fill(options.dims, axes, static_cast<double>(part), "dims"); !status)
    return status;
  if (options.dims.size() != axes) {
    return fail(ErrorCode::kShapeMismatch, "dims", text_of(options.dims.size(), " widths"),
                text_of(axes, ", one per axis"));
  }
  return check_widths(options);
}

Status Axial::prepare() noexcept {
  count_ = 1;
  int64_t first = 0;
  for (int a = axes() - 1; a >= 0; a--) {
    const auto extent = static_cast<int64_t>(options_.shape[a]);
    axes_[static_cast<std::size_t>(a)] = {extent, count_, 0,
                                          static_cast<int64_t>(options_.dims[a])};
    const Result<int64_t> count = checked_product(count_, extent, "shape");
    if (!count) return std::unexpected(count.error());
    count_ = *count;
  }
  for (int a = 0; a < axes() && options_.combine == AxialCombine::kConcat; a++) {
    axes_[static_cast<std::size_t>(a)].first = first;
    first += axes_[static_cast<std::size_t>(a)].width;
  }
  return {};
}

PositionDomain Axial::domain() const noexcept {
  const bool bounded = options_.extend == AxialExtend::kError;
  return {.kind = DomainKind::kNaturals, .limit = bounded ? static_cast<double>(count_) : 0x1p53};
}

int64_t Axial::index(const Axis& axis, double position) const noexcept {
  const int64_t place = static_cast<int64_t>(position) / axis.step;
  const bool slowest = &axis == axes_.data();
  return slowest && options_.extend == AxialExtend::kClamp ? std::min(place, axis.extent - 1)
                                                           : place % axis.extent;
}

void Axial::encode(const Positions& positions, float* out) const noexcept {
  if (positions.count == 0) return;
  for (int a = 0; a < axes(); a++) {
    const Axis& axis = axes_[static_cast<std::size_t>(a)];
    const float* table = parameters_[a].values.data();
    const auto row = [&](int64_t i) { return index(axis, positions.at(i)); };
    if (a > 0 && options_.combine == AxialCombine::kSum) {
      add_gathered_rows(table, axis.width, positions.count, row, out, options_.dim);
    } else {
      gather_rows(table, axis.width, positions.count, row, out + axis.first, options_.dim);
    }
  }
}

void Axial::backward(const Positions& positions, const float* d_out,
                     Gradients& gradients) const noexcept {
  if (positions.count == 0) return;
  for (int a = 0; a < axes(); a++) {
    const Axis& axis = axes_[static_cast<std::size_t>(a)];
    const auto row = [&](int64_t i) { return index(axis, positions.at(i)); };
    scatter_rows(gradients.of[static_cast<std::size_t>(a)], axis.width, positions.count, row,
                 d_out + axis.first, options_.dim);
  }
}

}  // namespace posenc
