// Sinusoidal rows as the papers and their code write them, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

struct SinusoidalRule {
  int64_t dim = 0;
  double base = 10000;
  bool concat = false;         // all sines, then all cosines
  bool tensor2tensor = false;  // exponent i / max(d/2 - 1, 1) instead of 2i / d
  bool zero_column = false;    // an odd width ends in zeros instead of one more sine
};

// [positions, dim]
std::vector<double> sinusoidal(const SinusoidalRule& rule, const std::vector<double>& positions);

}  // namespace posenc::reference
