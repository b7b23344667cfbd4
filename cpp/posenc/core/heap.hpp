// The heap of the wasm builds: blocks of whole 64-byte units, each with a header of one unit in front, free ones in lists
// by the power of two of their size and merged with free neighbours. A sixth of what the C library's would weigh, and
// exact up to the last byte of 4 GB: it counts in units, so no sum of an address and a size can wrap.
#pragma once

#include <cstdint>

namespace posenc {

class Heap {
 public:
  static constexpr uint64_t kUnit = 64;  // bytes; every block's alignment

  // `more` lengthens the memory by that many units and gives where they begin, behind all it gave before; null: no more.
  using More = void* (*)(uint32_t units) noexcept;
  explicit constexpr Heap(More more) noexcept : more_(more) {}

  void* take(uint64_t bytes) noexcept;  // null: out of memory
  void give_back(void* pointer) noexcept;
  // Bytes that a block has room for.
  static uint64_t room(const void* pointer) noexcept;

 private:
  struct Block {
    uint32_t units;   // with this header
    uint32_t before;  // units of the block in front; 0: this is the first
    bool used;
    Block *next, *previous;  // in its list, while it is free
  };
  static constexpr int kLists = 32;

  static Block* block_of(void* pointer) noexcept { return move(static_cast<Block*>(pointer), -1); }
  static Block* move(Block* block, int64_t units) noexcept {
    return reinterpret_cast<Block*>(reinterpret_cast<char*>(block) + units * static_cast<int64_t>(kUnit));
  }
  static int list_of(uint32_t units) noexcept;
  Block* find(uint32_t units) noexcept;
  Block* grow(uint32_t units) noexcept;
  void split(Block* block, uint32_t units) noexcept;
  void resize(Block* block, uint32_t units) noexcept;
  void link(Block* block) noexcept;
  void unlink(Block* block) noexcept;

  More more_;
  Block* last_ = nullptr;
  Block* lists_[kLists] = {};
};

}  // namespace posenc
