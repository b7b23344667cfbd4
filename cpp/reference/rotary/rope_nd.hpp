// Rotation by several coordinates, the conventions of published models one by one, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// [tokens][coordinates]
using Coordinates = std::vector<std::vector<double>>;

// The cells of a grid, the last axis fastest.
Coordinates grid_cells(const std::vector<int64_t>& grid);

// base^(-2i/dim), i below dim / 2; and π times 1 to max_freq / 2 in even steps.
std::vector<double> axis_frequencies(int64_t dim, double base);
std::vector<double> linear_frequencies(int64_t dim, double max_freq);

// Angles [tokens][pairs]: the parts of the axes side by side, in the order that `axes` names them;
// frequencies[a] are those of axis a.
std::vector<std::vector<double>> axial_angles(const Coordinates& coordinates,
                                              const std::vector<std::vector<double>>& frequencies,
                                              const std::vector<std::size_t>& axes);

// x [heads, tokens, dim] turned by angles [tokens][pairs]; channels beyond 2 · pairs pass through.
std::vector<double> turned_by(const std::vector<double>& x, int64_t dim,
                              const std::vector<std::vector<double>>& angles, bool interleaved);

}  // namespace posenc::reference
