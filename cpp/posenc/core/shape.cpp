#include "posenc/core/shape.hpp"

namespace posenc {

bool operator==(const Shape& a, const Shape& b) noexcept {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; i++) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

Text text_of_shape(const Shape& shape) noexcept {
  Text text("[");
  for (int i = 0; i < shape.rank; i++) {
    if (i > 0) text.append(", ");
    text.append(shape[i]);
  }
  return text.append("]");
}

Result<int64_t> checked_product(int64_t a, int64_t b, TextRef parameter) noexcept {
  if (a < 0 || b < 0) {
    return fail(ErrorCode::kOutOfRange, parameter, text_of(a < 0 ? a : b), "a size of 0 or more");
  }
  if (a != 0 && b > kMaxElements / a) {
    return fail(ErrorCode::kTooLarge, parameter, text_of(a, " x ", b),
                text_of("at most ", kMaxElements, " elements"));
  }
  return a * b;
}

Result<int64_t> element_count(const Shape& shape, TextRef parameter) noexcept {
  bool empty = false;
  for (int i = 0; i < shape.rank; i++) {
    if (shape[i] < 0) {
      return fail(ErrorCode::kOutOfRange, parameter, text_of_shape(shape), "sizes of 0 or more");
    }
    empty = empty || shape[i] == 0;
  }
  if (empty) return 0;
  int64_t count = 1;
  for (int i = 0; i < shape.rank; i++) {
    if (shape[i] > kMaxElements / count) {
      return fail(ErrorCode::kTooLarge, parameter, text_of_shape(shape),
                  text_of("at most ", kMaxElements, " elements"));
    }
    count *= shape[i];
  }
  return count;
}

}  // namespace posenc
