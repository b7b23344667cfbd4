#include "posenc/kernels/rotate.hpp"

#include <cstddef>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/simd.hpp"

namespace posenc::kernels {
namespace {

using simd::Floats;
using simd::kLanes;

inline void half_row(const float* x, const float* cos, const float* sin, int64_t pairs, float* out) noexcept {
  simd::for_lanes(pairs, [&](int64_t m, auto lanes) {
    const Floats a = lanes.load(x + m), b = lanes.load(x + pairs + m);
    const Floats c = lanes.load(cos + m), s = lanes.load(sin + m);
    lanes.store(out + m, a * c - b * s);
    lanes.store(out + pairs + m, b * c + a * s);
  });
}

inline void interleaved_row(const float* x, const float* cos, const float* sin, int64_t pairs, float* out) noexcept {
  std::ptrdiff_t m = 0;
  const auto whole = static_cast<std::ptrdiff_t>(pairs - pairs % kLanes);
  for (; m < whole; m += static_cast<std::ptrdiff_t>(kLanes)) {
    const auto [a, b] = simd::unzip(simd::load(x + 2 * m), simd::load(x + 2 * m + kLanes));
    const Floats c = simd::load(cos + m), s = simd::load(sin + m);
    const auto [low, high] = simd::zip(a * c - b * s, b * c + a * s);
    simd::store(out + 2 * m, low);
    simd::store(out + 2 * m + kLanes, high);
  }
  for (; m < pairs; m++) {
    const float a = x[2 * m], b = x[2 * m + 1];
    out[2 * m] = a * cos[m] - b * sin[m];
    out[2 * m + 1] = b * cos[m] + a * sin[m];
  }
}

template <typename Row>
void rotate_rows(const RotateRows& task, Row row) noexcept {
  const int64_t turned = 2 * task.pairs;
  const bool copies = task.out != task.x && turned < task.dim;
  for (int64_t i = 0; i < task.rows; i++) {
    const float* x = task.x + i * task.x_stride;
    float* out = task.out + i * task.out_stride;
    const int64_t at = i * task.factor_stride;
    row(x, task.cos + at, task.sin + at, task.pairs, out);
    if (copies) copy(x + turned, task.dim - turned, out + turned);
  }
}

}  // namespace

// By lambdas: a pointer to a function would be called for every row.
void rotate_half(const RotateRows& task) noexcept {
  rotate_rows(task, [](auto... row) { half_row(row...); });
}
void rotate_interleaved(const RotateRows& task) noexcept {
  rotate_rows(task, [](auto... row) { interleaved_row(row...); });
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
  simd::for_lanes(count, [&](int64_t i, auto lanes) { lanes.store(sin + i, -lanes.load(sin + i)); });
}

}  // namespace posenc::kernels
