// Errors are values: what was wrong with which parameter, what came, and what is allowed.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string_view>

#include "posenc/core/text.hpp"

namespace posenc {

// The names of these codes are the string union `PosencErrorCode` in TypeScript.
enum class ErrorCode : uint8_t {
  kInvalidType,    // not a number, not an integer, wrong kind of value
  kOutOfRange,     // a number outside its allowed range
  kUnknownOption,  // a name that the call does not know, or that does not apply here
  kMissingOption,  // something required was not given
  kShapeMismatch,  // shapes that do not fit one another
  kOutsideDomain,  // a position that the encoding has no row or meaning for
  kTooLarge,       // a product of sizes beyond what can be addressed
  kOutOfMemory,    // the allocation failed
  kAliasing,       // output overlaps an input in a way that is not allowed
  kUnsupported,    // a combination that is not offered
};

inline constexpr std::array<const char*, 10> kErrorCodeNames = {
    "invalidType",   "outOfRange", "unknownOption", "missingOption", "shapeMismatch",
    "outsideDomain", "tooLarge",   "outOfMemory",   "aliasing",      "unsupported"};

// What is known of a failure. Functions hand it up by the dozen, so it is a pointer, and a Status
// with it: the texts stand where fail() wrote them, of which each thread has room for the last
// kErrorsKept. Copy what is to stay longer.
class Error {
 public:
  ErrorCode code() const noexcept { return record_->code; }
  std::string_view parameter() const noexcept {
    return record_->texts[0];
  }  // as in the JavaScript call: "scaling.factor"
  std::string_view received() const noexcept { return record_->texts[1]; }
  std::string_view allowed() const noexcept { return record_->texts[2]; }

 private:
  struct Record {
    ErrorCode code;
    char texts[3][Text::kCapacity + 1];
  };
  friend class Status;
  friend std::unexpected<Error> fail(ErrorCode code, TextRef parameter, TextRef received,
                                     TextRef allowed) noexcept;
  constexpr explicit Error(const Record* record) noexcept : record_(record) {}

  const Record* record_;
};
inline constexpr int kErrorsKept = 8;

template <typename T>
using Result = std::expected<T, Error>;

// Success, or an error: what std::expected<void, Error> is, in one register.
class [[nodiscard]] Status {
 public:
  constexpr Status() noexcept : error_(nullptr) {}
  Status(std::unexpected<Error> failure) noexcept : error_(failure.error()) {}

  bool has_value() const noexcept { return error_.record_ == nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  const Error& error() const noexcept { return error_; }  // of a failure

 private:
  Error error_;
};

// Not inline: it is called at every check.
std::unexpected<Error> fail(ErrorCode code, TextRef parameter, TextRef received,
                            TextRef allowed) noexcept;

}  // namespace posenc
