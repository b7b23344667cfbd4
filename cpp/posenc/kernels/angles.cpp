#include "posenc/kernels/angles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "posenc/kernels/angle_tables.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc::kernels {
namespace {

using namespace angle_tables;
using simd::Floats;
using simd::kLanes;

constexpr int64_t kGroup =
    RowOrigins::kRows;          // rows at a time: their pages stay in the translation buffer
constexpr int64_t kSeen = 256;  // positions that are looked back for

bool is_whole(double position) noexcept { return position == std::floor(position); }

// The last tables of each chunk of frequencies, to a width of 1024 columns. A decoder asks for the
// same ones at one position after the other, and relative terms do for one block of distances after
// the other.
AngleTables& last_tables(int64_t chunk) noexcept {
  constexpr int64_t kKept = 4;
  static thread_local AngleTables last[kKept];
  return last[chunk % kKept];
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
    if (contiguous()) return;
    own_ = 0;
    for (int64_t i = begin; i < end; i++) {
      const double position = position_of(i);
      // By what whole positions end with: a conversion that holds for any double takes longer.
      int64_t& row = seen_[std::bit_cast<uint64_t>(position + 0x1.8p52) & (kSeen - 1)];
      if (row < 0 || position_of(row) != position) {
        row = i;
        places_[own_++] = static_cast<int16_t>(i - begin);
      }
      first_[i - begin] = row;
    }
  }

  bool contiguous() const noexcept { return angles_.positions.contiguous(); }
  double position_of(int64_t i) const noexcept { return angles_.positions.at(i, angles_.axis); }
  // The rows of the group that repeat none: how many, and each.
  int64_t own() const noexcept { return own_; }
  int64_t own_row(int64_t n) const noexcept { return begin_ + (contiguous() ? n : places_[n]); }

  template <typename RowAt>
  void copy_rows(int64_t end, RowAt row_at) const noexcept {
    if (own_ == end - begin_) return;
    for (int64_t i = begin_; i < end; i++) {
      const int64_t first = first_[i - begin_];
      if (first != i) row_at(i).take(row_at(first), angles_.pairs);
    }
  }

 private:
  const Angles& angles_;
  int64_t begin_ = 0, own_ = 0;
  int64_t *seen_, *first_;
  int16_t places_[RowOrigins::kRows];
};

Needs needs_of(const Repeats& repeats) noexcept {
  Needs needs = 0;
  // A block's length of consecutive positions needs all there are.
  const int64_t rows =
      repeats.contiguous() ? std::min<int64_t>(repeats.own(), kBlock) : repeats.own();
  for (int64_t n = 0; n < rows; n++) {
    const double position = repeats.position_of(repeats.own_row(n));
    if (!is_whole(position)) continue;
    needs |= Needs{1} << static_cast<int64_t>(std::abs(offset_in(block_of(position), position)));
  }
  for (int64_t k = kReach; k > 1; k--) {  // and what each is made of
    if ((needs >> k & 1) != 0) needs |= Needs{1} << (k % 2 == 0 ? k / 2 : k - 1) | 2;
  }
  return needs;
}

// Rows k = first to last around the far angle; row_at(i) is that of k = first + i.
template <typename RowAt>
void write_run(const AngleTables& tables, int64_t first, int64_t last, RowAt row_at) noexcept {
  // k and -k are both there up to this k; where it is below 0, all rows lie on one side.
  const int64_t mirrored = std::max<int64_t>(std::min(-first, last), -1);
  for (int64_t k = first; k <= last; k++) {
    if (std::abs(k) > mirrored || k == 0) tables.write(k, row_at(k - first));
  }
  for (int64_t k = 1; k <= mirrored; k++) {
    tables.write_mirrored(k, row_at(k - first), row_at(-k - first));
  }
}

template <typename RowAt>
void write_rows(AngleTables& tables, const Repeats& repeats, RowAt row_at) noexcept {
  double block = NAN;  // that of the far angle
  for (int64_t n = 0; n < repeats.own();) {
    const int64_t i = repeats.own_row(n);
    const double position = repeats.position_of(i);
    if (!is_whole(position)) {
      tables.make_far(position);
      block = NAN;
      tables.write(0, row_at(i));
      n++;
      continue;
    }
    if (const double its = block_of(position); its != block) {
      block = its;
      tables.make_far(block * kBlock);
    }
    const auto k = static_cast<int64_t>(offset_in(block, position));
    const int64_t rows =
        repeats.contiguous() ? std::min(rows_left(block, position), repeats.own() - n) : 1;
    write_run(tables, k, k + rows - 1, [&](int64_t row) { return row_at(i + row); });
    n += rows;
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
  if (repeats.own() == 0) return;
  const Needs needs = needs_of(repeats);
  for (int64_t m = 0; m < angles.pairs; m += kChunk) {
    AngleTables& tables = last_tables(m / kChunk);
    tables.begin(angles.frequencies + m, std::min(kChunk, angles.pairs - m));
    tables.make_near(needs);
    write_rows(tables, repeats, table(m));
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
