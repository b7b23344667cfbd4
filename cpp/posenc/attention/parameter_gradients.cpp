#include "posenc/attention/parameter_gradients.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc::attn {

// Calls body(encoding, tensor, number of elements) for each that is wanted.
template <typename Body>
void ParameterGradients::for_tensors(Body body) noexcept {
  if (!wanted()) return;
  for (std::size_t e = 0; e < encodings_.size(); e++) {
    const ParameterSet& parameters = encodings_[e]->parameters();
    for (int t = 0; t < parameters.count(); t++) {
      const auto tensor = static_cast<std::size_t>(t);
      if (of_[e].of[tensor]) body(e, tensor, parameters[t].values.size());
    }
  }
}

void ParameterGradients::lay_out(Carver& carver) noexcept {
  std::fill(parts_.begin(), parts_.end(), Gradients{});
  for_tensors(
      [&](std::size_t e, std::size_t t, int64_t size) { parts_[e].of[t] = carver.take(size); });
}

void ParameterGradients::clear() noexcept {
  const std::size_t count = encodings_.size();
  for_tensors([&](std::size_t e, std::size_t t, int64_t size) {
    for (std::size_t entry = e; entry < of_.size(); entry += count)
      std::fill_n(of_[entry].of[t], size, 0.0F);
  });
}

void ParameterGradients::begin_head() noexcept {
  for_tensors([&](std::size_t e, std::size_t t, int64_t size) {
    std::fill_n(parts_[e].of[t], size, 0.0F);
  });
}

void ParameterGradients::end_head(int64_t index) noexcept {
  const std::size_t first = each_head_ ? static_cast<std::size_t>(index) * encodings_.size() : 0;
  for_tensors([&](std::size_t e, std::size_t t, int64_t size) {
    kernels::add(parts_[e].of[t], size, of_[first + e].of[t]);
  });
}

}  // namespace posenc::attn
