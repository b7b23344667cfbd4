#include "posenc/attention/relative.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {

using kernels::kBundle;
using kernels::kPanel;
using kernels::kTile;

static_assert(kTile == kRelativeRows);

void Strip::lay_out(Carver& carver, int64_t count) noexcept {
  blocks = count;
  data = carver.take(count * kTile * kTile);
  states = carver.take(count);
}

void Strip::clear() noexcept { std::fill_n(states, blocks, 0.0F); }

float* Strip::sums(int64_t index) noexcept {
  if (!made(index)) std::fill_n(block(index), kTile * kTile, 0.0F);
  states[index] = 1;
  return block(index);
}

namespace {

// Whether to move every query to features of `width` numbers: then a product with a distance takes
// `width` multiplications in place of head_dim, but no row of it has to be made, which takes the
// product of both.
bool pays_to_move(int64_t queries, int64_t width, int64_t head_dim) noexcept {
  return queries * (width - head_dim) <= width * head_dim;
}

}  // namespace

RelativePass::RelativePass(const Attention& attention, const AttentionInputs& inputs, Mode mode,
                           bool every_key) noexcept
    : encoding_(attention.relative()), attention_(attention), inputs_(inputs),
      backward_(mode == Mode::kBackward), by_rows_(mode == Mode::kRows), every_key_(every_key),
      scale_(static_cast<float>(*attention.options().scale)) {
  if (encoding_ == nullptr) return;
  row_heads_ = std::max<int64_t>(encoding_->heads(), 1);
  for (const RelativeTerm& info : encoding_->terms()) {
    Term& term = terms_[static_cast<std::size_t>(count_)];
    term.info = info;
    term.index = count_++;
    const bool value = info.side == RelativeSide::kValue;
    term.width = value ? *attention.options().value_dim : attention.options().head_dim;
    term.heads = row_heads_;
    const int64_t features = encoding_->feature_width(term.index);
    if (features > 0 && (mode == Mode::kForward || by_rows_) &&
        pays_to_move(inputs.batch * inputs.q_len, features, term.width)) {
      term.factored = true;
      term.heads = 1;
      term.width = features;
    }
    term.row_floats = kernels::padded(term.width, kPanel);
    // Queries come multiplied by the scale, keys do not.
    if (info.side == RelativeSide::kQuery && !info.scaled) term.factor = 1 / scale_;
    if (info.side == RelativeSide::kKey && info.scaled) term.factor = scale_;
    term.bias_factor = info.scaled ? scale_ : 1;
    if (!info.contextual) continue;
    contextual_ = true;
    gates_.set(info.gates_scaled ? 1 : 1 / scale_, info.highest);
  }
}

void RelativePass::lay_out_term(Carver& carver, Term& term) noexcept {
  term.blocks = 0;
  for (int64_t b = 0; b < inputs_.batch; b++) {
    const CallRow row = resolve_row(attention_, inputs_, b, every_key_);
    term.blocks = std::max(term.blocks, distance_range(term.info, row.query, row.key).blocks());
  }
  const bool key = term.info.side == RelativeSide::kKey,
             value = term.info.side == RelativeSide::kValue;
  const int64_t all = term.heads * term.blocks * kTile, rows = term.blocks * kTile;
  if (by_rows_) term.plain = carver.take(all * term.width);
  if (term.factored)
    term.moved = carver.take(kernels::padded(std::min(inputs_.q_len, kTile), kBundle) * term.width);
  if (key && !by_rows_) term.bundles = carver.take(all * term.width);
  if (!key && (!value || backward_) && !by_rows_) term.columns = carver.take(all * term.width);
  if ((value && !by_rows_) || backward_) term.rows = carver.take(all * term.row_floats);
  if (term.info.has_bias && !term.factored) term.bias = carver.take(all);
  term.made = carver.take(term.blocks);
  if (!value || backward_) term.products.lay_out(carver, term.blocks);
  if (value || backward_) term.sums.lay_out(carver, term.blocks);
  if (!backward_) return;
  term.d_rows = carver.take(rows * term.row_floats);
  term.d_bias = carver.take(rows);
  term.d_made = carver.take(term.blocks);
}

void RelativePass::lay_out(Carver& carver) noexcept {
  if (encoding_ == nullptr) return;
  int64_t width = 0;
  for (Term& term : terms()) {
    lay_out_term(carver, term);
    width = std::max(width, term.width);
    term.range = {};
  }
  chunk_ = carver.take(by_rows_ ? 0 : row_heads_ * kTile * width);
  query_row_ = carver.take(attention_.options().head_dim);
  chunk_bias_ = carver.take(row_heads_ * kTile);
  scratch_ = carver.take(encoding_->scratch_floats());
  ones_ = carver.take(kTile);
  if (contextual_) gates_.lay_out(carver, backward_ ? inputs_.k_len : 0);
  d_offset_ = carver.take(backward_ ? attention_.options().head_dim : 0);
}

void RelativePass::begin_row(const CallRow& row) noexcept {
  if (encoding_ == nullptr) return;
  row_ = row;
  std::fill_n(ones_, kTile, 1.0F);
  for (Term& term : terms()) {  // rows stay where the batch row before had the same distances
    const DistanceRange range = distance_range(term.info, row.query, row.key);
    if (range == term.range) continue;
    term.range = range;
    std::fill_n(term.made, term.blocks, 0.0F);
  }
}

