// The one allocator: checked sizes, 64-byte alignment, failure as a value. Kernels never allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

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

// What buffers of all types have in common. Not inline: they are made and moved wherever an object
// is, and a page downloads each copy.
class Storage {
 public:
  int64_t size() const noexcept { return size_; }  // in elements

 protected:
  Storage() = default;
  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&& other) noexcept;
  ~Storage();
  Status allocate(int64_t count, int64_t element_bytes, TextRef parameter) noexcept;

  void* data_ = nullptr;
  int64_t size_ = 0;
};

// An owned, uninitialised array of plain values. Move-only.
template <typename T>
class Buffer : public Storage {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  // Memory for `count` elements in place of what was held, which an error leaves as it was:
  // tooLarge or outOfMemory, which name `parameter`, the argument whose size asked for the memory.
  Status allocate(int64_t count, TextRef parameter) noexcept {
    return Storage::allocate(count, sizeof(T), parameter);
  }
  // The same, filled with zeros or what stands for them.
  Status allocate_zeros(int64_t count, TextRef parameter) noexcept {
    Status status = allocate(count, parameter);
    if (status) {
      for (T& value : span()) value = T{};
    }
    return status;
  }
  static Result<Buffer> make(int64_t count, TextRef parameter) noexcept {
    Result<Buffer> buffer;
    if (Status status = buffer->allocate(count, parameter); !status)
      return std::unexpected(status.error());
    return buffer;
  }

  T* data() noexcept { return static_cast<T*>(data_); }
  const T* data() const noexcept { return static_cast<const T*>(data_); }
  std::span<T> span() noexcept { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }
  T& operator[](int64_t i) noexcept { return data()[i]; }
  const T& operator[](int64_t i) const noexcept { return data()[i]; }
};

}  // namespace posenc
