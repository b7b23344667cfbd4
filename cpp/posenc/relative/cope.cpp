#include "posenc/relative/cope.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"

namespace posenc {

Status Cope::prepare() noexcept {
  terms_[0] = {.side = RelativeSide::kQuery,
               .lowest = 0,
               .highest = options_.max_positions - 1,
               .contextual = true,
               .gates_scaled = options_.gates == CopeGates::kScaled};
  return {};
}

void Cope::write(const RelativeRows& rows, float* out, float*, float*) const noexcept {
  const int64_t width = options_.head_dim;
  for (int64_t r = 0; r < rows.count; r++) {
    const int64_t row = std::clamp<int64_t>(rows.first + r, 0, options_.max_positions - 1);
    kernels::copy(parameters_[0].values.data() + row * width, width, out + r * width);
  }
}

void Cope::backward(const RelativeRows& rows, int64_t, const float* d_rows, const float*, float*,
                    Gradients& gradients) const noexcept {
  const int64_t width = options_.head_dim;
  float* d_table = gradients.of[0];
  if (d_table) kernels::add(d_rows, rows.count * width, d_table + rows.first * width);
}

}  // namespace posenc
