// A network of one number: y(x) = offset + Σ_u out_u · max(0, slope_u · x + start_u), a line with
// `width` hinges.
#pragma once

#include <cstdint>

namespace posenc::kernels {

struct Hinges {
  int64_t width;
  const float *slopes, *starts, *outs;  // [width]
  float offset;
};
// y[i] for `count` numbers x[i]
void hinges(const Hinges& line, const float* x, int64_t count, float* y) noexcept;

// Where the gradients of the three lists are added; any of them may be null.
struct HingeGradients {
  float *slopes, *starts, *outs;
};
// From the gradient of y: adds to `gradients` and writes that of x. At the hinge itself the slope
// counts as 0.
void hinges_backward(const Hinges& line, const float* x, int64_t count, const float* d_y,
                     const HingeGradients& gradients, float* d_x) noexcept;

}  // namespace posenc::kernels
