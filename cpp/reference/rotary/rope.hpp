// Rotary encoding and its scalings as papers and published code write them, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// base^(-2m/d), m = 0 .. d/2 - 1
std::vector<double> rope_frequencies(int64_t dim, double base);
// The same with base · factor^(d/(d-2)).
std::vector<double> ntk_frequencies(int64_t dim, double base, double factor);
// Dynamic NTK at `length` tokens, trained on `original`.
std::vector<double> dynamic_frequencies(int64_t dim, double base, double factor, double original,
                                        double length);

struct YarnRule {
  double factor = 1, original = 0, beta_fast = 32, beta_slow = 1;
  bool truncate = true;
};
std::vector<double> yarn_frequencies(int64_t dim, double base, const YarnRule& rule);

// NTK by parts with the constants of its authors.
std::vector<double> by_parts_frequencies(int64_t dim, double base, double factor, double original);

struct Llama3Rule {
  double factor = 8, low = 1, high = 4, original = 8192;
};
std::vector<double> llama3_frequencies(int64_t dim, double base, const Llama3Rule& rule);

// x [positions, dim] turned by position · frequency; channels beyond 2 · frequencies pass through.
// Halves pair m with m + frequencies, interleaved pairs 2m with 2m + 1.
std::vector<double> rotated(const std::vector<double>& x, int64_t dim,
                            const std::vector<double>& positions,
                            const std::vector<double>& frequencies, bool interleaved,
                            double amplitude = 1);

}  // namespace posenc::reference
