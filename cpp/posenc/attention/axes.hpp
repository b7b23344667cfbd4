// How many numbers per token the encodings of one call read: all of them are given the same
// positions, so that one that reads a place and one that reads a row and a column can share none.
#pragma once

#include <span>

#include "posenc/core/encoding.hpp"

namespace posenc::attn {

// Whether positions matter to an encoding: a relation is given for the pair, and gates count.
bool reads_positions(const Encoding& encoding) noexcept;
// Every two encodings, of the input family or of the others, have a number in common.
Status check_common_axes(std::span<Encoding* const> encodings, bool input) noexcept;
// A cache keeps coordinates, never places in a grid: all encodings have to read those.
Status check_kept_axes(std::span<Encoding* const> encodings) noexcept;
// The most that all of them read.
int common_axes(std::span<Encoding* const> encodings) noexcept;
// As check_positions, and says whose number of coordinates it is.
Status check_positions_of(const Encoding& encoding, const Positions& positions,
                          TextRef parameter) noexcept;

}  // namespace posenc::attn
