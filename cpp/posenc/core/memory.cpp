#include "posenc/core/memory.hpp"

#include <cstdint>
#include <cstdlib>

namespace posenc {
namespace {

// The size stands in front of each block, in a header as wide as the alignment.
struct Header {
  int64_t bytes;
};
int64_t live_bytes = 0, most_bytes = 0;

}  // namespace

void* allocate_bytes(int64_t bytes) noexcept {
  constexpr auto kHeader = static_cast<int64_t>(kAlignment);
  // No object is larger than what pointers can differ by.
  constexpr uint64_t kMost = PTRDIFF_MAX - 2 * kAlignment;
  if (bytes < 0 || static_cast<uint64_t>(bytes) > kMost) return nullptr;
  const int64_t rounded = (bytes + kHeader - 1) / kHeader * kHeader + kHeader;
  auto* block =
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(rounded)));
  if (block == nullptr) return nullptr;
  reinterpret_cast<Header*>(block)->bytes = rounded;
  live_bytes += rounded;
  if (live_bytes > most_bytes) most_bytes = live_bytes;
  return block + kHeader;
}

Status allocate_elements(int64_t count, int64_t size, TextRef parameter, void*& block) noexcept {
  if (count < 0 || count > kMaxElements) {
    return fail(ErrorCode::kTooLarge, parameter, text_of(count, " elements"),
                text_of("at most ", kMaxElements, " elements"));
  }
  block = allocate_bytes(count * size);
  if (block) return {};
  return fail(ErrorCode::kOutOfMemory, parameter, text_of(count * size, " bytes"),
              "what memory is free");
}

void release_bytes(void* pointer) noexcept {
  if (pointer == nullptr) return;
  auto* block = static_cast<std::byte*>(pointer) - kAlignment;
  live_bytes -= reinterpret_cast<Header*>(block)->bytes;
  std::free(block);
}

int64_t allocated_bytes() noexcept { return live_bytes; }
int64_t peak_bytes() noexcept { return most_bytes; }
void reset_peak_bytes() noexcept { most_bytes = live_bytes; }

}  // namespace posenc
