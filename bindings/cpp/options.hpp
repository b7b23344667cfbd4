// Options as JavaScript hands them over: records one after the other, read by name. They serve
// encodings, attention, layers, caches and the arguments of operations alike, since all are
// described by fields.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/fields.hpp"

namespace posenc::bindings {

enum class OptionKind : int32_t {
  kNumber,
  kBoolean,
  kText,
  kList,
  kRefused,  // a value of a kind that no option has: always an error
  kGroup,    // an object of options: an error where the name is that of no group
};
inline constexpr const char* kOptionKindNames[] = {"number", "boolean", "text",
                                                   "list",   "refused", "group"};

struct OptionRecord {
  double number;     // or 0 and 1
  const char* name;  // name_bytes long
  const void* data;  // a text or what describes a refused value or a group, of `count` bytes; or
                     // `count` numbers
  uint32_t name_bytes;
  uint32_t count;
  OptionKind kind;
};
static_assert(sizeof(OptionRecord) == 32);

inline std::span<const OptionRecord> options_of(const OptionRecord* records,
                                                uint32_t count) noexcept {
  return {records, count};
}

// Checks each record as it comes and writes it into `options`, which `fields` describe and which
// holds its defaults.
Status read_options(Fields fields, void* options, std::span<const OptionRecord> records) noexcept;

}  // namespace posenc::bindings
