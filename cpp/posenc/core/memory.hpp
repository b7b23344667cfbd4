// The one allocator: checked sizes, 64-byte alignment, failure as a value. Kernels never allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "posenc/core/error.hpp"
#include "posenc/core/shape.hpp"

namespace posenc {

inline constexpr std::size_t kAlignment = 64;

// Null when the request overflows or memory is out. 0 bytes give a valid pointer.
void* allocate_bytes(int64_t bytes) noexcept;
void release_bytes(void* pointer) noexcept;
// Bytes that allocate_bytes has given out and not got back.
int64_t allocated_bytes() noexcept;
// The most that was out at one time since the last reset.
int64_t peak_bytes() noexcept;
void reset_peak_bytes() noexcept;

// Memory for `count` elements of `size` bytes; tooLarge or outOfMemory, which name `parameter`.
Status allocate_elements(int64_t count, int64_t size, TextRef parameter, void*& block) noexcept;

// An owned, uninitialised array of plain values. Move-only.
template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { release_bytes(data_); }

  // `parameter` is what an error names: the argument whose size asked for the memory.
  static Result<Buffer> make(int64_t count, TextRef parameter) noexcept {
    void* block = nullptr;
    const Status status = allocate_elements(count, sizeof(T), parameter, block);
    if (!status) return std::unexpected(status.error());
    return Buffer(static_cast<T*>(block), count);
  }
  static Result<Buffer> zeros(int64_t count, TextRef parameter) noexcept {
    Result<Buffer> buffer = make(count, parameter);
    if (buffer) {
      for (T& value : buffer->span()) value = T{};
    }
    return buffer;
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  int64_t size() const noexcept { return size_; }
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  T& operator[](int64_t i) noexcept { return data_[i]; }
  const T& operator[](int64_t i) const noexcept { return data_[i]; }

 private:
  Buffer(T* data, int64_t size) noexcept : data_(data), size_(size) {}

  T* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace posenc
