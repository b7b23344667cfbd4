#include "posenc/input/grid_learned.hpp"

#include <algorithm>

namespace posenc {

Status GridLearned::resolve(GridLearnedOptions& options) noexcept {
  options.to_rows = options.to_rows.value_or(options.rows);
  options.to_cols = options.to_cols.value_or(options.cols);
  options.to_frames = options.to_frames.value_or(options.frames);
  if (options.kind == GridLearnedKind::kAxes && options.dim % 2 != 0) {
    return fail(ErrorCode::kOutOfRange, "dim", text_of(options.dim),
                "an even width: each axis fills one half");
  }
  return check_rule(options.resample, "resample.");
}

Status GridLearned::prepare() noexcept {
  const GridLearnedOptions& o = options_;
  ranges_ = {AxisRange{0, static_cast<double>(o.rows - 1)},
             AxisRange{0, static_cast<double>(o.cols - 1)}};
  if (axes()) return {};
  Status status = space_.prepare(o.resample, o.rows, o.cols, *o.to_rows, *o.to_cols, "toRows");
  if (!status || o.kind != GridLearnedKind::kSpaceTime) return status;
  return time_.prepare(o.resample, o.frames, 1, *o.to_frames, 1, "toFrames");
}

PositionDomain GridLearned::domain() const noexcept {
  if (axes()) return {.kind = DomainKind::kNaturals, .axes = 2, .ranges = ranges_.data()};
  const int64_t frames = options_.kind == GridLearnedKind::kSpaceTime ? *options_.to_frames : 1;
  const double cells =
      static_cast<double>(*options_.to_rows) * static_cast<double>(*options_.to_cols);
  return {.kind = DomainKind::kNaturals,
          .limit = static_cast<double>(options_.prefix) + cells * static_cast<double>(frames)};
}

GridLearned::Place GridLearned::place_of(int64_t token) const noexcept {
  if (options_.kind != GridLearnedKind::kSpaceTime) return {token, 0};
  const int64_t frames = *options_.to_frames, cells = space_.to_count();
  if (options_.order == GridLearnedOrder::kPatch) return {token / frames, token % frames};
  return {token % cells, token / cells};
}

void GridLearned::encode(const Positions& positions, float* out) const noexcept {
  if (positions.count == 0) return;
  const int64_t dim = options_.dim, half = dim / 2;
  if (axes()) {
    const bool col_first = options_.first_half == GridLearnedHalf::kCol;
    const auto index = [&](int axis) {
      return [&, axis](int64_t i) { return static_cast<int64_t>(positions.at(i, axis)); };
    };
    gather_rows(parameters_.values("rowTable"), half, positions.count, index(0),
                out + (col_first ? half : 0), dim);
    gather_rows(parameters_.values("colTable"), half, positions.count, index(1),
                out + (col_first ? 0 : half), dim);
    return;
  }
  const float* table = parameters_.values("table");
  for (int64_t i = 0; i < positions.count; i++, out += dim) {
    const auto token = static_cast<int64_t>(positions.at(i));
    if (token < options_.prefix) {
      if (options_.prefix_rows)
        kernels::copy(table + token * dim, dim, out);
      else
        std::fill_n(out, dim, 0.0F);
      continue;
    }
    const auto [cell, frame] = place_of(token - options_.prefix);
    kernels::resample_row(space_, cell, table + front(), dim, out);
    if (options_.kind == GridLearnedKind::kSpaceTime) {
      kernels::add_resampled_row(time_, frame, parameters_.values("timeTable"), dim, out);
    }
  }
}

void GridLearned::backward(const Positions& positions, const float* d_out,
                           Gradients& gradients) const noexcept {
  if (positions.count == 0) return;
  const int64_t dim = options_.dim, half = dim / 2;
  if (axes()) {
    const bool col_first = options_.first_half == GridLearnedHalf::kCol;
    const auto index = [&](int axis) {
      return [&, axis](int64_t i) { return static_cast<int64_t>(positions.at(i, axis)); };
    };
    scatter_rows(gradient_of(parameters_, gradients, "rowTable"), half, positions.count, index(0),
                 d_out + (col_first ? half : 0), dim);
    scatter_rows(gradient_of(parameters_, gradients, "colTable"), half, positions.count, index(1),
                 d_out + (col_first ? 0 : half), dim);
    return;
  }
  float* d_table = gradient_of(parameters_, gradients, "table");
  float* d_time = gradient_of(parameters_, gradients, "timeTable");
  for (int64_t i = 0; i < positions.count; i++, d_out += dim) {
    const auto token = static_cast<int64_t>(positions.at(i));
    if (token < options_.prefix) {
      if (d_table && options_.prefix_rows) kernels::add(d_out, dim, d_table + token * dim);
      continue;
    }
    const auto [cell, frame] = place_of(token - options_.prefix);
    if (d_table) kernels::resample_row_backward(space_, cell, d_out, dim, d_table + front());
    if (d_time) kernels::resample_row_backward(time_, frame, d_out, dim, d_time);
  }
}

}  // namespace posenc
