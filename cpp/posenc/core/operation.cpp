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

Status OperationResult::allocate(const Shape& wanted, TextRef parameter) noexcept {
  shape = wanted;
  const Result<int64_t> count = element_count(shape, parameter);
  return count ? data.allocate(*count, parameter) : std::unexpected(count.error());
}

Result<OperationResult> OperationResult::make(const Shape& shape, TextRef parameter) noexcept {
  Result<OperationResult> result;
  if (Status status = result->allocate(shape, parameter); !status)
    return std::unexpected(status.error());
  return result;
}

Status OperationResult::append(const Shape& more, TextRef parameter) noexcept {
  std::unique_ptr<OperationResult>* end = &next;
  while (*end) end = &(*end)->next;
  end->reset(new (std::nothrow) OperationResult());
  if (*end) return (*end)->allocate(more, parameter);
  return fail(ErrorCode::kOutOfMemory, parameter, "a result", "what memory is free");
}

}  // namespace posenc
