#include "posenc/bias/swin.hpp"

#include "posenc/kernels/lookup.hpp"

namespace posenc {

PositionDomain Swin::domain() const noexcept {
  return {
      .kind = DomainKind::kNaturals, .limit = static_cast<double>(window().places()), .axes = 1};
}

void Swin::begin(const BiasHead& head) const noexcept {
  kernels::take_column(parameters_[0].values.data(), window().rows(), options_.heads, head.head,
                       head.values);
  window().begin(head);
}

void Swin::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  if (gradients.of[0]) {
    kernels::add_to_column(head.sums, window().rows(), options_.heads, head.head, gradients.of[0]);
  }
}

Result<OperationResult> swin_index(const Swin& swin, const NoArguments&,
                                   OperationTensors) noexcept {
  return window_index(swin.window());
}

Result<OperationResult> swin_shift_mask(const Swin& swin, const ShiftMaskArguments& arguments,
                                        OperationTensors) noexcept {
  return shift_mask(swin.window(), arguments);
}

}  // namespace posenc
