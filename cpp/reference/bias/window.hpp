// Window biases as Swin's, Swin v2's and BEiT's code writes them, plain loops in double.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/bias/lookup.hpp"

namespace posenc::reference {

struct Window {
  int64_t height, width;
  bool class_token = false;
};

// [places, places], by coordinates of each pair.
std::vector<int64_t> window_index(const Window& window);

// Swin v2: coordinates [offsets, 2], and the numbers of all offsets, [offsets, heads].
struct WindowNetwork {
  Window window;
  int64_t pretrained_height, pretrained_width;  // 0: the window's
  int64_t heads, hidden;
  std::vector<double> w1, b1, w2;  // [hidden, 2], [hidden], [heads, hidden]
};
std::vector<double> window_coordinates(const WindowNetwork& network);
std::vector<double> window_network(const WindowNetwork& network);

struct WindowNetworkGradient {
  std::vector<double> w1, b1, w2;
};
// For the gradient of those numbers, [offsets, heads].
WindowNetworkGradient window_network_backward(const WindowNetwork& network,
                                              const std::vector<double>& d_table);

// Swin's mask, [windows, places, places]: regions are numbered by slices of the rolled image, as
// the authors do.
std::vector<double> shift_mask(const Window& window, int64_t height, int64_t width,
                               int64_t shift_height, int64_t shift_width, double hidden);

}  // namespace posenc::reference
