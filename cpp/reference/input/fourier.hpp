// Fourier features as the papers and NeRF's code write them, in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace posenc::reference {

struct NerfRule {
  int64_t frequencies = 0;
  double max_log2 = 0;
  bool linear = false;
  bool pi = false;
  bool include_input = false;
};

// x, then for each frequency the sines of all coordinates and their cosines.
inline std::vector<double> nerf_features(const NerfRule& rule, const std::vector<double>& x) {
  std::vector<double> out;
  if (rule.include_input) out = x;
  for (int64_t k = 0; k < rule.frequencies; k++) {
    const double share = rule.frequencies == 1
                             ? 0
                             : static_cast<double>(k) / static_cast<double>(rule.frequencies - 1);
    double frequency = rule.linear ? 1 + share * (std::pow(2.0, rule.max_log2) - 1)
                                   : std::pow(2.0, share * rule.max_log2);
    if (rule.pi) frequency *= std::numbers::pi;
    for (double value : x) out.push_back(std::sin(frequency * value));
    for (double value : x) out.push_back(std::cos(frequency * value));
  }
  return out;
}

struct ProjectionRule {
  double turn = 1;       // 2π for random features
  double amplitude = 1;  // 1/√(2F) for learned ones
  bool sines_first = false;
  bool include_input = false;
};

inline double projection(const std::vector<double>& matrix, std::size_t j,
                         const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t a = 0; a < x.size(); a++) sum += matrix[j * x.size() + a] * x[a];
  return sum;
}

// matrix [frequencies, axes]
inline std::vector<double> projected_features(const ProjectionRule& rule,
                                              const std::vector<double>& matrix,
                                              const std::vector<double>& x) {
  std::vector<double> out, near, far;
  if (rule.include_input) out = x;
  for (std::size_t j = 0; j < matrix.size() / x.size(); j++) {
    const double angle = rule.turn * projection(matrix, j, x);
    near.push_back(rule.amplitude * (rule.sines_first ? std::sin(angle) : std::cos(angle)));
    far.push_back(rule.amplitude * (rule.sines_first ? std::cos(angle) : std::sin(angle)));
  }
  out.insert(out.end(), near.begin(), near.end());
  out.insert(out.end(), far.begin(), far.end());
  return out;
}

inline void projected_backward(const ProjectionRule& rule, const std::vector<double>& matrix,
                               const std::vector<double>& x, const std::vector<double>& d_out,
                               std::vector<double>& d_matrix) {
  const std::size_t axes = x.size(), count = matrix.size() / axes,
                    first = rule.include_input ? axes : 0;
  d_matrix.resize(matrix.size());
  for (std::size_t j = 0; j < count; j++) {
    const double angle = rule.turn * projection(matrix, j, x);
    const double d_near = d_out[first + j], d_far = d_out[first + count + j];
    const double d_sin = rule.sines_first ? d_near : d_far,
                 d_cos = rule.sines_first ? d_far : d_near;
    const double d_angle =
        rule.amplitude * rule.turn * (d_sin * std::cos(angle) - d_cos * std::sin(angle));
    for (std::size_t a = 0; a < axes; a++) d_matrix[j * axes + a] += d_angle * x[a];
  }
}

}  // namespace posenc::reference
