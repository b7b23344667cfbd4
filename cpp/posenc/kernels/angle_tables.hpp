// Tables of sines and cosines that rows of angles are put together from: with p = 64·n + k, the
// angle of p is that of 64·n, which one row of sines says exactly, turned on by that of k, |k| <=
// 32, for which there is a row each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "posenc/kernels/angles_sincos.hpp"

namespace posenc::kernels::angle_tables {

inline constexpr int64_t kReach = 32;  // |k| of p = 64·n + k
inline constexpr int64_t kBlock = 2 * kReach;
// Frequencies at a time: a row is written in stretches of 1 kB.
inline constexpr int64_t kChunk = 128;
inline constexpr auto kWide = static_cast<int64_t>(simd::Doubles::size);
static_assert(kChunk % simd::kLanes == 0);

// The nearest n of p = 64·n + k, halves away from zero, so that -p is -64·n - k.
inline double block_of(double position) noexcept {
  // Exact, and so is the half added: std::round would be a call in wasm.
  const double share = position / kBlock;
  return std::trunc(share + std::copysign(0.5, share));
}
inline double offset_in(double block, double position) noexcept {
  return position - block * kBlock;
}
// Rows from `position` on that lie in the same block.
inline int64_t rows_left(double block, double position) noexcept {
  const int64_t last = block < 0 ? kReach : kReach - 1;
  return last - static_cast<int64_t>(offset_in(block, position)) + 1;
}
// Not inlined: loops over a length that the compiler knows it would write out.
[[gnu::noinline]] inline void fill(double* from, const double* end, double value) noexcept {
  while (from != end) *from++ = value;
}

// Which of sin and cos of k · frequency, k = 0 to 32, a set of rows needs; bit k.
using Needs = uint64_t;

// The tables of up to kChunk frequencies. Zeroed memory is an empty one.
class AngleTables {
 public:
  // Tables that are there for just these frequencies stay.
  void begin(const double* frequencies, int64_t pairs) noexcept {
    if (pairs == pairs_ && std::equal(frequencies, frequencies + pairs, frequencies_)) return;
    pairs_ = pairs;
    fill(std::copy_n(frequencies, pairs, frequencies_), frequencies_ + kChunk, 0);
    for (int64_t m = 0; m < pairs; m += kWide)
      turns_[m / kWide] = turns_of(simd::load(frequencies_ + m));
    fill(near_sin_[0], near_sin_[1], 0);
    fill(near_cos_[0], near_cos_[1], 1);
    near_made_ = 1;
    far_made_ = false;
  }

  int64_t pairs() const noexcept { return pairs_; }

  // sin and cos of k · frequency for the k in `needs`.
  [[gnu::noinline]] void make_near(Needs needs) noexcept {
    needs &= ~near_made_;
    if (needs == 0) return;
    near_made_ |= needs;
    if ((needs >> 1 & 1) != 0) direct(1, near_sin_[1], near_cos_[1]);
    for (int64_t k = 2; k <= kReach; k++) {
      if ((needs >> k & 1) == 0) continue;
      const int64_t a = k % 2 == 0 ? k / 2 : k - 1;
      add(a, k - a, k);
    }
  }

  // The angle that the rows written next turn on from: that of `position`.
  void make_far(double position) noexcept {
    if (far_made_ && far_position_ == position) return;
    direct(position, far_sin_, far_cos_);
    far_position_ = position;
    far_made_ = true;
  }

  // Writes the row at offset k from the far angle, and the one at -k too where `mirrored` is not
  // null.
  template <typename Row>
  void write(int64_t k, const Row& row) const noexcept {
    const double sign = k < 0 ? -1 : 1;
    const double* sin = near_sin_[std::abs(k)];
    const double* cos = near_cos_[std::abs(k)];
    for (int64_t m = 0; m < pairs_; m += simd::kLanes) {
      const SinCos a = turned(m, sin, cos, sign);
      const SinCos b = turned(m + kWide, sin, cos, sign);
      row.store(m, pairs_ - m, a, b);
    }
  }
  template <typename Row>
  void write_mirrored(int64_t k, const Row& ahead, const Row& behind) const noexcept {
    const double* sin = near_sin_[k];
    const double* cos = near_cos_[k];
    for (int64_t m = 0; m < pairs_; m += simd::kLanes) {
      SinCos a[2], b[2];
      turned_both(m, sin, cos, a[0], b[0]);
      turned_both(m + kWide, sin, cos, a[1], b[1]);
      ahead.store(m, pairs_ - m, a[0], a[1]);
      behind.store(m, pairs_ - m, b[0], b[1]);
    }
  }

 private:
  // Not inlined, as make_near() is not: once for many rows, and wanted for both layouts of them.
  [[gnu::noinline]] void direct(double position, double* sin, double* cos) const noexcept {
    for (int64_t m = 0; m < pairs_; m += kWide) {
      const SinCos value = sincos_turns(position, turns_[m / kWide]);
      simd::store(sin + m, value.sin);
      simd::store(cos + m, value.cos);
    }
  }
  void add(int64_t a, int64_t b, int64_t sum) noexcept {
    for (int64_t m = 0; m < pairs_; m += kWide) {
      const simd::Doubles sin_a = simd::load(near_sin_[a] + m),
                          cos_a = simd::load(near_cos_[a] + m);
      const simd::Doubles sin_b = simd::load(near_sin_[b] + m),
                          cos_b = simd::load(near_cos_[b] + m);
      simd::store(near_sin_[sum] + m, sin_a * cos_b + cos_a * sin_b);
      simd::store(near_cos_[sum] + m, cos_a * cos_b - sin_a * sin_b);
    }
  }
  SinCos turned(int64_t m, const double* near_sin, const double* near_cos,
                double sign) const noexcept {
    const simd::Doubles far_sin = simd::load(far_sin_ + m), far_cos = simd::load(far_cos_ + m);
    const simd::Doubles sin = simd::load(near_sin + m) * simd::Doubles(sign),
                        cos = simd::load(near_cos + m);
    return {far_sin * cos + far_cos * sin, far_cos * cos - far_sin * sin};
  }
  void turned_both(int64_t m, const double* near_sin, const double* near_cos, SinCos& ahead,
                   SinCos& behind) const noexcept {
    const simd::Doubles far_sin = simd::load(far_sin_ + m), far_cos = simd::load(far_cos_ + m);
    const simd::Doubles sin = simd::load(near_sin + m), cos = simd::load(near_cos + m);
    const simd::Doubles sin_cos = far_sin * cos, cos_sin = far_cos * sin;
    const simd::Doubles cos_cos = far_cos * cos, sin_sin = far_sin * sin;
    ahead = {sin_cos + cos_sin, cos_cos - sin_sin};
    behind = {sin_cos - cos_sin, cos_cos + sin_sin};
  }

  int64_t pairs_;
  Needs near_made_;
  bool far_made_;
  double far_position_;
  double frequencies_[kChunk];
  Turns turns_[kChunk / kWide];
  alignas(64) double far_sin_[kChunk], far_cos_[kChunk];
  alignas(64) double near_sin_[kReach + 1][kChunk], near_cos_[kReach + 1][kChunk];
};

}  // namespace posenc::kernels::angle_tables
