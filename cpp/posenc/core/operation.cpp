#include "posenc/core/operation.hpp"

#include <cmath>

namespace posenc {

Status check_float_position(double position, TextRef parameter, int64_t index) noexcept {
  if (std::abs(position) <= kLargestFloatPosition) return {};
  Text received = text_of("position ", position);
  if (index >= 0) received.append(" at index ").append(index);
  return fail(ErrorCode::kOutOfRange, parameter, received,
              text_of("positions up to ", kLargestFloatPosition));
}

}  // namespace posenc
