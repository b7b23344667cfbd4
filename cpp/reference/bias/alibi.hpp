// ALiBi as the paper writes it, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// The authors' slopes: a geometric sequence, for head counts that are no power of two filled up
// with every other slope of twice the power below.
std::vector<double> alibi_slopes(int64_t heads);

// bias [q_len, k_len] = -behind * (i - j) for keys behind, and for keys ahead
// -ahead * (j - i). Positions are given.
std::vector<double> alibi_bias(double behind, double ahead, const std::vector<double>& query,
                               const std::vector<double>& key);

// Gradients of the slopes for d_bias [q_len, k_len].
struct AlibiGradient {
  double behind, ahead;
};
AlibiGradient alibi_backward(const std::vector<double>& d_bias, const std::vector<double>& query,
                             const std::vector<double>& key);

}  // namespace posenc::reference
