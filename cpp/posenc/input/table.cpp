#include "posenc/input/table.hpp"

namespace posenc {

void initialise_table(const void*, std::span<float> values, Random& random) noexcept {
  for (float& value : values) value = static_cast<float>(0.02 * random.normal());
}

void initialise_uniform(const void*, std::span<float> values, Random& random) noexcept {
  for (float& value : values) value = static_cast<float>(random.uniform());
}

float* gradient_of(const ParameterSet& parameters, const Gradients& gradients,
                   std::string_view name) noexcept {
  const int index = parameters.find(name);
  return index < 0 ? nullptr : gradients.of[static_cast<std::size_t>(index)];
}

}  // namespace posenc
