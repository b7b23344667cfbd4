// Windows of a grid of rows of channels [rows, cols, channels], for convolutions that keep its
// size: window (r, c) has the cells (r + i - height/2, c + j - width/2), i < height, j < width.
// Cells beyond the edge are zeros, or those of the other side.
#pragma once

#include <cstdint>

namespace posenc::kernels {

struct Windows {
  int64_t rows, cols, channels;
  int64_t height, width;
  bool circular;

  int64_t taps() const noexcept { return height * width; }
  int64_t cells() const noexcept { return rows * cols; }
  // The cell under tap t of the window at `cell`; -1 beyond the edge.
  int64_t under(int64_t cell, int64_t tap) const noexcept;
};

// One filter per channel at one cell: out [channels]. taps [height · width, channels], bias
// [channels] or null.
void depthwise(const Windows& windows, const float* x, int64_t cell, const float* taps,
               const float* bias, float* out) noexcept;
// d_x and d_taps are added to; either may be null.
void depthwise_backward(const Windows& windows, const float* x, int64_t cell, const float* taps,
                        const float* d_out, float* d_x, float* d_taps) noexcept;

// Channels `first` to first + count - 1 of the window at `cell`: out [count, height · width].
void gather_window(const Windows& windows, const float* x, int64_t cell, int64_t first,
                   int64_t count, float* out) noexcept;
// The transpose: window [count, height · width] is added to those cells of x.
void scatter_window(const Windows& windows, const float* window, int64_t cell, int64_t first,
                    int64_t count, float* x) noexcept;

// out [columns, rows] = xᵀ, or out += xᵀ.
void transpose(const float* x, int64_t rows, int64_t columns, float* out) noexcept;
void add_transposed(const float* x, int64_t rows, int64_t columns, float* out) noexcept;

}  // namespace posenc::kernels
