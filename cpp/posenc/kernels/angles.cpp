#include "posenc/kernels/angles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "posenc/kernels/angles_sincos.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc::kernels {
namespace {

using simd::Doubles;
using simd::Floats;
using simd::kLanes;

constexpr int64_t kReach = 32;  // |k| of p = 64·n + k
constexpr int64_t kBlock = 2 * kReach;
constexpr int64_t kChunk = 128;  // frequencies at a time: a row is written in stretches of 1 kB
constexpr int64_t kGroup =
    RowOrigins::kRows;          // rows at a time: their pages stay in the translation buffer
constexpr int64_t kSeen = 256;  // positions that are looked back for
constexpr auto kWide = static_cast<int64_t>(Doubles::size);
static_assert(kChunk % kLanes == 0);

// The nearest n of p = 64·n + k, halves away from zero, so that -p is -64·n - k.
double block_of(double position) noexcept {
  const double share =
      position / kBlock;  // exact, and so is the half added: std::round would be a call in wasm
  return std::trunc(share + std::copysign(0.5, share));
}
double offset_in(double block, double position) noexcept { return position - block * kBlock; }
// Rows from `position` on that lie in the same block.
int64_t rows_left(double block, double position) noexcept {
  const int64_t last = block < 0 ? kReach : kReach - 1;
  return last - static_cast<int64_t>(offset_in(block, position)) + 1;
}
bool is_whole(double position) noexcept { return position == std::floor(position); }

// Not inlined: loops over a length that the compiler knows it would write out.
[[gnu::noinline]] void fill(double* from, const double* end, double value) noexcept {
  while (from != end) *from++ = value;
}

// Which of sin and cos of k · frequency, k = 0 to 32, a set of rows needs; bit k.
using Needs = uint64_t;

// The tables of up to kChunk frequencies. Zeroed memory is an empty one.
class Chunk {
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
    for (int64_t m = 0; m < pairs_; m += kLanes) {
      const SinCos a = turned(m, sin, cos, sign);
      const SinCos b = turned(m + kWide, sin, cos, sign);
      row.store(m, pairs_ - m, a, b);
    }
  }
  template <typename Row>
  void write_mirrored(int64_t k, const Row& ahead, const Row& behind) const noexcept {
    const double* sin = near_sin_[k];
    const double* cos = near_cos_[k];
    for (int64_t m = 0; m < pairs_; m += kLanes) {
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
      const Doubles sin_a = simd::load(near_sin_[a] + m), cos_a = simd::load(near_cos_[a] + m);
      const Doubles sin_b = simd::load(near_sin_[b] + m), cos_b = simd::load(near_cos_[b] + m);
      simd::store(near_sin_[sum] + m, sin_a * cos_b + cos_a * sin_b);
      simd::store(near_cos_[sum] + m, cos_a * cos_b - sin_a * sin_b);
    }
  }
  SinCos turned(int64_t m, const double* near_sin, const double* near_cos,
                double sign) const noexcept {
    const Doubles far_sin = simd::load(far_sin_ + m), far_cos = simd::load(far_cos_ + m);
    const Doubles sin = simd::load(near_sin + m) * Doubles(sign), cos = simd::load(near_cos + m);
    return {far_sin * cos + far_cos * sin, far_cos * cos - far_sin * sin};
  }
  void turned_both(int64_t m, const double* near_sin, const double* near_cos, SinCos& ahead,
                   SinCos& behind) const noexcept {
    const Doubles far_sin = simd::load(far_sin_ + m), far_cos = simd::load(far_cos_ + m);
    const Doubles sin = simd::load(near_sin + m), cos = simd::load(near_cos + m);
    const Doubles sin_cos = far_sin * cos, cos_sin = far_cos * sin;
    const Doubles cos_cos = far_cos * cos, sin_sin = far_sin * sin;
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

// The tables of the last frequencies. A decoder asks for the same ones at one position after the
// other.
Chunk& last_chunk() noexcept {
  static thread_local Chunk last;
  return last;
}

void store_part(float* p, int64_t count, const Floats& v) noexcept {
  if (count >= kLanes)
    simd::store(p, v);
  else if (count > 0)
    simd::Part{count}.store(p, v);
}

struct InterleavedRow {
  float* out;
  void store(int64_t m, int64_t left, const SinCos& a, const SinCos& b) const noexcept {
    store_part(out + 2 * m, 2 * left, simd::narrow_zip(a.sin, a.cos));
    store_part(out + 2 * m + kLanes, 2 * left - kLanes, simd::narrow_zip(b.sin, b.cos));
  }
  void take(const InterleavedRow& other, int64_t pairs) const noexcept {
    copy(other.out, 2 * pairs, out);
  }
};

struct ApartRow {
  float* sin;
  float* cos;
  float amplitude;
  void store(int64_t m, int64_t left, const SinCos& a, const SinCos& b) const noexcept {
    store_part(sin + m, left, simd::narrow(a.sin, b.sin) * Floats(amplitude));
    store_part(cos + m, left, simd::narrow(a.cos, b.cos) * Floats(amplitude));
  }
  void take(const ApartRow& other, int64_t pairs) const noexcept {
    copy(other.sin, pairs, sin);
    copy(other.cos, pairs, cos);
  }
};

// For each row of a group an earlier one of the same position, or itself: the cells of a grid have
// few positions on each axis. The latest kSeen are looked back for, in the groups before too.
class Repeats {
 public:
  Repeats(const Angles& angles, RowOrigins& origins) noexcept
      : angles_(angles), seen_(origins.seen), first_(origins.first) {}

  void look_at(int64_t begin, int64_t end) noexcept {
    begin_ = begin;
    own_ = end - begin;
    if (angles_.positions.contiguous()) return;
    for (int64_t i = begin; i < end; i++) {
      const double position = position_of(i);
      int64_t& row = seen_[static_cast<int64_t>(position) & (kSeen - 1)];
      const bool again = row >= 0 && position_of(row) == position;
      if (again)
        own_--;
      else
        row = i;
      first_[i - begin] = row;
    }
  }

  int64_t own() const noexcept { return own_; }  // rows of the group that repeat none
  bool repeats(int64_t i) const noexcept {
    return !angles_.positions.contiguous() && first_[i - begin_] != i;
  }
  template <typename RowAt>
  void copy_rows(int64_t end, RowAt row_at) const noexcept {
    if (own_ == end - begin_) return;
    for (int64_t i = begin_; i < end; i++) {
      if (repeats(i)) row_at(i).take(row_at(first_[i - begin_]), angles_.pairs);
    }
  }

 private:
  double position_of(int64_t i) const noexcept { return angles_.positions.at(i, angles_.axis); }

  const Angles& angles_;
  int64_t begin_ = 0, own_ = 0;
  int64_t *seen_, *first_;
};

Needs needs_of(const Angles& angles, int64_t first, int64_t last, const Repeats& repeats) noexcept {
  Needs needs = 0;
  const bool contiguous = angles.positions.contiguous();
  // A block's length of consecutive positions needs all there are.
  if (contiguous) last = std::min(last, first + kBlock);
  for (int64_t i = first; i < last; i++) {
    const double position = angles.positions.at(i, angles.axis);
    if (!is_whole(position) || repeats.repeats(i)) continue;
    needs |= Needs{1} << static_cast<int64_t>(std::abs(offset_in(block_of(position), position)));
  }
  for (int64_t k = kReach; k > 1; k--) {  // and what each is made of
    if ((needs >> k & 1) != 0) needs |= Needs{1} << (k % 2 == 0 ? k / 2 : k - 1) | 2;
  }
  return needs;
}

// Rows k = first to last around the far angle; row_at(i) is that of k = first + i.
template <typename RowAt>
void write_run(const Chunk& chunk, int64_t first, int64_t last, RowAt row_at) noexcept {
  // k and -k are both there up to this k; where it is below 0, all rows lie on one side.
  const int64_t mirrored = std::max<int64_t>(std::min(-first, last), -1);
  for (int64_t k = first; k <= last; k++) {
    if (std::abs(k) > mirrored || k == 0) chunk.write(k, row_at(k - first));
  }
  for (int64_t k = 1; k <= mirrored; k++) {
    chunk.write_mirrored(k, row_at(k - first), row_at(-k - first));
  }
}

template <typename RowAt>
void write_rows(Chunk& chunk, const Angles& angles, int64_t begin, int64_t end,
                const Repeats& repeats, RowAt row_at) noexcept {
  double block = NAN;  // that of the far angle
  for (int64_t i = begin; i < end;) {
    if (repeats.repeats(i)) {
      i++;
      continue;
    }
    const double position = angles.positions.at(i, angles.axis);
    if (!is_whole(position)) {
      chunk.make_far(position);
      block = NAN;
      chunk.write(0, row_at(i++));
      continue;
    }
    if (const double its = block_of(position); its != block) {
      block = its;
      chunk.make_far(block * kBlock);
    }
    const auto k = static_cast<int64_t>(offset_in(block, position));
    const int64_t rows =
        angles.positions.contiguous() ? std::min(rows_left(block, position), end - i) : 1;
    write_run(chunk, k, k + rows - 1, [&](int64_t row) { return row_at(i + row); });
    i += rows;
  }
}

// For the columns from m on, a function from token to row.
struct InterleavedTable {
  float* out;
  int64_t stride;
  auto operator()(int64_t m) const noexcept {
    return [=, *this](int64_t i) { return InterleavedRow{out + i * stride + 2 * m}; };
  }
};
struct ApartTable {
  float *sin, *cos;
  float amplitude;
  int64_t stride;
  auto operator()(int64_t m) const noexcept {
    return [=, *this](int64_t i) {
      return ApartRow{sin + i * stride + m, cos + i * stride + m, amplitude};
    };
  }
};

// The rows that repeat none.
template <typename Table>
[[gnu::noinline]] void write_new(const Angles& angles, int64_t begin, int64_t end, Repeats& repeats,
                                 const Table& table) noexcept {
  repeats.look_at(begin, end);
  const Needs needs = needs_of(angles, begin, end, repeats);
  for (int64_t m = 0; m < angles.pairs && repeats.own() > 0; m += kChunk) {
    Chunk& chunk = last_chunk();
    chunk.begin(angles.frequencies + m, std::min(kChunk, angles.pairs - m));
    chunk.make_near(needs);
    write_rows(chunk, angles, begin, end, repeats, table(m));
  }
}

template <typename Table>
void write_table(const Angles& angles, const Table& table) noexcept {
  RowOrigins origins;
  begin(origins);
  Repeats repeats(angles, origins);
  for (int64_t begin = 0; begin < angles.positions.count; begin += kGroup) {
    const int64_t end = std::min(begin + kGroup, angles.positions.count);
    write_new(angles, begin, end, repeats, table);
    repeats.copy_rows(end, table(0));
  }
}

template <typename Table>
void write_part(const Angles& angles, int64_t begin, int64_t end, RowOrigins& origins,
                const Table& table) noexcept {
  std::iota(origins.first, origins.first + (end - begin), begin);
  Repeats repeats(angles, origins);
  write_new(angles, begin, end, repeats, table);
}

}  // namespace

void begin(RowOrigins& origins) noexcept { std::fill_n(origins.seen, kSeen, int64_t{-1}); }

void angles_interleaved(const Angles& angles, float* out, int64_t stride) noexcept {
  write_table(angles, InterleavedTable{out, stride});
}

void angles_apart(const Angles& angles, float amplitude, float* sin, float* cos,
                  int64_t stride) noexcept {
  write_table(angles, ApartTable{sin, cos, amplitude, stride});
}

void new_angles_interleaved(const Angles& angles, int64_t begin, int64_t end, RowOrigins& origins,
                            float* out, int64_t stride) noexcept {
  write_part(angles, begin, end, origins, InterleavedTable{out, stride});
}

void new_angles_apart(const Angles& angles, int64_t begin, int64_t end, RowOrigins& origins,
                      float* sin, float* cos, int64_t stride) noexcept {
  write_part(angles, begin, end, origins, ApartTable{sin, cos, 1, stride});
}

}  // namespace posenc::kernels
