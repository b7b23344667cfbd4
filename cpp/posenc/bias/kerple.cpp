#include "posenc/bias/kerple.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/kernels/distances.hpp"

namespace posenc {
namespace {

constexpr int64_t kChunk = 256;

}  // namespace

Kerple::Shape Kerple::shape(int64_t head) const noexcept {
  const double p = std::max<double>(parameters_.values("p")[head], options_.minimum);
  const double a = std::max<double>(parameters_.values("a")[head], options_.minimum);
  return {options_.kind == KerpleKind::kPower ? std::min(p, 2.0) : p, a};
}

void Kerple::evaluate(int64_t head, const double* distances, int64_t count,
                      float* out) const noexcept {
  const auto [p, a] = shape(head);
  if (options_.kind == KerpleKind::kLog)
    kernels::log_of_distances(distances, count, 1, a, -p, out);
  else
    kernels::power_of_distances(distances, count, p, -a, out);
  if (options_.sides == KerpleSides::kSymmetric) return;
  for (int64_t i = 0; i < count; i++) out[i] = distances[i] > 0 ? 0 : out[i];
}

// The gradients are those at the values that act, and pass through where a bound holds, as in the
// authors' code.
void Kerple::backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                      Gradients& gradients) const noexcept {
  const auto [p, a] = shape(head);
  const bool log = options_.kind == KerpleKind::kLog,
             symmetric = options_.sides == KerpleSides::kSymmetric;
  float logs[kChunk], powers[kChunk];
  double d_p = 0, d_a = 0;
  for (int64_t first = 0; first < count; first += kChunk) {
    const int64_t size = std::min(kChunk, count - first);
    kernels::log_of_distances(distances + first, size, log ? 1 : 0, log ? a : 1, 1, logs);
    if (!log) kernels::power_of_distances(distances + first, size, p, 1, powers);
    for (int64_t i = 0; i < size; i++) {
      const double distance = std::abs(distances[first + i]), d = d_bias[first + i];
      if (distance == 0 || (!symmetric && distances[first + i] > 0)) continue;
      d_p -= d * (log ? logs[i] : a * powers[i] * logs[i]);
      d_a -= d * (log ? p * distance / (1 + a * distance) : powers[i]);
    }
  }
  if (gradients.of[0]) gradients.of[0][head] += static_cast<float>(d_p);
  if (gradients.of[1]) gradients.of[1][head] += static_cast<float>(d_a);
}

}  // namespace posenc
