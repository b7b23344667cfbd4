// Rows of a [batch, heads, seq, dim] tensor in any order of axes but the last, which is contiguous.
// Layout 'heads' [batch, heads, seq, dim] and 'packed' [batch, seq, heads · dim] are both this.
#pragma once

#include <cstdint>
#include <type_traits>

namespace posenc {

// Strides in elements; T is const for inputs.
template <typename T>
struct HeadRows {
  T* data = nullptr;
  int64_t batch_stride = 0, head_stride = 0, row_stride = 0;

  static HeadRows heads(T* data, int64_t heads, int64_t seq, int64_t dim) noexcept {
    return {data, heads * seq * dim, seq * dim, dim};
  }
  static HeadRows packed(T* data, int64_t heads, int64_t seq, int64_t dim) noexcept {
    return {data, heads * seq * dim, dim, heads * dim};
  }

  bool given() const noexcept { return data != nullptr; }
  // Of a tensor that begins with head `first`: rows are then asked for by their head's true number.
  HeadRows from_head(int64_t first) const noexcept {
    if (data == nullptr) return *this;
    const auto before = static_cast<uintptr_t>(first * head_stride) * sizeof(T);
    return {reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(data) - before), batch_stride,
            head_stride, row_stride};
  }
  T* row(int64_t batch, int64_t head, int64_t index) const noexcept {
    return data + batch * batch_stride + head * head_stride + index * row_stride;
  }
  operator HeadRows<const T>() const noexcept
    requires(!std::is_const_v<T>)
  {
    return {data, batch_stride, head_stride, row_stride};
  }
};

}  // namespace posenc
