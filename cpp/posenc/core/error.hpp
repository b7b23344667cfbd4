// Errors are values: what was wrong with which parameter, what came, and what is allowed.
#pragma once

#include <array>
#include <cstdint>
#include <expected>

#include "posenc/core/text.hpp"

namespace posenc {

// The names of these codes are the string union `PosencErrorCode` in TypeScript.
enum class ErrorCode : uint8_t {
  kInvalidType,      // not a number, not an integer, wrong kind of value
  kOutOfRange,       // a number outside its allowed range
  kUnknownOption,    // a name that the call does not know, or that does not apply here
  kMissingOption,    // something required was not given
  kShapeMismatch,    // shapes that do not fit one another
  kOutsideDomain,    // a position that the encoding has no row or meaning for
  kTooLarge,         // a product of sizes beyond what can be addressed
  kOutOfMemory,      // the allocation failed
  kAliasing,         // output overlaps an input in a way that is not allowed
  kUnsupported,      // a combination that is not offered
};

inline constexpr std::array<const char*, 10> kErrorCodeNames = {
    "invalidType",   "outOfRange", "unknownOption", "missingOption", "shapeMismatch",
    "outsideDomain", "tooLarge",   "outOfMemory",   "aliasing",      "unsupported"};

struct Error {
  ErrorCode code;
  Text parameter;  // spelled as in the JavaScript call, e.g. "scaling.factor"
  Text received;
  Text allowed;
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// Not inline: it is called at every check, and a page downloads each copy of it.
std::unexpected<Error> fail(ErrorCode code, const Text& parameter, const Text& received,
                            const Text& allowed) noexcept;

}  // namespace posenc
