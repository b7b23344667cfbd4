#include "posenc/input/state_chain.hpp"

#include <cstring>

namespace posenc {

Status StateChain::prepare(int64_t length, int64_t width, const ParameterSet& parameters) noexcept {
  const Result<int64_t> floats = checked_product(length, width, "maxLength");
  if (!floats) return std::unexpected(floats.error());
  width_ = width;
  known_ = 0;
  for (Buffer<float>* buffer : {&states_, &gradients_, &parameters_}) {
    if (Status status = buffer->allocate(
            buffer == &parameters_ ? parameters.total_elements() : *floats, "maxLength");
        !status)
      return status;
  }
  return {};
}

bool StateChain::same_as(const ParameterSet& parameters) const noexcept {
  if (known_ == 0) return false;
  const float* held = parameters_.data();
  for (int i = 0; i < parameters.count(); i++) {
    const auto size = static_cast<std::size_t>(parameters[i].values.size());
    if (std::memcmp(held, parameters[i].values.data(), size * sizeof(float)) != 0) return false;
    held += size;
  }
  return true;
}

void StateChain::begin(const ParameterSet& parameters) noexcept {
  float* held = parameters_.data();
  for (int i = 0; i < parameters.count(); i++) {
    kernels::copy(parameters[i].values.data(), parameters[i].values.size(), held);
    held += parameters[i].values.size();
  }
  kernels::copy(parameters.values("start"), width_, states_.data());
  known_ = 1;
}

}  // namespace posenc
