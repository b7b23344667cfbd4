#include "posenc/input/mlp.hpp"

#include <algorithm>

namespace posenc {

Status Mlp::prepare() noexcept {
  const Network network(parameters_, options_.activation);
  return scratch_.allocate(network.scratch_floats() + Network::kRows * options_.axes, "hidden");
}

PositionDomain Mlp::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.axes = static_cast<int>(options_.axes);
  return domain;
}

const float* Mlp::inputs(const Positions& positions, float* out) const noexcept {
  float* next = out;
  for (int64_t i = 0; i < positions.count; i++) {
    for (int axis = 0; axis < positions.axes; axis++) {
      *next++ = static_cast<float>(options_.input_scale * positions.at(i, axis));
    }
  }
  return out;
}

void Mlp::encode(const Positions& positions, float* out) const noexcept {
  const Network network(parameters_, options_.activation);
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    const float* x =
        inputs(positions.slice(first, rows), scratch_.data() + network.scratch_floats());
    network.forward(x, rows, scratch_.data(), out + first * options_.dim);
  }
}

void Mlp::backward(const Positions& positions, const float* d_out,
                   Gradients& gradients) const noexcept {
  const Network network(parameters_, options_.activation);
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    const float* x =
        inputs(positions.slice(first, rows), scratch_.data() + network.scratch_floats());
    network.forward(x, rows, scratch_.data(), nullptr);
    network.backward(x, rows, d_out + first * options_.dim, gradients, scratch_.data(), nullptr);
  }
}

}  // namespace posenc
