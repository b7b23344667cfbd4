#include "posenc/core/bias_head.hpp"

namespace posenc {

Status check_relations(const int32_t* ids, int64_t count, int64_t known,
                       TextRef parameter) noexcept {
  for (int64_t i = 0; i < count; i++) {
    if (ids[i] >= 0 && ids[i] < known) continue;
    return fail(ErrorCode::kOutOfRange, parameter, text_of(int64_t{ids[i]}, " at index ", i),
                text_of("0 to ", known - 1));
  }
  return {};
}

}  // namespace posenc
