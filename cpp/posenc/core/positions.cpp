#include "posenc/core/positions.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

// What the numbers on an axis lie between.
AxisRange range_of(const PositionDomain& domain, int axis) noexcept {
  AxisRange range = {-domain.limit, domain.limit};
  if (domain.kind == DomainKind::kNaturals) range = {0, domain.limit - 1};
  if (!domain.ranges) return range;
  const AxisRange& own = domain.ranges[axis];
  return {std::max(range.low, own.low), std::min(range.high, own.high)};
}

// Where the first coordinate on an axis that is not in the domain stands among all coordinates;
// behind the last where all are.
int64_t first_outside(const Positions& positions, const PositionDomain& domain, int axis) noexcept {
  const auto [low, high] = range_of(domain, axis);
  const bool any_real = domain.kind == DomainKind::kReals;
  const int64_t size = positions.count * positions.axes;
  for (int64_t at = axis; at < size; at += positions.axes) {
    const double position = positions.given[at];
    const bool inside = position >= low && position <= high;
    if (!inside || !(any_real || position == std::floor(position))) return at;
  }
  return size;
}

Text describe(const PositionDomain& domain, int axis) noexcept {
  if (domain.ranges) {
    const AxisRange& range = domain.ranges[axis];
    Text text(domain.kind == DomainKind::kReals ? "numbers from " : "whole numbers from ");
    text.append(range.low).append(" to ").append(range.high);
    if (domain.axes > 1) return text.append(" on axis ").append(axis);
    return domain.kind == DomainKind::kReals
               ? text
               : text.append(" (length ").append(range.high + 1).append(")");
  }
  switch (domain.kind) {
    case DomainKind::kNaturals:
      return text_of("whole numbers from 0 to ", domain.limit - 1, " (length ", domain.limit, ")");
    case DomainKind::kIntegers:
      return text_of("whole numbers from ", -domain.limit, " to ", domain.limit);
    case DomainKind::kReals:
      return text_of("finite numbers from ", -domain.limit, " to ", domain.limit);
  }
  return {};
}

// The ends decide for all positions in a row.
Status check_ends(const Positions& positions, const PositionDomain& domain,
                  TextRef parameter) noexcept {
  const double ends[] = {positions.at(0), positions.at(std::max<int64_t>(positions.count, 1) - 1)};
  const int64_t outside = first_outside(Positions::array(ends, 2), domain, 0);
  if (outside == 2) return {};
  const double end = ends[outside];
  const bool past = end > 0 && domain.kind != DomainKind::kReals && std::isfinite(end);
  return fail(ErrorCode::kOutsideDomain, parameter,
              past ? text_of(end, " (length ", end + 1, ")") : text_of(end), describe(domain, 0));
}

Status check_values(const Positions& positions, const PositionDomain& domain,
                    TextRef parameter) noexcept {
  if (positions.contiguous()) return check_ends(positions, domain, parameter);
  const int64_t size = positions.count * positions.axes;
  int64_t outside = size;
  for (int axis = 0; axis < positions.axes; axis++)
    outside = std::min(outside, first_outside(positions, domain, axis));
  if (outside == size) return {};
  return fail(ErrorCode::kOutsideDomain, parameter,
              text_of(positions.given[outside], " at index ", outside),
              describe(domain, static_cast<int>(outside % positions.axes)));
}

}  // namespace

double length_reached(const Positions& positions) noexcept {
  if (positions.count == 0) return 0;
  if (positions.contiguous()) return positions.at(positions.count - 1) + 1;
  return *std::max_element(positions.given, positions.given + positions.count * positions.axes) + 1;
}

double next_after(const Positions& positions) noexcept {
  return positions.axes == 1 ? positions.at(positions.count - 1) + 1 : length_reached(positions);
}

Status check_positions(const Positions& positions, const PositionDomain& domain,
                       TextRef parameter) noexcept {
  if (positions.axes != domain.axes) {
    const LonePosition lone = positions.axes == 1 ? domain.lone : LonePosition::kNothing;
    if (lone == LonePosition::kEqual) return check_values(positions, domain, parameter);
    if (lone == LonePosition::kPlace) {
      return check_values(positions, {.kind = DomainKind::kNaturals, .limit = domain.places},
                          parameter);
    }
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(positions.axes, " per token"),
                text_of(domain.axes, " per token"));
  }
  return check_values(positions, domain, parameter);
}

}  // namespace posenc
