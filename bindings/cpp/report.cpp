#include "report.hpp"

#include <emscripten/emscripten.h>

namespace posenc::bindings {
namespace {

constinit Error last = {};

int32_t status_of(const Error& error) noexcept { return 1 + static_cast<int32_t>(error.code); }

const Text& part(int32_t which) noexcept {
  if (which == 0) return last.parameter;
  return which == 1 ? last.received : last.allowed;
}

}  // namespace

int32_t report(const Error& error) noexcept {
  last = error;
  return status_of(error);
}

}  // namespace posenc::bindings

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_error_code() {
  return posenc::bindings::status_of(posenc::bindings::last);
}
// which: 0 parameter, 1 received, 2 allowed; UTF-8, not terminated.
EMSCRIPTEN_KEEPALIVE const char* posenc_error_text(int32_t which) {
  return posenc::bindings::part(which).view().data();
}
EMSCRIPTEN_KEEPALIVE int32_t posenc_error_length(int32_t which) {
  return static_cast<int32_t>(posenc::bindings::part(which).view().size());
}

}  // extern "C"
