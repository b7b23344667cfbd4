// Masks on a row of scores. A hidden score becomes -inf whatever it was, NaN included. All return
// whether they hid any.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// Hides where seen is 0.
bool hide_false(const uint8_t* seen, int64_t count, float* scores) noexcept;
// Hides where segments differ from `own`.
bool hide_others(const int32_t* segments, int32_t own, int64_t count, float* scores) noexcept;
// scores += mask; hides where mask is -inf. A sum of finite numbers stays finite: it masks nothing.
bool add_mask(const float* mask, int64_t count, float* scores) noexcept;

}  // namespace posenc::kernels
