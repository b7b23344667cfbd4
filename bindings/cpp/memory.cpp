// Memory for JavaScript: staging blocks and heap tensors, from the library's one allocator.
#include "posenc/core/memory.hpp"

#include <emscripten/emscripten.h>

#include "calls.hpp"
#include "posenc/kernels/simd.hpp"

namespace {

alignas(double) constinit std::byte frame[posenc::bindings::kFrameBytes] = {};

}  // namespace

extern "C" {

// 0 when memory is out.
EMSCRIPTEN_KEEPALIVE void* posenc_allocate(double bytes) {
  return posenc::allocate_bytes(static_cast<int64_t>(bytes));
}
EMSCRIPTEN_KEEPALIVE void posenc_release(void* block) { posenc::release_bytes(block); }
EMSCRIPTEN_KEEPALIVE double posenc_allocated() {
  return static_cast<double>(posenc::allocated_bytes());
}
// Where call frames are written (calls.hpp).
EMSCRIPTEN_KEEPALIVE void* posenc_frame() { return frame; }
EMSCRIPTEN_KEEPALIVE const char* posenc_variant() { return posenc::simd::kVariant; }

}  // extern "C"
