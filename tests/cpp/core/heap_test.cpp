#include "posenc/core/heap.hpp"

#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "posenc/core/random.hpp"

using posenc::Heap;

namespace {

constexpr uint64_t kUnits = 4096;
alignas(64) std::byte memory[kUnits * Heap::kUnit];
uint64_t used = 0;

void* more(uint32_t units) noexcept {
  if (used + units > kUnits) return nullptr;
  void* block = memory + used * Heap::kUnit;
  used += units;
  return block;
}

struct Taken {
  unsigned char* data;
  std::size_t bytes;
  unsigned char mark;
};

bool holds(const Taken& taken) {
  for (std::size_t i = 0; i < taken.bytes; i++) {
    if (taken.data[i] != taken.mark) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("heap: blocks are aligned, keep apart and are used again") {
  used = 0;
  Heap heap(more);
  posenc::Random random(7);
  std::vector<Taken> live;
  int refused = 0;
  for (int step = 0; step < 20000; step++) {
    const bool full = live.size() > 100;
    if (!live.empty() && (full || random.uniform() < 0.5)) {
      const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(live.size()));
      REQUIRE(holds(live[at]));
      heap.give_back(live[at].data);
      live[at] = live.back();
      live.pop_back();
      continue;
    }
    const double size = random.uniform();
    const auto bytes = static_cast<std::size_t>(size * size * size * 20000);
    auto* data = static_cast<unsigned char*>(heap.take(bytes));
    refused += data == nullptr ? 1 : 0;
    if (data == nullptr) continue;
    REQUIRE(reinterpret_cast<uintptr_t>(data) % Heap::kUnit == 0);
    REQUIRE(Heap::room(data) >= bytes);
    const auto mark = static_cast<unsigned char>(step);
    std::memset(data, mark, bytes);
    live.push_back({data, bytes, mark});
  }
  CHECK(refused > 0);
  CHECK(refused < 2000);
  for (const Taken& taken : live) {
    CHECK(holds(taken));
    heap.give_back(taken.data);
  }
  // All of it in one piece again, but for the header.
  const uint64_t before = used;
  CHECK(heap.take((before - 1) * Heap::kUnit) != nullptr);
  CHECK(used == before);
}

TEST_CASE("heap: what cannot be given is null, and nothing is lost") {
  used = 0;
  Heap heap(more);
  CHECK(heap.take(kUnits * Heap::kUnit) == nullptr);
  CHECK(heap.take(UINT32_MAX) == nullptr);
  CHECK(heap.take(uint64_t{1} << 32) == nullptr);
  CHECK(heap.take(UINT64_MAX) == nullptr);
  void* most = heap.take((kUnits - 1) * Heap::kUnit);
  REQUIRE(most != nullptr);
  CHECK(heap.take(0) == nullptr);
  heap.give_back(most);
  heap.give_back(nullptr);
  CHECK(heap.take(0) != nullptr);
}

TEST_CASE("heap: the last block grows in place") {
  used = 0;
  Heap heap(more);
  void* first = heap.take(100);
  void* second = heap.take(1000);
  heap.give_back(second);
  CHECK(heap.take(5000) == second);
  CHECK(used == 3 + 80);
  heap.give_back(first);
}
