#include "posenc/kernels/distances.hpp"

#include <algorithm>

#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
constexpr int64_t kHalf = static_cast<int64_t>(Doubles::size);

// out = body(d), two batches of doubles to one of floats. What is missing at the end counts as
// distance 1.
template <typename Body>
void map_distances(const double* distances, int64_t count, float* out, Body body) noexcept {
  const auto step = [&](const double* d) {
    return simd::narrow(body(simd::load(d)), body(simd::load(d + kHalf)));
  };
  int64_t i = 0;
  for (; i + 2 * kHalf <= count; i += 2 * kHalf) simd::store(out + i, step(distances + i));
  if (i == count) return;
  double rest[2 * kHalf];
  std::fill_n(rest, 2 * kHalf, 1.0);
  std::copy(distances + i, distances + count, rest);
  simd::Part{count - i}.store(out + i, step(rest));
}

// Not inlined: each is wanted four times, twice in a loop and twice behind it.
[[gnu::noinline]] Doubles logarithm(const Doubles& x) noexcept { return simd::log(x); }
[[gnu::noinline]] Doubles exponential(const Doubles& x) noexcept { return simd::exp(x); }

}  // namespace

// 32-bit counters become doubles by one instruction each, 64-bit ones by several.
void count_distances(double first, int64_t offset, int64_t count, double* out) noexcept {
  const auto from = static_cast<int32_t>(offset);
  for (int32_t i = 0; i < static_cast<int32_t>(count); i++)
    out[i] = first + static_cast<double>(from + i);
}

void lines_of_distances(const double* distances, int64_t count, double behind, double ahead,
                        float* out) noexcept {
  map_distances(distances, count, out, [=](const Doubles& d) {
    return d * simd::select(d < Doubles(0), Doubles(behind), Doubles(ahead));
  });
}

void log_of_distances(const double* distances, int64_t count, double shift, double slope,
                      double factor, float* out) noexcept {
  map_distances(distances, count, out, [=](const Doubles& d) {
    return Doubles(factor) * logarithm(Doubles(shift) + Doubles(slope) * simd::abs(d));
  });
}

void power_of_distances(const double* distances, int64_t count, double exponent, double factor,
                        float* out) noexcept {
  map_distances(distances, count, out, [=](const Doubles& d) {
    const Doubles power = exponential(Doubles(exponent) * logarithm(simd::abs(d)));
    return simd::select(d == Doubles(0), Doubles(0), Doubles(factor) * power);
  });
}

}  // namespace posenc::kernels
