// A factor on the biases of each query that its content decides, whatever the key (WavLM's gated
// relative position bias).
//   z = x·W + b,  u = σ(Σ first half of z),  r = σ(Σ second half),  gate = u (r s_h - 1) + 2
// x is the query of the head, or rows that come with the call. Chi et al. 2022, "XLM-E",
// section 3.3.
#pragma once

#include <cstdint>

#include "posenc/core/parameters.hpp"

namespace posenc {

// What the gate is made of; weights are borrowed from the encoding.
struct ContentGate {
  int64_t dim = 0, width = 0;     // of a row x and of z
  bool reads_input = false;       // x comes with the call; else it is the query
  const float* weight = nullptr;  // [dim, width]
  const float* bias = nullptr;    // [width]
  const float* scale = nullptr;   // s [heads]
  int tensor =
      0;  // index of the weight among the encoding's tensors; those of bias and scale follow

  bool given() const noexcept { return weight != nullptr; }
};

struct GateRows {
  const float* data;
  int64_t stride, count;
};

// The gates of one head's rows; scratch is 2 · dim floats.
void open_gate(const ContentGate& gate, int64_t head, const GateRows& rows, float* scratch,
               float* gates) noexcept;
// Adds to `gradients` (or null) and to d_rows, rows `d_stride` apart (or null), what the gradients
// of gates say. A row whose gate has a gradient of 0 takes no part, whatever stands in it.
void differentiate_gate(const ContentGate& gate, int64_t head, const GateRows& rows,
                        const float* d_gates, float* scratch, float* d_rows, int64_t d_stride,
                        Gradients* gradients) noexcept;

}  // namespace posenc
