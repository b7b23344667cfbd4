// malloc and its like on the library's own heap (posenc/core/heap.hpp).
#include "posenc/core/heap.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <unistd.h>

namespace {

// What the stack and constants end at need not be aligned.
void* more(uint32_t units) noexcept {
  constexpr auto kUnit = static_cast<uintptr_t>(posenc::Heap::kUnit);
  const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
  const uintptr_t skipped = (kUnit - end % kUnit) % kUnit;
  const uint64_t bytes = units * uint64_t{kUnit} + skipped;
  if (bytes > UINTPTR_MAX - end) return nullptr;
  if (sbrk(static_cast<intptr_t>(bytes)) == reinterpret_cast<void*>(-1)) return nullptr;
  return reinterpret_cast<void*>(end + skipped);
}

constinit posenc::Heap heap(more);

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return heap.take(bytes); }
void free(void* pointer) { heap.give_back(pointer); }

void* calloc(std::size_t count, std::size_t size) {
  const uint64_t bytes = uint64_t{count} * size;
  void* block = heap.take(bytes);
  return block == nullptr ? nullptr : std::memset(block, 0, static_cast<std::size_t>(bytes));
}

void* realloc(void* pointer, std::size_t bytes) {
  if (pointer != nullptr && bytes <= posenc::Heap::room(pointer)) return pointer;
  void* block = heap.take(bytes);
  if (block == nullptr || pointer == nullptr) return block;
  std::memcpy(block, pointer, static_cast<std::size_t>(posenc::Heap::room(pointer)));
  heap.give_back(pointer);
  return block;
}

// No one here asks for more.
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return alignment <= posenc::Heap::kUnit ? heap.take(bytes) : nullptr;
}

}  // extern "C"
