#include "posenc/bias/window.hpp"

#include <algorithm>

#include "posenc/kernels/lookup.hpp"

namespace posenc {
namespace {

constexpr float kClass = -1;  // the class token's code

}  // namespace

// y · (2 width - 1) + x, so that an index is a difference of two codes. Windows are small enough
// for floats.
void Window::write_codes(const Positions& positions, float* out) const noexcept {
  const int64_t first = class_token ? 1 : 0;
  for (int64_t i = 0; i < positions.count; i++) {
    const auto place = static_cast<int64_t>(positions.at(i)) - first;
    out[i] =
        place < 0 ? kClass : static_cast<float>(place / width * (2 * width - 1) + place % width);
  }
}

void Window::begin(const BiasHead& head) const noexcept {
  float* codes = head.values + rows();
  write_codes(head.query, codes);
  write_codes(head.key, codes + head.query.count);
  if (head.sums) std::fill_n(head.sums, rows(), 0.0F);
}

void Window::index(const BiasHead& head, const PairRow& row, int32_t* out) const noexcept {
  const float* queries = head.values + rows();
  const float* keys = queries + head.query.count + row.first_key;
  const float query = queries[row.query];
  const auto own_rows = static_cast<int32_t>(offsets());
  if (query == kClass) {
    for (int64_t i = 0; i < row.count; i++) out[i] = own_rows + (keys[i] == kClass ? 2 : 0);
    return;
  }
  const float middle = query + static_cast<float>((height - 1) * (2 * width - 1) + width - 1);
  for (int64_t i = 0; i < row.count; i++) out[i] = static_cast<int32_t>(middle - keys[i]);
  if (!class_token) return;
  for (int64_t i = 0; i < row.count; i++) out[i] = keys[i] == kClass ? own_rows + 1 : out[i];
}

void Window::evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept {
  int32_t places[kPairChunk];
  index(head, row, places);
  kernels::gather(head.values, places, row.count, out);
}

void Window::accumulate(const BiasHead& head, const PairRow& row,
                        const float* d_bias) const noexcept {
  int32_t places[kPairChunk];
  index(head, row, places);
  kernels::scatter_add(d_bias, places, row.count, head.sums);
}

}  // namespace posenc
