// How errors cross to JavaScript: a call returns 0 or 1 + ErrorCode, one that makes an object
// returns address 0; code and texts of the last error are kept for posenc_error_code() and
// posenc_error_text().
#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "posenc/core/error.hpp"

namespace posenc::bindings {

inline constexpr int32_t kSuccess = 0;

// Keeps an error for the getters; returns what stands for the status in JavaScript.
int32_t report(Status status) noexcept;
// For what make() gives: report that there is no such thing, or no memory for it, and are 0.
uintptr_t unknown(TextRef parameter, TextRef received) noexcept;
uintptr_t no_memory(TextRef parameter) noexcept;

template <typename T>
int32_t report(const Result<T>& result) noexcept {
  return result ? kSuccess : report(std::unexpected(result.error()));
}

// The address of an object of its own for what a make() gave; 0, and its error reported, where it
// gave none.
template <typename T>
uintptr_t owned_result(Result<T>&& result) noexcept {
  if (report(result) != kSuccess) return 0;
  auto* object = new (std::nothrow) T(std::move(*result));
  return object == nullptr ? no_memory("posenc") : reinterpret_cast<uintptr_t>(object);
}

}  // namespace posenc::bindings
