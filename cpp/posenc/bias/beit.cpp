#include "posenc/bias/beit.hpp"

#include "posenc/kernels/lookup.hpp"

namespace posenc {

PositionDomain Beit::domain() const noexcept {
  return {
      .kind = DomainKind::kNaturals, .limit = static_cast<double>(window().places()), .axes = 1};
}

void Beit::begin(const BiasHead& head) const noexcept {
  kernels::take_column(parameters_[0].values.data(), window().rows(), options_.heads, head.head,
                       head.values);
  window().begin(head);
}

void Beit::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  if (gradients.of[0]) {
    kernels::add_to_column(head.sums, window().rows(), options_.heads, head.head, gradients.of[0]);
  }
}

Result<OperationResult> beit_index(const Beit& beit, const NoArguments&,
                                   OperationTensors) noexcept {
  return window_index(beit.window());
}

}  // namespace posenc
