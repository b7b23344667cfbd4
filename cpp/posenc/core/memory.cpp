#include "posenc/core/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace posenc {
namespace {

// Stands in front of each block. malloc's own alignment leaves room for it before the next multiple
// of kAlignment, so no block needs more than kAlignment besides what it holds. (aligned_alloc would
// link a second way through the C library's heap, for the same memory.)
struct Header {
  void* allocated;
  std::size_t bytes;
};
static_assert(sizeof(Header) <= alignof(std::max_align_t));

Header& header_of(void* block) noexcept { return static_cast<Header*>(block)[-1]; }

int64_t live_bytes = 0, most_bytes = 0;

}  // namespace

void* allocate_bytes(int64_t bytes) noexcept {
  constexpr auto kAround = static_cast<int64_t>(kAlignment);
  // No object is larger than what pointers can differ by.
  constexpr uint64_t kMost = PTRDIFF_MAX - 2 * kAlignment;
  if (bytes < 0 || static_cast<uint64_t>(bytes) > kMost) return nullptr;
  const int64_t rounded = (bytes + kAround - 1) / kAround * kAround + kAround;
  const auto size = static_cast<std::size_t>(rounded);
  void* allocated = std::malloc(size);
  if (allocated == nullptr) return nullptr;
  const auto past_header = reinterpret_cast<uintptr_t>(allocated) + sizeof(Header);
  void* block = reinterpret_cast<void*>((past_header + kAlignment - 1) / kAlignment * kAlignment);
  header_of(block) = {.allocated = allocated, .bytes = size};
  live_bytes += rounded;
  if (live_bytes > most_bytes) most_bytes = live_bytes;
  return block;
}

void release_bytes(void* pointer) noexcept {
  if (pointer == nullptr) return;
  const Header header = header_of(pointer);
  live_bytes -= static_cast<int64_t>(header.bytes);
  std::free(header.allocated);
}

Storage::Storage(Storage&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Storage& Storage::operator=(Storage&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Storage::~Storage() { release_bytes(data_); }

Status Storage::allocate(int64_t count, int64_t element_bytes, TextRef parameter) noexcept {
  if (count < 0 || count > kMaxElements) {
    return fail(ErrorCode::kTooLarge, parameter, text_of(count, " elements"),
                text_of("at most ", kMaxElements, " elements"));
  }
  void* made = allocate_bytes(count * element_bytes);
  if (made == nullptr) {
    return fail(ErrorCode::kOutOfMemory, parameter, text_of(count * element_bytes, " bytes"),
                "what memory is free");
  }
  release_bytes(data_);
  data_ = made;
  size_ = count;
  return {};
}

int64_t allocated_bytes() noexcept { return live_bytes; }
int64_t peak_bytes() noexcept { return most_bytes; }
void reset_peak_bytes() noexcept { most_bytes = live_bytes; }

}  // namespace posenc
