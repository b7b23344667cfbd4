#include "posenc/input/flow.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

// Of the classical method: where in the step a stage looks, and its share of the sum.
constexpr double kAt[] = {0, 0.5, 0.5, 1};
constexpr double kShare[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

}  // namespace

void initialise_flow_layer(const void* options, std::span<float> values, Random& random) noexcept {
  initialise_layer(values, static_cast<const FlowOptions*>(options)->dim + 1, random);
}

void initialise_flow_start(const void*, std::span<float> values, Random& random) noexcept {
  for (float& value : values) value = static_cast<float>(random.normal());
}

Status Flow::prepare() noexcept {
  const Network network(parameters_, options_.activation);
  const int64_t floats =
      4 * (2 * options_.dim + 1) + 2 * (options_.dim + 1) + network.scratch_floats();
  if (Status status = scratch_.allocate(floats, "hidden"); !status) return status;
  range_ = {0, static_cast<double>(options_.max_length - 1)};
  return chain_.prepare((options_.max_length - 1) * options_.steps + 1, options_.dim, parameters_);
}

PositionDomain Flow::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.ranges = &range_;
  return domain;
}

Flow::Place Flow::place_of(double position) const noexcept {
  const double at = position * static_cast<double>(options_.steps), whole = std::floor(at);
  return {static_cast<int64_t>(whole), at - whole};
}

int64_t Flow::last_of(const Positions& positions) const noexcept {
  int64_t last = -1;
  for (int64_t i = 0; i < positions.count; i++)
    last = std::max(last, place_of(positions.at(i)).steps);
  return last;
}

void Flow::stages(int64_t n, const float* state, double h) const noexcept {
  const Network network(parameters_, options_.activation);
  const int64_t dim = options_.dim;
  for (int64_t i = 0; i < 4; i++) {
    float* y = point(i);
    if (i == 0)
      kernels::copy(state, dim, y);
    else
      kernels::scale_add(slope(i - 1), static_cast<float>(h * kAt[i]), state, dim, y);
    y[dim] = static_cast<float>(static_cast<double>(n) * step_length() + h * kAt[i]);
    network.forward(y, 1, network_scratch(), slope(i));
  }
}

void Flow::step(int64_t n, const float* state, double h, float* next) const noexcept {
  stages(n, state, h);
  kernels::copy(state, options_.dim, next);
  for (int64_t i = 0; i < 4; i++) {
    kernels::scale_add(slope(i), static_cast<float>(h * kShare[i]), next, options_.dim, next);
  }
}

// With k_i = f(y_i), y_i = y + h a_i k_{i-1}: the gradient of k_i is h b_i d_next + h a_{i+1}
// d_y_{i+1}, and each d_y_i adds to that of the state.
void Flow::step_back(int64_t n, const float* state, double h, const float* d_next, float* d_state,
                     const Gradients& gradients) const noexcept {
  const Network network(parameters_, options_.activation);
  const int64_t dim = options_.dim;
  stages(n, state, h);
  float *d_slope = slope(4), *d_point = d_slope + dim + 1;
  kernels::add(d_next, dim, d_state);
  for (int64_t i = 3; i >= 0; i--) {
    kernels::scale(d_next, static_cast<float>(h * kShare[i]), dim, d_slope);
    if (i < 3)
      kernels::scale_add(d_point, static_cast<float>(h * kAt[i + 1]), d_slope, dim, d_slope);
    network.forward(point(i), 1, network_scratch(), nullptr);
    network.backward(point(i), 1, d_slope, gradients, network_scratch(), d_point);
    kernels::add(d_point, dim, d_state);
  }
}

void Flow::reach(int64_t last) const noexcept {
  chain_.reach(parameters_, last, [&](int64_t n, const float* state, float* next) {
    step(n, state, step_length(), next);
  });
}

void Flow::encode(const Positions& positions, float* out) const noexcept {
  reach(last_of(positions));
  for (int64_t i = 0; i < positions.count; i++, out += options_.dim) {
    const Place place = place_of(positions.at(i));
    const float* state = chain_.state(place.steps);
    if (place.rest == 0)
      kernels::copy(state, options_.dim, out);
    else
      step(place.steps, state, place.rest * step_length(), out);
  }
}

void Flow::backward(const Positions& positions, const float* d_out,
                    Gradients& gradients) const noexcept {
  const int64_t last = last_of(positions), dim = options_.dim;
  if (last < 0) return;
  reach(last);
  chain_.clear(last);
  for (int64_t i = 0; i < positions.count; i++, d_out += dim) {
    const Place place = place_of(positions.at(i));
    float* d_state = chain_.gradient(place.steps);
    if (place.rest == 0)
      kernels::add(d_out, dim, d_state);
    else
      step_back(place.steps, chain_.state(place.steps), place.rest * step_length(), d_out, d_state,
                gradients);
  }
  chain_.back(last, [&](int64_t n, const float* state, const float* d_next, float* d_state) {
    step_back(n, state, step_length(), d_next, d_state, gradients);
  });
  if (float* d_start = gradient_of(parameters_, gradients, "start"))
    kernels::add(chain_.gradient(0), dim, d_start);
}

}  // namespace posenc
