// What the tests of window biases share.
#pragma once

#include "posenc/core/operation.hpp"
#include "posenc/kernels/resample.hpp"
#include "reference/bias/window.hpp"
#include "support/bias.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc::testing {

inline std::vector<double> tensor_of(const Encoding& encoding, const char* name) {
  const ParameterSet& parameters = encoding.parameters();
  const auto values = parameters[parameters.find(name)].values.span();
  return {values.begin(), values.end()};
}

inline std::vector<float> floats_of(const OperationResult& result) {
  return {result.data.span().begin(), result.data.span().end()};
}

inline std::vector<int64_t> wide(const std::vector<int32_t>& x) { return {x.begin(), x.end()}; }

// Heights and widths: some shapes, lines of awkward lengths, and pairs of such lines.
inline std::vector<std::pair<int64_t, int64_t>> window_shapes() {
  std::vector<std::pair<int64_t, int64_t>> shapes = {{9, 1}, {3, 3}, {7, 7}, {2, 17}, {12, 11}};
  for (int64_t size : awkward_sizes()) {
    shapes.emplace_back(1, size);
    shapes.emplace_back(size, 2);
  }
  return shapes;
}

// A bias of a window against the table that it reads: all places, some of them in any order, and
// the gradient of the bias through to the sum over each index.
inline void check_window(const BiasEncoding& bias, const reference::Window& window,
                         const std::vector<double>& table, double bound) {
  const auto index = reference::window_index(window);
  const int64_t places = window.height * window.width + (window.class_token ? 1 : 0),
                heads = bias.heads();
  const Positions all = Positions::range(0, places);
  const auto out = written_out(bias, all, all);
  check_close(out, reference::looked_up(table, heads, index), bound, "bias");
  CHECK(written_out(bias, all, all, 7) == out);
  const std::vector<double> some{static_cast<double>(places - 1), 0,
                                 static_cast<double>(places / 2)};
  const auto rows = written_out(bias, Positions::array(some.data(), 3), all);
  for (int64_t h = 0; h < heads; h++) {
    for (std::size_t i = 0; i < some.size(); i++) {
      for (int64_t j = 0; j < places; j++) {
        const int64_t from = (h * places + static_cast<int64_t>(some[i])) * places + j;
        CHECK(rows[static_cast<std::size_t>((h * 3 + static_cast<int64_t>(i)) * places + j)] ==
              out[static_cast<std::size_t>(from)]);
      }
    }
  }
}

}  // namespace posenc::testing
