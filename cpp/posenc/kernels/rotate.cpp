#include "posenc/kernels/rotate.hpp"

#include <cstddef>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;
constexpr auto kLanes = static_cast<std::ptrdiff_t>(simd::kLanes);

// A token of kHeads heads. Where two share each load of the factors, memory gives its data a third
// faster than where they come one after the other.
template <int kHeads>
struct Rows {
  const float* x;
  float* out;
  std::ptrdiff_t x_stride, out_stride;  // from head to head
  const float *cos, *sin;
  std::ptrdiff_t pairs;
};

template <int kHeads, typename Lanes>
inline void half_lanes(const Rows<kHeads>& rows, std::ptrdiff_t m, std::ptrdiff_t next,
                       const Lanes& lanes) noexcept {
  const Floats c = lanes.load(rows.cos + m + next), s = lanes.load(rows.sin + m + next);
  for (int h = 0; h < kHeads; h++) {
    const float* x = rows.x + h * rows.x_stride + m;
    float* out = rows.out + h * rows.out_stride + m;
    const Floats a = lanes.load(x + next), b = lanes.load(x + rows.pairs + next);
    lanes.store(out + next, a * c - b * s);
    lanes.store(out + rows.pairs + next, b * c + a * s);
  }
}

// Two batches at a time, which share the sums of addresses.
template <int kHeads>
inline void half_rows(const Rows<kHeads>& rows) noexcept {
  std::ptrdiff_t m = 0;
  for (; m + 2 * kLanes <= rows.pairs; m += 2 * kLanes) {
    half_lanes(rows, m, 0, simd::Whole{});
    half_lanes(rows, m, kLanes, simd::Whole{});
  }
  simd::for_lanes(rows.pairs - m,
                  [&](std::ptrdiff_t next, auto lanes) { half_lanes(rows, m, next, lanes); });
}

template <int kHeads>
inline void interleaved_rows(const Rows<kHeads>& rows) noexcept {
  std::ptrdiff_t m = 0;
  const std::ptrdiff_t whole = rows.pairs - rows.pairs % kLanes;
  for (; m < whole; m += kLanes) {
    const Floats c = simd::load(rows.cos + m), s = simd::load(rows.sin + m);
    for (int h = 0; h < kHeads; h++) {
      const float* x = rows.x + h * rows.x_stride + 2 * m;
      float* out = rows.out + h * rows.out_stride + 2 * m;
      const auto [a, b] = simd::unzip(simd::load(x), simd::load(x + kLanes));
      const auto [low, high] = simd::zip(a * c - b * s, b * c + a * s);
      simd::store(out, low);
      simd::store(out + kLanes, high);
    }
  }
  for (; m < rows.pairs; m++) {
    const float c = rows.cos[m], s = rows.sin[m];
    for (int h = 0; h < kHeads; h++) {
      const float* x = rows.x + h * rows.x_stride + 2 * m;
      float* out = rows.out + h * rows.out_stride + 2 * m;
      const float a = x[0], b = x[1];
      out[0] = a * c - b * s;
      out[1] = b * c + a * s;
    }
  }
}

template <int kHeads, typename Turn>
void turn_heads(const RotateRows& task, int64_t head, Turn turn) noexcept {
  const int64_t turned = 2 * task.pairs;
  const bool copies = task.out != task.x && turned < task.dim;
  Rows<kHeads> rows = {.x = task.x + head * task.x_head_stride,
                       .out = task.out + head * task.out_head_stride,
                       .x_stride = static_cast<std::ptrdiff_t>(task.x_head_stride),
                       .out_stride = static_cast<std::ptrdiff_t>(task.out_head_stride),
                       .cos = task.cos,
                       .sin = task.sin,
                       .pairs = static_cast<std::ptrdiff_t>(task.pairs)};
  for (int64_t i = 0; i < task.rows; i++) {
    turn(rows);
    for (int h = 0; copies && h < kHeads; h++) {
      copy(rows.x + h * rows.x_stride + turned, task.dim - turned,
           rows.out + h * rows.out_stride + turned);
    }
    rows.x += task.x_stride;
    rows.out += task.out_stride;
    rows.cos += task.factor_stride;
    rows.sin += task.factor_stride;
  }
}

template <typename Turn>
void turn_all(const RotateRows& task, Turn turn) noexcept {
  int64_t head = 0;
  for (; head + 2 <= task.heads; head += 2) turn_heads<2>(task, head, turn);
  if (head < task.heads) turn_heads<1>(task, head, turn);
}

}  // namespace

// By lambdas: a pointer to a function would be called for every row.
void rotate_half(const RotateRows& task) noexcept {
  turn_all(task, [](const auto& rows) { half_rows(rows); });
}
void rotate_interleaved(const RotateRows& task) noexcept {
  turn_all(task, [](const auto& rows) { interleaved_rows(rows); });
}

void invert_factors(float* cos, float* sin, int64_t count) noexcept {
  simd::for_lanes(count, [&](int64_t i, auto lanes) {
    const Floats c = lanes.load(cos + i), s = lanes.load(sin + i);
    const Floats scale = Floats(1.0F) / (c * c + s * s);
    lanes.store(cos + i, c * scale);
    lanes.store(sin + i, -s * scale);
  });
}

void transpose_factors(float* sin, int64_t count) noexcept {
  simd::for_lanes(count,
                  [&](int64_t i, auto lanes) { lanes.store(sin + i, -lanes.load(sin + i)); });
}

}  // namespace posenc::kernels
