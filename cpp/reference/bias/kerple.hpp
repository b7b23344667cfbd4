// KERPLE's two kernels as the paper writes them, in double.
#pragma once

#include <vector>

namespace posenc::reference {

struct Kerple {
  bool log;
  bool symmetric;  // else keys ahead have no bias
  double p, a;
};

// bias [q_len, k_len] of one head
std::vector<double> kerple_bias(const Kerple& head, const std::vector<double>& query,
                                const std::vector<double>& key);

struct KerpleGradient {
  double p, a;
};
KerpleGradient kerple_backward(const Kerple& head, const std::vector<double>& d_bias,
                               const std::vector<double>& query, const std::vector<double>& key);

}  // namespace posenc::reference
