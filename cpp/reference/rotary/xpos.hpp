// xPos as the paper writes it, in double: one factor for the whole of a query or key, whatever its
// size.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct XposRule {
  int64_t dim = 0;  // of a head; all of it turns
  double base = 10000, scale_base = 512, gamma = 0.4, centre = 0;
  bool interleaved = true;
};

// x [rows, dim] of queries, or of keys, at positions [rows]; rows repeat over the positions, head
// by head.
std::vector<double> xpos_turned(const XposRule& rule, const std::vector<double>& x,
                                const std::vector<double>& positions, bool keys);
// The score of one query and one key from the difference of their positions alone.
double xpos_score(const XposRule& rule, const double* q, const double* k, double distance);

}  // namespace posenc::reference
