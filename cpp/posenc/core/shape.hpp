// Shapes of row-major tensors, and views of memory that carry one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "posenc/core/error.hpp"

namespace posenc {

inline constexpr int kMaxRank = 8;
// No tensor has more elements than this, so that every index fits a 32-bit signed integer.
inline constexpr int64_t kMaxElements = (int64_t{1} << 31) - 1;

struct Shape {
  int64_t extents[kMaxRank] = {};
  int rank = 0;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<int64_t> list) {
    for (int64_t extent : list) extents[rank++] = extent;
  }
  constexpr int64_t operator[](int axis) const { return extents[axis]; }
  constexpr int64_t& operator[](int axis) { return extents[axis]; }
  // Extent counted from the last axis: back(0) is the innermost.
  constexpr int64_t back(int i) const { return extents[rank - 1 - i]; }
  constexpr void push(int64_t extent) { extents[rank++] = extent; }
  friend bool operator==(const Shape& a, const Shape& b) noexcept;
};

// Number of elements; tooLarge beyond kMaxElements, outOfRange for a negative extent.
Result<int64_t> element_count(const Shape& shape, TextRef parameter) noexcept;
// a·b as above, for sizes that are no shape.
Result<int64_t> checked_product(int64_t a, int64_t b, TextRef parameter) noexcept;
// "[2, 3, 4]"
Text text_of_shape(const Shape& shape) noexcept;

// A view of row-major memory with its shape; T is const for inputs.
template <typename T>
struct TensorView {
  std::span<T> data;
  Shape shape;

  bool given() const noexcept { return data.data() != nullptr; }
};

}  // namespace posenc
