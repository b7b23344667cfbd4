#include "posenc/core/positions.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

// Inlined: called for every coordinate of a grid's cells.
[[gnu::always_inline]] inline bool contains(const PositionDomain& domain, double position,
                                            int axis) noexcept {
  if (!std::isfinite(position)) return false;
  if (domain.ranges && (position < domain.ranges[axis].low || position > domain.ranges[axis].high))
    return false;
  switch (domain.kind) {
    case DomainKind::kNaturals:
      return position >= 0 && position < domain.limit && position == std::floor(position);
    case DomainKind::kIntegers:
      return std::abs(position) <= domain.limit && position == std::floor(position);
    case DomainKind::kReals: return std::abs(position) <= domain.limit;
  }
  return false;
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

Status check_values(const Positions& positions, const PositionDomain& domain,
                    TextRef parameter) noexcept {
  if (positions.contiguous()) {  // the ends decide for all
    const double last = positions.at(positions.count > 0 ? positions.count - 1 : 0);
    for (double end : {positions.at(0), last}) {
      if (contains(domain, end, 0)) continue;
      const bool past = end > 0 && domain.kind != DomainKind::kReals && std::isfinite(end);
      return fail(ErrorCode::kOutsideDomain, parameter,
                  past ? text_of(end, " (length ", end + 1, ")") : text_of(end),
                  describe(domain, 0));
    }
    return {};
  }
  const double* position = positions.given;
  for (int64_t i = 0; i < positions.count; i++) {
    for (int axis = 0; axis < positions.axes; axis++, position++) {
      if (contains(domain, *position, axis)) continue;
      return fail(ErrorCode::kOutsideDomain, parameter,
                  text_of(*position, " at index ", i * positions.axes + axis),
                  describe(domain, axis));
    }
  }
  return {};
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
