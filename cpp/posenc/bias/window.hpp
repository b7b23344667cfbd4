// Places of a window of an image, row by row, and the offset between two of them as an index of a
// table:
//   index(i, j) = (y_i - y_j + height - 1) · (2 width - 1) + (x_i - x_j + width - 1)
// so there are (2 height - 1)(2 width - 1) of them. With a class token, which is place 0 in front
// of the window, three rows follow: class to patch, patch to class, class to itself.
#pragma once

#include <cstdint>

#include "posenc/core/bias_head.hpp"

namespace posenc {

struct WindowSize {
  int64_t height = 0, width = 0;
};

struct Window {
  int64_t height, width;
  bool class_token = false;

  int64_t places() const noexcept { return height * width + (class_token ? 1 : 0); }
  int64_t offsets() const noexcept { return (2 * height - 1) * (2 * width - 1); }
  int64_t rows() const noexcept { return offsets() + (class_token ? 3 : 0); }

  // Scratch of a head: `rows()` numbers, which the encoding fills, and a code for each query and
  // key.
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept {
    return rows() + query.count + key.count;
  }
  void begin(const BiasHead& head) const noexcept;
  // The index of each key of a row.
  void index(const BiasHead& head, const PairRow& row, int32_t* out) const noexcept;
  // out = the numbers at the indices of a row; or adds to their sums.
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept;
  void accumulate(const BiasHead& head, const PairRow& row, const float* d_bias) const noexcept;

 private:
  void write_codes(const Positions& positions, float* out) const noexcept;
};

}  // namespace posenc
