// 16-bit floats in and out.
#include "posenc/kernels/half.hpp"

#include <emscripten/emscripten.h>

extern "C" {

EMSCRIPTEN_KEEPALIVE void posenc_from_half(const uint16_t* x, int32_t count, int32_t bfloat,
                                           float* out) {
  if (bfloat != 0)
    posenc::kernels::widen_bf16(x, count, out);
  else
    posenc::kernels::widen_f16(x, count, out);
}

EMSCRIPTEN_KEEPALIVE void posenc_to_half(const float* x, int32_t count, int32_t bfloat,
                                         uint16_t* out) {
  if (bfloat != 0)
    posenc::kernels::narrow_bf16(x, count, out);
  else
    posenc::kernels::narrow_f16(x, count, out);
}

}  // extern "C"