void RelativePass::begin_head(int64_t head) noexcept {
  if (encoding_ == nullptr) return;
  head_ = head;
  if (!backward_) return;
  for (Term& term : terms()) std::fill_n(term.d_made, term.blocks, 0.0F);
  std::fill_n(d_offset_, attention_.options().head_dim, 0.0F);
}

void RelativePass::add_offset(float* rows, int64_t queries) const noexcept {
  const float* offsets = encoding_ ? encoding_->query_offsets() : nullptr;
  if (offsets == nullptr) return;
  const int64_t width = attention_.options().head_dim;
  for (int64_t i = 0; i < queries; i++) {
    kernels::scale_add(offsets + head_ * width, scale_, rows + i * width, width, rows + i * width);
  }
}

void RelativePass::begin_queries(const float* query, int64_t queries, const float* d_out) noexcept {
  query_ = query;
  queries_ = queries;
  d_out_ = d_out;
  if (contextual_) gates_.begin_queries();
  for (Term& term : terms()) {
    if (term.products.data) term.products.clear();
    if (term.sums.data) term.sums.clear();
    if (term.factored) move_queries(term);
  }
}

void RelativePass::move_queries(Term& term) noexcept {
  const int64_t head_dim = attention_.options().head_dim;
  float* moved = by_rows_ ? term.moved : chunk_;
  for (int64_t i = 0; i < queries_; i++) {
    const float* row = query_ + i * head_dim;
    if (!by_rows_) {  // out of its bundle
      const float* bundle = query_ + i / kBundle * kBundle * head_dim + i % kBundle;
      for (int64_t k = 0; k < head_dim; k++) query_row_[k] = bundle[k * kBundle];
      row = query_row_;
    }
    encoding_->move_query(head_, row, term.bias_factor / term.factor, moved + i * term.width,
                          scratch_);
  }
  if (!by_rows_) kernels::pack_rows(moved, term.width, queries_, term.width, kBundle, term.moved);
}

void RelativePass::make_rows(Term& term, int64_t block) noexcept {
  if (term.made[block] != 0) return;
  term.made[block] = 1;
  const int64_t count = term.range.rows_of(block), width = term.width, floats = count * width;
  float* made = by_rows_ ? term.plain + block * term.heads * kTile * width : chunk_;
  const RelativeRows rows = {term.index, term.range.low + block * kTile, count};
  if (term.factored)
    encoding_->write_features(rows, made);
  else
    encoding_->write(rows, made, chunk_bias_, scratch_);
  if (term.factor != 1) kernels::scale(made, term.factor, term.heads * floats, made);
  for (int64_t h = 0; h < term.heads; h++) {
    const float* from = made + h * floats;
    const int64_t first = (h * term.blocks + block) * kTile;
    if (term.columns)
      kernels::pack_rows(from, width, count, width, kPanel, term.columns + first * width);
    if (term.bundles)
      kernels::pack_rows(from, width, count, width, kBundle, term.bundles + first * width);
    if (term.rows)
      kernels::pack_columns(from, width, count, width, term.rows + first * term.row_floats);
    if (term.bias)
      kernels::scale(chunk_bias_ + h * count, term.bias_factor, count, term.bias + first);
  }
}

// Sums [queries, kTile] by row: values of a tile go where their distance says.
void RelativePass::take_by_row(Term& term, const ScoreTile& tile, const float* values) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      const float* from = values + i * tile.stride + run.column;
      float* to = term.sums.sums(run.block()) + i * kTile + run.place();
      if (run.step == 0)
        *to += kernels::sum(from, run.count);
      else
        kernels::add(from, run.count, to);
    }
  }
}

void RelativePass::take_weights(const ScoreTile& tile, const float* weights,
                                const float* factors) noexcept {
  for (Term& term : terms()) {
    if (term.info.side != RelativeSide::kValue) continue;
    for (int64_t b = 0; factors && b < term.range.blocks(); b++) {
      for (int64_t i = 0; term.sums.made(b) && i < tile.queries; i++) {
        float* row = term.sums.block(b) + i * kTile;
        if (factors[i] != 1) kernels::scale(row, factors[i], kTile, row);
      }
    }
    take_by_row(term, tile, weights);
  }
}

void RelativePass::add_values(int64_t queries, float* out, int64_t out_stride) noexcept {
  for (Term& term : terms()) {
    for (int64_t b = 0; term.info.side == RelativeSide::kValue && b < term.range.blocks(); b++) {
      if (!term.sums.made(b)) continue;
      make_rows(term, b);
      const int64_t count = term.range.rows_of(b);
      const float* sums = term.sums.block(b);
      if (!by_rows_)
        kernels::multiply_tile(sums, rows(term, b), queries, term.width, count, ones_, out,
                               out_stride);
      for (int64_t i = 0; by_rows_ && i < queries; i++) {
        kernels::add_rows(plain(term, b), term.width, count, sums + i * kTile, term.width, 1,
                          out + i * out_stride);
      }
    }
  }
}

}  // namespace posenc::attn
