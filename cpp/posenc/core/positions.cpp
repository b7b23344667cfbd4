#include "posenc/core/positions.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

bool contains(const PositionDomain& domain, double position) noexcept {
  if (!std::isfinite(position)) return false;
  switch (domain.kind) {
    case DomainKind::kNaturals:
      return position >= 0 && position < domain.limit && position == std::floor(position);
    case DomainKind::kIntegers:
      return std::abs(position) <= domain.limit && position == std::floor(position);
    case DomainKind::kReals:
      return std::abs(position) <= domain.limit;
  }
  return false;
}

Text describe(const PositionDomain& domain) noexcept {
  switch (domain.kind) {
    case DomainKind::kNaturals:
      return text_of("whole numbers from 0 to ", domain.limit - 1);
    case DomainKind::kIntegers:
      return text_of("whole numbers from ", -domain.limit, " to ", domain.limit);
    case DomainKind::kReals:
      return text_of("finite numbers from ", -domain.limit, " to ", domain.limit);
  }
  return {};
}

}  // namespace

double length_reached(const Positions& positions) noexcept {
  if (positions.count == 0) return 0;
  if (positions.contiguous()) return positions.at(positions.count - 1) + 1;
  return *std::max_element(positions.given, positions.given + positions.count * positions.axes) + 1;
}

Status check_positions(const Positions& positions, const PositionDomain& domain,
                       const Text& parameter) noexcept {
  if (positions.axes != domain.axes) {
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(positions.axes, " per token"),
                text_of(domain.axes, " per token"));
  }
  if (positions.contiguous()) {  // the ends decide for all
    const double last = positions.at(positions.count > 0 ? positions.count - 1 : 0);
    for (double end : {positions.at(0), last}) {
      if (!contains(domain, end)) {
        return fail(ErrorCode::kOutsideDomain, parameter, text_of(end), describe(domain));
      }
    }
    return {};
  }
  for (int64_t i = 0; i < positions.count * positions.axes; i++) {
    if (!contains(domain, positions.given[i])) {
      return fail(ErrorCode::kOutsideDomain, parameter,
                  text_of(positions.given[i], " at index ", i), describe(domain));
    }
  }
  return {};
}

}  // namespace posenc
