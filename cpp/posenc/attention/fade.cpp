#include "posenc/attention/fade.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"

namespace posenc::attn {
namespace {

struct Ends {
  double low, high;
};

Ends ends_of(const Positions& tile) noexcept {
  if (tile.count == 0) return {0, 0};
  if (tile.contiguous()) return {tile.at(0), tile.at(tile.count - 1)};
  const auto [low, high] = std::minmax_element(tile.given, tile.given + tile.count);
  return {*low, *high};
}

}  // namespace

double middle_of(const Positions& tile) noexcept {
  const Ends ends = ends_of(tile);
  return (ends.low + ends.high) / 2;
}

TileFade::TileFade(const Attention& attention) noexcept
    : rotary_(attention.rotary() && attention.rotary()->fades() ? attention.rotary() : nullptr),
      width_(attention.options().head_dim) {}

void TileFade::lay_out(Carver& carver, int64_t rows) noexcept {
  if (!wanted()) return;
  pairs_ = carver.take(rotary_->rotary_dim() / 2);
  channels_ = carver.take(width_);
  rows_ = carver.take(rows * width_);
}

void TileFade::make(const CallRow& row, const ScoreTile& tile) noexcept {
  if (!wanted()) return;
  const double query = middle_of(row.query.slice(tile.first_query, tile.queries));
  const double key = middle_of(row.key.slice(tile.first_key, tile.keys));
  rotary_->fade(query - key, pairs_);
  const int64_t pairs = rotary_->rotary_dim() / 2;
  std::fill_n(channels_, width_, 1.0F);
  const bool half = rotary_->layout() == PairLayout::kHalf;
  for (int64_t m = 0; m < pairs; m++) {
    channels_[half ? m : 2 * m] = pairs_[m];
    channels_[half ? pairs + m : 2 * m + 1] = pairs_[m];
  }
}

const float* TileFade::scaled(const float* rows, int64_t count) noexcept {
  if (!wanted()) return rows;
  for (int64_t i = 0; i < count; i++) {
    kernels::multiply(rows + i * width_, channels_, width_, rows_ + i * width_);
  }
  return rows_;
}

void TileFade::add_scaled(const float* rows, int64_t stride, int64_t count, float* sums,
                          int64_t sums_stride) const noexcept {
  for (int64_t i = 0; i < count; i++) {
    kernels::add_product(rows + i * stride, channels_, width_, sums + i * sums_stride);
  }
}

Status check_spread(const RotaryEncoding& rotary, const Positions& positions,
                    const char* parameter) noexcept {
  if (positions.contiguous()) return {};
  const PositionDomain domain = rotary.table_domain();
  if (domain.ranges == nullptr) return {};
  const double most = domain.ranges->high - domain.ranges->low;
  for (int64_t first = 0; first < positions.count; first += kernels::kTile) {
    const Ends ends =
        ends_of(positions.slice(first, std::min(kernels::kTile, positions.count - first)));
    if (ends.high - ends.low <= most) continue;
    return fail(ErrorCode::kOutsideDomain, parameter,
                text_of(ends.low, " and ", ends.high, " within ", kernels::kTile, " tokens"),
                text_of("positions that differ by at most ", most, " there"));
  }
  return {};
}

}  // namespace posenc::attn
