#include "posenc/attention/packed.hpp"

#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {

using kernels::kPanel;
using kernels::kTile;
using kernels::padded;

void PackedRows::lay_out(Carver& carver, As as, int64_t longest, int64_t width) noexcept {
  as_ = as;
  width_ = width;
  data_ = carver.take(padded(longest, kPanel) * row_floats());
  states_ = carver.take(padded(longest, kTile) / kTile);
}

void PackedRows::pack_tile(const RowsIn& x, int64_t first, int64_t count) noexcept {
  float* out = data_ + first * row_floats();
  if (as_ == As::kColumns)
    kernels::pack_rows(x.data, x.stride, count, width_, kPanel, out);
  else
    kernels::pack_columns(x.data, x.stride, count, width_, out);
  states_[first / kTile] = 0;
}

bool PackedRows::finite(int64_t first, int64_t count) noexcept {
  float& state = states_[first / kTile];
  if (state == 0) {
    const int64_t rows = as_ == As::kColumns ? padded(count, kPanel) : count;
    state = kernels::all_finite(tile(first), rows * row_floats()) ? 1 : -1;
  }
  return state > 0;
}

}  // namespace posenc::attn
