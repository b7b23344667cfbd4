#include "reference/bias/window.hpp"

#include <cmath>

namespace posenc::reference {
namespace {

struct Hidden {
  double before, after;
};

Hidden hidden_of(const WindowNetwork& network, double y, double x, std::size_t u) {
  const double before = network.w1[2 * u] * y + network.w1[2 * u + 1] * x + network.b1[u];
  return {before, before > 0 ? before : 0};
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

std::vector<int64_t> window_index(const Window& window) {
  const int64_t offsets = (2 * window.height - 1) * (2 * window.width - 1),
                first = window.class_token ? 1 : 0;
  std::vector<int64_t> index;
  for (int64_t i = 0; i < window.height * window.width + first; i++) {
    for (int64_t j = 0; j < window.height * window.width + first; j++) {
      if (i < first || j < first) {
        index.push_back(offsets + (i < first && j < first ? 2 : i < first ? 0 : 1));
        continue;
      }
      const int64_t down = (i - first) / window.width - (j - first) / window.width;
      const int64_t across = (i - first) % window.width - (j - first) % window.width;
      index.push_back((down + window.height - 1) * (2 * window.width - 1) + across + window.width -
                      1);
    }
  }
  return index;
}

std::vector<double> window_coordinates(const WindowNetwork& network) {
  const auto scaled = [](int64_t offset, int64_t size, int64_t pretrained) {
    if (offset == 0) return 0.0;
    const double o = static_cast<double>(offset) /
                     static_cast<double>((pretrained > 0 ? pretrained : size) - 1) * 8;
    return (o < 0 ? -1 : 1) * std::log2(std::abs(o) + 1.0) / std::log2(8);
  };
  const auto& [height, width, class_token] = network.window;
  std::vector<double> coordinates;
  for (int64_t y = -(height - 1); y <= height - 1; y++) {
    for (int64_t x = -(width - 1); x <= width - 1; x++) {
      coordinates.push_back(scaled(y, height, network.pretrained_height));
      coordinates.push_back(scaled(x, width, network.pretrained_width));
    }
  }
  return coordinates;
}

std::vector<double> window_network(const WindowNetwork& network) {
  const std::vector<double> c = window_coordinates(network);
  const auto hidden = static_cast<std::size_t>(network.hidden);
  std::vector<double> table;
  for (std::size_t t = 0; t < c.size() / 2; t++) {
    for (std::size_t h = 0; h < static_cast<std::size_t>(network.heads); h++) {
      double sum = 0;
      for (std::size_t u = 0; u < hidden; u++) {
        sum += network.w2[h * hidden + u] * hidden_of(network, c[2 * t], c[2 * t + 1], u).after;
      }
      table.push_back(16 * sigmoid(sum));
    }
  }
  return table;
}

WindowNetworkGradient window_network_backward(const WindowNetwork& network,
                                              const std::vector<double>& d_table) {
  const std::vector<double> c = window_coordinates(network), table = window_network(network);
  const auto hidden = static_cast<std::size_t>(network.hidden),
             heads = static_cast<std::size_t>(network.heads);
  WindowNetworkGradient g{std::vector<double>(2 * hidden), std::vector<double>(hidden),
                          std::vector<double>(heads * hidden)};
  for (std::size_t t = 0; t < c.size() / 2; t++) {
    for (std::size_t h = 0; h < heads; h++) {
      const double share = table[t * heads + h] / 16;
      const double d_sum = d_table[t * heads + h] * 16 * share * (1 - share);
      for (std::size_t u = 0; u < hidden; u++) {
        const auto [before, after] = hidden_of(network, c[2 * t], c[2 * t + 1], u);
        g.w2[h * hidden + u] += d_sum * after;
        if (before <= 0) continue;
        const double d = d_sum * network.w2[h * hidden + u];
        g.w1[2 * u] += d * c[2 * t];
        g.w1[2 * u + 1] += d * c[2 * t + 1];
        g.b1[u] += d;
      }
    }
  }
  return g;
}

std::vector<double> shift_mask(const Window& window, int64_t height, int64_t width,
                               int64_t shift_height, int64_t shift_width, double hidden) {
  // Slices 0 to -window, -window to -shift, -shift to the end; without a shift the last one is
  // everything.
  std::vector<int64_t> region(static_cast<std::size_t>(height * width));
  const auto slice = [](int64_t i, int which, int64_t length, int64_t size, int64_t shift) {
    const int64_t begin[] = {0, length - size, shift == 0 ? 0 : length - shift};
    const int64_t end[] = {length - size, shift == 0 ? 0 : length - shift, length};
    return i >= begin[which] && i < end[which];
  };
  int64_t count = 0;
  for (int down = 0; down < 3; down++) {
    for (int across = 0; across < 3; across++, count++) {
      for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width; x++) {
          if (slice(y, down, height, window.height, shift_height) &&
              slice(x, across, width, window.width, shift_width)) {
            region[static_cast<std::size_t>(y * width + x)] = count;
          }
        }
      }
    }
  }
  std::vector<double> mask;
  for (int64_t top = 0; top < height; top += window.height) {
    for (int64_t left = 0; left < width; left += window.width) {
      const auto at = [&](int64_t place) {
        const int64_t y = top + place / window.width, x = left + place % window.width;
        return region[static_cast<std::size_t>(y * width + x)];
      };
      for (int64_t i = 0; i < window.height * window.width; i++) {
        for (int64_t j = 0; j < window.height * window.width; j++)
          mask.push_back(at(i) == at(j) ? 0 : hidden);
      }
    }
  }
  return mask;
}

}  // namespace posenc::reference
