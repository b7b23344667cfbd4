#include "posenc/core/heap.hpp"

#include <bit>

namespace posenc {

void* Heap::take(uint64_t bytes) noexcept {
  const uint64_t wanted = (bytes + kUnit - 1) / kUnit + 1;
  if (bytes > UINT32_MAX) return nullptr;
  const auto units = static_cast<uint32_t>(wanted);
  Block* block = find(units);
  if (block == nullptr) block = grow(units);
  if (block == nullptr) return nullptr;
  block->used = true;
  split(block, units);
  return move(block, 1);
}

void Heap::give_back(void* pointer) noexcept {
  if (pointer == nullptr) return;
  Block* block = block_of(pointer);
  block->used = false;
  if (block != last_) {
    Block* behind = move(block, block->units);
    if (!behind->used) {
      unlink(behind);
      if (behind == last_) last_ = block;
      resize(block, block->units + behind->units);
    }
  }
  Block* front = move(block, -static_cast<int64_t>(block->before));
  if (block->before != 0 && !front->used) {
    unlink(front);
    if (block == last_) last_ = front;
    resize(front, front->units + block->units);
    block = front;
  }
  link(block);
}

uint64_t Heap::room(const void* pointer) noexcept {
  return (block_of(const_cast<void*>(pointer))->units - uint64_t{1}) * kUnit;
}

// Blocks of list i have 2^i units or more, and fewer than 2^(i + 1).
int Heap::list_of(uint32_t units) noexcept { return std::bit_width(units) - 1; }

// The first that is large enough, out of its list.
Heap::Block* Heap::find(uint32_t units) noexcept {
  for (int list = list_of(units); list < kLists; list++) {
    for (Block* block = lists_[list]; block != nullptr; block = block->next) {
      if (block->units < units) continue;
      unlink(block);
      return block;
    }
  }
  return nullptr;
}

// A block at the end of memory; where the last one is free, that one made longer.
Heap::Block* Heap::grow(uint32_t units) noexcept {
  Block* tail = last_ != nullptr && !last_->used ? last_ : nullptr;
  auto* fresh = static_cast<Block*>(more_(tail ? units - tail->units : units));
  if (fresh == nullptr) return nullptr;
  if (tail) {
    unlink(tail);
    tail->units = units;
    return tail;
  }
  fresh->before = last_ ? last_->units : 0;
  fresh->units = units;
  last_ = fresh;
  return fresh;
}

// Frees what a block has beyond `units`, if that is room for something.
void Heap::split(Block* block, uint32_t units) noexcept {
  const uint32_t rest = block->units - units;
  if (rest < 2) return;
  Block* behind = move(block, units);
  behind->used = false;
  if (block == last_) last_ = behind;
  block->units = units;
  behind->before = units;
  resize(behind, rest);
  link(behind);
}

// Tells the block behind, too.
void Heap::resize(Block* block, uint32_t units) noexcept {
  block->units = units;
  if (block != last_) move(block, units)->before = units;
}

void Heap::link(Block* block) noexcept {
  Block*& head = lists_[list_of(block->units)];
  block->previous = nullptr;
  block->next = head;
  if (head != nullptr) head->previous = block;
  head = block;
}

void Heap::unlink(Block* block) noexcept {
  if (block->next != nullptr) block->next->previous = block->previous;
  if (block->previous != nullptr) block->previous->next = block->next;
  else lists_[list_of(block->units)] = block->next;
}

}  // namespace posenc
