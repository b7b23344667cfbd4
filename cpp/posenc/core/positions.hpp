// Positions in their two modes: contiguous (a start and a length) and given (an array).
#pragma once

#include <cstdint>

#include "posenc/core/error.hpp"

namespace posenc {

// Positions of `count` tokens, each with `axes` coordinates. Both modes give the same bits for the
// same positions. Contiguous positions have one axis.
struct Positions {
  const double* given = nullptr;  // [count, axes]; null: start, start + 1, ...
  double start = 0;
  int64_t count = 0;
  int axes = 1;
  int64_t first = 0;  // contiguous: tokens of `start` that a slice has left out

  static Positions range(double start, int64_t count) noexcept { return {nullptr, start, count}; }
  static Positions array(const double* values, int64_t count, int axes = 1) noexcept {
    return {values, 0, count, axes};
  }
  bool contiguous() const noexcept { return given == nullptr; }
  double at(int64_t i, int axis = 0) const noexcept {
    return given ? given[i * axes + axis] : start + static_cast<double>(first + i);
  }
  // The part of `length` tokens that begins at token `from`. Its positions are the same numbers to
  // the last bit, for a fractional start too: start + i is rounded once.
  Positions slice(int64_t from, int64_t length) const noexcept {
    if (given) return {given + from * axes, 0, length, axes};
    return {nullptr, start, length, 1, first + from};
  }
  bool operator==(const Positions&) const = default;
};

// The largest position + 1, over all axes; 0 where there are none.
double length_reached(const Positions& positions) noexcept;
// Where text goes on: behind the last token or, after a picture, behind the largest coordinate.
// There is one token or more.
double next_after(const Positions& positions) noexcept;

enum class DomainKind : uint8_t {
  kNaturals,  // 0, 1, 2, ... below `limit`
  kIntegers,  // any whole number of magnitude up to `limit`
  kReals,     // any finite number of magnitude up to `limit`
};

// Coordinates from low to high, both included.
struct AxisRange {
  double low, high;
};

// What one number per token means to an encoding of several axes.
enum class LonePosition : uint8_t {
  kNothing,  // an error
  kEqual,    // the position on every axis
  kPlace,    // the token's place in a sequence that the encoding lays out itself, a whole number
             // below `places`
};

struct PositionDomain {
  DomainKind kind = DomainKind::kReals;
  double limit = 0x1p53;
  int axes = 1;
  // Where the options narrow the domain: one range per axis, in memory of the encoding.
  const AxisRange* ranges = nullptr;
  LonePosition lone = LonePosition::kNothing;
  double places = 0;
};

// outsideDomain names the first position that is not in the domain.
Status check_positions(const Positions& positions, const PositionDomain& domain,
                       TextRef parameter) noexcept;

}  // namespace posenc
