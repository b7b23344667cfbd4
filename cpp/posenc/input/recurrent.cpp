#include "posenc/input/recurrent.hpp"

#include "posenc/input/table.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

using kernels::Activation;

int64_t last_of(const Positions& positions) noexcept {
  return static_cast<int64_t>(length_reached(positions)) - 1;
}

// out = x ⊙ y
void product(const float* x, const float* y, int64_t count, float* out) noexcept {
  std::fill_n(out, count, 0.0F);
  kernels::add_product(x, y, count, out);
}

}  // namespace

void initialise_cell(const void* options, std::span<float> values, Random& random) noexcept {
  initialise_layer(values, static_cast<const RecurrentOptions*>(options)->dim, random);
}

Status Recurrent::prepare() noexcept {
  if (Status status = scratch_.allocate(12 * options_.dim, "dim"); !status) return status;
  return chain_.prepare(options_.max_length, options_.dim, parameters_);
}

PositionDomain Recurrent::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.limit = static_cast<double>(options_.max_length);
  return domain;
}

Recurrent::Step Recurrent::step_scratch() const noexcept {
  float* at = scratch_.data();
  const int64_t dim = options_.dim;
  return {at, at + dim, at + 2 * dim, at + 3 * dim, at + 4 * dim, at + 5 * dim, at + 6 * dim};
}

kernels::Dense Recurrent::layer(const char* weight, const char* bias) const noexcept {
  return {parameters_.values(weight), parameters_.values(bias), options_.dim, options_.dim};
}

// Sums and values of the gates, and the new state before it is mixed with the old one.
void Recurrent::gates(const Step& s, const float* state) const noexcept {
  const int64_t dim = options_.dim;
  if (options_.cell == RecurrentCell::kRnn) {
    kernels::dense(layer("weightNew", "biasNew"), state, 1, s.new_sum);
  } else {
    kernels::dense(layer("weightReset", "biasReset"), state, 1, s.reset_sum);
    kernels::dense(layer("weightUpdate", "biasUpdate"), state, 1, s.update_sum);
    kernels::dense(layer("weightNew", "biasGated"), state, 1, s.gated);
    kernels::activate(Activation::kSigmoid, s.reset_sum, dim, s.reset);
    kernels::activate(Activation::kSigmoid, s.update_sum, dim, s.update);
    kernels::copy(parameters_.values("biasNew"), dim, s.new_sum);
    kernels::add_product(s.reset, s.gated, dim, s.new_sum);
  }
  kernels::activate(Activation::kTanh, s.new_sum, dim, s.fresh);
}

void Recurrent::step(const float* state, float* next) const noexcept {
  const int64_t dim = options_.dim;
  const Step s = step_scratch();
  gates(s, state);
  kernels::copy(s.fresh, dim, next);
  if (options_.cell == RecurrentCell::kRnn) return;
  float* difference = s.gated;  // h - n
  kernels::scale_add(s.fresh, -1, state, dim, difference);
  kernels::add_product(s.update, difference, dim, next);
}

void Recurrent::layer_back(const char* weight, const char* bias, const float* state,
                           const float* d_sum, const Gradients& gradients,
                           float* d_state) const noexcept {
  float* d_input = scratch_.data() + 11 * options_.dim;
  kernels::dense_backward(layer(weight, bias), state, d_sum, 1,
                          {gradient_of(parameters_, gradients, weight),
                           gradient_of(parameters_, gradients, bias), d_input});
  kernels::add(d_input, options_.dim, d_state);
}

void Recurrent::step_back(const float* state, const float* d_next, float* d_state,
                          const Gradients& gradients) const noexcept {
  const int64_t dim = options_.dim;
  const Step s = step_scratch();
  gates(s, state);
  float *d_new = s.fresh + dim, *d_update = d_new + dim, *d_reset = d_update + dim,
        *d_gated = d_reset + dim;
  if (options_.cell == RecurrentCell::kRnn) {
    kernels::copy(d_next, dim, d_new);
    kernels::activate_backward(Activation::kTanh, s.new_sum, dim, d_new);
    return layer_back("weightNew", "biasNew", state, d_new, gradients, d_state);
  }
  kernels::add_product(d_next, s.update, dim, d_state);  // the part of h that stays
  float* difference = d_reset;
  kernels::scale_add(s.fresh, -1, state, dim, difference);
  product(d_next, difference, dim, d_update);
  kernels::activate_backward(Activation::kSigmoid, s.update_sum, dim, d_update);

  product(d_next, s.update, dim, d_reset);
  kernels::scale_add(d_reset, -1, d_next, dim, d_new);  // d_next ⊙ (1 - z)
  kernels::activate_backward(Activation::kTanh, s.new_sum, dim, d_new);
  product(d_new, s.gated, dim, d_reset);
  kernels::activate_backward(Activation::kSigmoid, s.reset_sum, dim, d_reset);
  product(d_new, s.reset, dim, d_gated);

  if (float* d_bias = gradient_of(parameters_, gradients, "biasNew"))
    kernels::add(d_new, dim, d_bias);
  layer_back("weightReset", "biasReset", state, d_reset, gradients, d_state);
  layer_back("weightUpdate", "biasUpdate", state, d_update, gradients, d_state);
  layer_back("weightNew", "biasGated", state, d_gated, gradients, d_state);
}

void Recurrent::reach(int64_t last) const noexcept {
  chain_.reach(parameters_, last,
               [&](int64_t, const float* state, float* next) { step(state, next); });
}

void Recurrent::encode(const Positions& positions, float* out) const noexcept {
  reach(last_of(positions));
  for (int64_t i = 0; i < positions.count; i++) {
    kernels::copy(chain_.state(static_cast<int64_t>(positions.at(i))), options_.dim,
                  out + i * options_.dim);
  }
}

void Recurrent::backward(const Positions& positions, const float* d_out,
                         Gradients& gradients) const noexcept {
  const int64_t last = last_of(positions), dim = options_.dim;
  if (last < 0) return;
  reach(last);
  chain_.clear(last);
  for (int64_t i = 0; i < positions.count; i++) {
    kernels::add(d_out + i * dim, dim, chain_.gradient(static_cast<int64_t>(positions.at(i))));
  }
  chain_.back(last, [&](int64_t, const float* state, const float* d_next, float* d_state) {
    step_back(state, d_next, d_state, gradients);
  });
  if (float* d_start = gradient_of(parameters_, gradients, "start"))
    kernels::add(chain_.gradient(0), dim, d_start);
}

}  // namespace posenc
