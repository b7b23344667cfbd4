// Descriptions of call frames: which member of a plain struct stands where, so that the TypeScript
// that writes the struct is generated and cannot drift from it.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "posenc/core/fields.hpp"

namespace posenc::bindings {

// Positions of several rows of `count` tokens: start, start + 1, ... where `given` is null; else
// one array [count, axes] for all rows or, where per_row is 1, one per row. `present` 0: the call's
// own default.
struct PositionRows {
  const double* given;
  double start;
  int32_t count;
  int32_t axes;
  int32_t per_row;
  int32_t present;
};

enum class SlotType : uint8_t { kPointer, kInteger, kNumber, kPositions };
inline constexpr const char* kSlotTypeNames[] = {"pointer", "integer", "number", "positions"};

struct Slot {
  const char* name;
  SlotType type;
  void* (*member)(void* call);
};

struct CallInfo {
  const char* name;
  int32_t bytes;
  std::span<const Slot> slots;
};

template <typename T>
consteval SlotType slot_type() {
  if constexpr (std::is_pointer_v<T>)
    return SlotType::kPointer;
  else if constexpr (std::is_same_v<T, int32_t>)
    return SlotType::kInteger;
  else if constexpr (std::is_same_v<T, double>)
    return SlotType::kNumber;
  else {
    static_assert(std::is_same_v<T, PositionRows>, "no slot type for this member");
    return SlotType::kPositions;
  }
}

// slot<&InputCall::x>("x")
template <auto Member>
constexpr Slot slot(const char* name) {
  using Call = typename decltype(class_of(Member))::type;
  using Value = std::remove_cvref_t<decltype(std::declval<Call&>().*Member)>;
  return {.name = name, .type = slot_type<Value>(), .member = [](void* call) -> void* {
            return &(static_cast<Call*>(call)->*Member);
          }};
}

}  // namespace posenc::bindings
