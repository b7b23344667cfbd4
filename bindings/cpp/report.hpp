// How errors cross to JavaScript: a call returns 0 or 1 + ErrorCode, one that makes an object returns null; code and
// texts of the last error are kept for posenc_error_code() and posenc_error_text().
#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "posenc/core/error.hpp"

namespace posenc::bindings {

inline constexpr int32_t kSuccess = 0;

// Keeps an error for the getters; returns what stands for the status in JavaScript.
int32_t report(Status status) noexcept;
// That there is no memory for an object.
void report_no_memory(TextRef parameter) noexcept;

template <typename T>
int32_t report(const Result<T>& result) noexcept {
  return result ? kSuccess : report(std::unexpected(result.error()));
}

// Moves `value` into an object of its own; null, and reported, when memory is out.
template <typename Handle, typename T>
Handle* owned(T&& value) noexcept {
  auto* handle = new (std::nothrow) Handle(std::forward<T>(value));
  if (handle == nullptr) report_no_memory("posenc");
  return handle;
}

// The same for what a make() gave; its error is reported.
template <typename Handle, typename T>
Handle* owned_result(Result<T>&& result) noexcept {
  if (result) return owned<Handle>(std::move(*result));
  report(result);
  return nullptr;
}

}  // namespace posenc::bindings
