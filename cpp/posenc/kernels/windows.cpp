#include "posenc/kernels/windows.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc::kernels {
namespace {

// -1 beyond the edge, unless the line is closed to a circle.
int64_t place(int64_t i, int64_t length, bool circular) noexcept {
  if (i >= 0 && i < length) return i;
  return circular ? (i % length + length) % length : -1;
}

}  // namespace

int64_t Windows::under(int64_t cell, int64_t tap) const noexcept {
  const int64_t r = place(cell / cols + tap / width - height / 2, rows, circular);
  const int64_t c = place(cell % cols + tap % width - width / 2, cols, circular);
  return r < 0 || c < 0 ? -1 : r * cols + c;
}

void depthwise(const Windows& windows, const float* x, int64_t cell, const float* taps,
               const float* bias, float* out) noexcept {
  const int64_t channels = windows.channels;
  if (bias)
    copy(bias, channels, out);
  else
    std::fill_n(out, channels, 0.0F);
  for (int64_t t = 0; t < windows.taps(); t++) {
    const int64_t from = windows.under(cell, t);
    if (from >= 0) add_product(x + from * channels, taps + t * channels, channels, out);
  }
}

void depthwise_backward(const Windows& windows, const float* x, int64_t cell, const float* taps,
                        const float* d_out, float* d_x, float* d_taps) noexcept {
  const int64_t channels = windows.channels;
  for (int64_t t = 0; t < windows.taps(); t++) {
    const int64_t from = windows.under(cell, t);
    if (from < 0) continue;
    if (d_x) add_product(d_out, taps + t * channels, channels, d_x + from * channels);
    if (d_taps) add_product(d_out, x + from * channels, channels, d_taps + t * channels);
  }
}

void gather_window(const Windows& windows, const float* x, int64_t cell, int64_t first,
                   int64_t count, float* out) noexcept {
  const int64_t taps = windows.taps();
  for (int64_t t = 0; t < taps; t++) {
    const int64_t from = windows.under(cell, t);
    const float* row = x + from * windows.channels + first;
    for (int64_t i = 0; i < count; i++) out[i * taps + t] = from < 0 ? 0 : row[i];
  }
}

void scatter_window(const Windows& windows, const float* window, int64_t cell, int64_t first,
                    int64_t count, float* x) noexcept {
  const int64_t taps = windows.taps();
  for (int64_t t = 0; t < taps; t++) {
    const int64_t to = windows.under(cell, t);
    if (to < 0) continue;
    float* row = x + to * windows.channels + first;
    for (int64_t i = 0; i < count; i++) row[i] += window[i * taps + t];
  }
}

void transpose(const float* x, int64_t rows, int64_t columns, float* out) noexcept {
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = 0; c < columns; c++) out[c * rows + r] = *x++;
  }
}

void add_transposed(const float* x, int64_t rows, int64_t columns, float* out) noexcept {
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = 0; c < columns; c++) out[c * rows + r] += *x++;
  }
}

}  // namespace posenc::kernels
