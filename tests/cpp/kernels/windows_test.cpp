#include "posenc/kernels/windows.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using kernels::Windows;
using testing::check_close;
using testing::random_floats;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

std::size_t size(int64_t count) { return static_cast<std::size_t>(count); }

// The cell of tap (i, j) of the window at (r, c), or -1, by its definition.
int64_t cell_of(const Windows& w, int64_t cell, int64_t tap) {
  int64_t r = cell / w.cols + tap / w.width - w.height / 2,
          c = cell % w.cols + tap % w.width - w.width / 2;
  if (w.circular) r = ((r % w.rows) + w.rows) % w.rows, c = ((c % w.cols) + w.cols) % w.cols;
  return r < 0 || r >= w.rows || c < 0 || c >= w.cols ? -1 : r * w.cols + c;
}

std::vector<Windows> all_windows() {
  std::vector<Windows> all;
  for (int64_t channels : testing::awkward_sizes()) {
    for (const bool circular : {false, true}) {
      all.push_back({3, 4, channels, 3, 3, circular});
      all.push_back({1, 5, channels, 1, 4, circular});
      all.push_back({2, 1, channels, 5, 2, circular});
    }
  }
  return all;
}

TEST_CASE("windows: a filter per channel and its gradients equal the plain loop") {
  for (const Windows& w : all_windows()) {
    CAPTURE(w.channels);
    const Floats x = random_floats(size(w.cells() * w.channels), 1),
                 taps = random_floats(size(w.taps() * w.channels), 2),
                 bias = random_floats(size(w.channels), 3), d_out = random_floats(x.size(), 4);
    Floats out(x.size(), NAN), bare(x.size(), NAN), d_x(x.size()), d_taps(taps.size());
    Doubles want(x.size()), d_x_want(x.size()), d_taps_want(taps.size());
    for (int64_t cell = 0; cell < w.cells(); cell++) {
      const int64_t at = cell * w.channels;
      kernels::depthwise(w, x.data(), cell, taps.data(), bias.data(), out.data() + at);
      kernels::depthwise(w, x.data(), cell, taps.data(), nullptr, bare.data() + at);
      kernels::depthwise_backward(w, x.data(), cell, taps.data(), d_out.data() + at, d_x.data(),
                                  nullptr);
      kernels::depthwise_backward(w, x.data(), cell, taps.data(), d_out.data() + at, nullptr,
                                  d_taps.data());
      for (int64_t tap = 0; tap < w.taps(); tap++) {
        const int64_t from = cell_of(w, cell, tap);
        CHECK(w.under(cell, tap) == from);
        for (int64_t c = 0; c < w.channels && from >= 0; c++) {
          const std::size_t a = size(at + c), b = size(from * w.channels + c),
                            t = size(tap * w.channels + c);
          want[a] += static_cast<double>(x[b]) * taps[t];
          d_x_want[b] += static_cast<double>(d_out[a]) * taps[t];
          d_taps_want[t] += static_cast<double>(d_out[a]) * x[b];
        }
      }
    }
    check_close(bare, want, 1e-6, "without bias");
    for (std::size_t i = 0; i < want.size(); i++) want[i] += bias[i % bias.size()];
    check_close(out, want, 1e-6, "out");
    check_close(d_x, d_x_want, 1e-6, "dx");
    check_close(d_taps, d_taps_want, 1e-6, "dtaps");
  }
}

TEST_CASE("windows: gathered by channel, and scattered back") {
  for (const Windows& w : all_windows()) {
    CAPTURE(w.channels);
    const Floats x = random_floats(size(w.cells() * w.channels), 1);
    const int64_t first = w.channels / 3, count = w.channels - first;
    for (int64_t cell = 0; cell < w.cells(); cell++) {
      Floats window(size(count * w.taps()), NAN), back(x.size());
      Doubles back_want(x.size());
      kernels::gather_window(w, x.data(), cell, first, count, window.data());
      kernels::scatter_window(w, window.data(), cell, first, count, back.data());
      for (int64_t i = 0; i < count; i++) {
        for (int64_t tap = 0; tap < w.taps(); tap++) {
          const int64_t from = cell_of(w, cell, tap);
          const float got = window[size(i * w.taps() + tap)];
          CHECK(got == (from < 0 ? 0 : x[size(from * w.channels + first + i)]));
          if (from >= 0) back_want[size(from * w.channels + first + i)] += got;
        }
      }
      check_close(back, back_want, 1e-6, "scattered");
    }
  }
}

TEST_CASE("windows: transposed, written and added") {
  for (const auto& [rows, columns] : testing::awkward_pairs({{0, 3}})) {
    const Floats x = random_floats(size(rows * columns), 5), held = random_floats(x.size(), 6);
    Floats out(x.size(), NAN), sum = held;
    kernels::transpose(x.data(), rows, columns, out.data());
    kernels::add_transposed(x.data(), rows, columns, sum.data());
    for (int64_t r = 0; r < rows; r++) {
      for (int64_t c = 0; c < columns; c++) {
        const std::size_t to = size(c * rows + r), from = size(r * columns + c);
        CHECK(out[to] == x[from]);
        CHECK(sum[to] == held[to] + x[from]);
      }
    }
  }
}

}  // namespace
}  // namespace posenc
