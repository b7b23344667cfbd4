// Attention with a relative encoding in the tests: what the library gives, beside the plain loops
// in double.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "attention/setup.hpp"
#include "posenc/core/adapters.hpp"
#include "reference/relative/terms.hpp"
#include "support/golden.hpp"
#include "support/input_rows.hpp"

namespace posenc::testing {

// The encoding behind the interface that attention uses. Parameters have new values of size 1.
template <typename T>
std::unique_ptr<RelativeEncoding> relative_encoding(typename T::Options options, uint64_t seed = 1);
void fill_parameters(Encoding& encoding, uint64_t seed);

struct RelativeRun {
  std::vector<double> out, dq, dk, dv;  // [batch, heads, seq, dim]
  std::vector<double> out_alone;        // of a call without lse, which may go another way
  std::vector<float> lse, raw, weights;
  std::vector<std::vector<float>>
      params;  // gradients of the encoding's tensors, in order; empty: not trained
};
RelativeRun run_relative(Setup& setup, Encoding& encoding);

// q, k, v and dout of a golden file; heads, lengths and widths from their shapes.
Setup golden_setup(const GoldenCase& golden);
// A boolean mask [q_len, k_len]: 1 takes part; `hidden` says the opposite.
void set_mask(Setup& setup, const GoldenTensor& mask, bool hidden);
// Positions of batch row 0.
std::vector<double> query_positions(const Setup& setup);
std::vector<double> key_positions(const Setup& setup);

// Checks what the library gives against the plain loops at sizes around tiles and vectors, with
// masks, groups of heads, batches, cached places, given positions. `make` makes the encoding for
// such a call; `terms` fills in offset and terms for the call, and `gradients` turns the loops'
// gradients into those of the encoding's tensors, in order.
struct RelativeChecks {
  std::function<std::unique_ptr<RelativeEncoding>(const Setup&, uint64_t seed)> make;
  std::function<void(const Setup&, const RelativeEncoding&, reference::RelativeAttention&)> terms;
  std::function<std::vector<std::vector<double>>(const Setup&, const RelativeEncoding&,
                                                 const reference::RelativeAttention&,
                                                 const reference::RelativeGradient&)>
      gradients;
  std::vector<int64_t> head_dims = {1, 3, 8, 20};
  bool groups = true;  // several query heads per key head
  bool given = true;   // positions given, not counted
  int64_t longest = 130;
};
void check_relative(const RelativeChecks& checks, const std::string& name);

template <typename T>
std::unique_ptr<RelativeEncoding> relative_encoding(typename T::Options options, uint64_t seed) {
  auto made = make<T>(std::move(options), seed);
  if (!made) return nullptr;
  auto adapted = std::make_unique<RelativeAdapter<T>>(std::move(*made));
  fill_parameters(*adapted, seed);
  return adapted;
}

}  // namespace posenc::testing
