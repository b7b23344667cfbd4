#include "report.hpp"

#include <emscripten/emscripten.h>

extern "C" int32_t posenc_error_code();

namespace posenc::bindings {
namespace {

constinit Status last;

std::string_view part(int32_t which) noexcept {
  if (which == 0) return last.error().parameter();
  return which == 1 ? last.error().received() : last.error().allowed();
}

}  // namespace

int32_t report(Status status) noexcept {
  if (status) return kSuccess;
  last = status;
  return posenc_error_code();
}

uintptr_t unknown(TextRef parameter, TextRef received) noexcept {
  report(fail(ErrorCode::kUnknownOption, parameter, received, "one that this module has"));
  return 0;
}
uintptr_t no_memory(TextRef parameter) noexcept {
  report(fail(ErrorCode::kOutOfMemory, parameter, "an object", "what memory is free"));
  return 0;
}

}  // namespace posenc::bindings

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_error_code() {
  return 1 + static_cast<int32_t>(posenc::bindings::last.error().code());
}
// which: 0 parameter, 1 received, 2 allowed; UTF-8, not terminated.
EMSCRIPTEN_KEEPALIVE const char* posenc_error_text(int32_t which) {
  return posenc::bindings::part(which).data();
}
EMSCRIPTEN_KEEPALIVE int32_t posenc_error_length(int32_t which) {
  return static_cast<int32_t>(posenc::bindings::part(which).size());
}

}  // extern "C"
