// Multimodal rotation and the positions of mixed sequences as published code has them, in double.
#pragma once

#include "reference/rotary/rope_nd.hpp"

namespace posenc::reference {

// Angles [tokens][dim / 2] of positions [tokens][axes] with consecutive sections, or with sections
// that take turns.
std::vector<std::vector<double>> mrope_angles(const Coordinates& positions, int64_t dim,
                                              double base, const std::vector<int64_t>& sections,
                                              bool interleaved);

// Text of n tokens as {n, 0, 0}, pictures as {frames, rows, columns}.
Coordinates multimodal_positions(const std::vector<std::vector<int64_t>>& parts, double start = 0,
                                 double step = 1);

}  // namespace posenc::reference
