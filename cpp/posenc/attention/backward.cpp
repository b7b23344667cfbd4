// The backward pass by recomputation: with P = exp(score - lse) of a tile made anew,
//   dV += Pᵀ · dO,  dP = dO · Vᵀ,  dS = P ∘ (dP - D),  D = Σ dO ∘ O of a row,
//   dQ += scale · dS · K,  dK += scale · dSᵀ · Q,
// dS being also the gradient of biases and additive mask; through softcap it is multiplied by 1 -
// (capped / cap)². Dao et al. 2022, FlashAttention, appendix B.
#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/attention/fade.hpp"
#include "posenc/attention/head.hpp"
#include "posenc/attention/packed.hpp"
#include "posenc/attention/parameter_gradients.hpp"
#include "posenc/attention/passes.hpp"
#include "posenc/attention/relative.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kPanel;
using kernels::kTile;
using As = PackedRows::As;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// Elements of an additive mask for one head.
int64_t mask_rows(const AttentionInputs& inputs) noexcept {
  const Shape& shape = inputs.mask.shape;
  return (shape.rank > 1 ? shape.back(1) : 1) * shape.back(0);
}

struct Upstream {
  const HeadRows<const float>& out;
  const float* lse;
  const HeadRows<const float>& d_out;
};

struct Work {
  const Attention& attention;
  const AttentionInputs& inputs;
  const Upstream& upstream;
  const AttentionGradients& gradients;
  int64_t head_dim, value_dim, group;
  int64_t head_stride, value_stride;  // of sums, padded to whole panels
  RotaryTables tables;
  HeadBiases biases;
  RelativePass relative;
  TileFade fade;
  ParameterGradients parameters;
  // Of the whole head: K and V as columns and K as rows to multiply with, sums for the group.
  PackedRows key_columns, key_rows, value_columns;
  float *dk, *dv;
  // Of a tile of queries: Q and dO as bundles to multiply and as rows to multiply with.
  PackedRows query_rows, d_out_rows;
  float *query, *d_out, *rows, *lse, *mean, *dq, *dq_part;
  // Of a tile of scores.
  float *weights, *d_scores, *capped, *ones;
  float* mask_sums;         // of a mask that all queries share
  float* d_mask = nullptr;  // of the head
  float logit_sum = 0;      // of a head, for the logarithm of its factor
  float sink_sum = 0;

  Work(const Attention& a, const AttentionInputs& i, const Upstream& u, const AttentionGradients& g,
       HeadBiases&& b) noexcept
      : attention(a), inputs(i), upstream(u), gradients(g), head_dim(a.options().head_dim),
        value_dim(*a.options().value_dim), group(a.options().heads / *a.options().kv_heads),
        head_stride(kernels::padded(head_dim, kPanel)),
        value_stride(kernels::padded(value_dim, kPanel)), tables(a, i, true), biases(std::move(b)),
        relative(a, i, RelativePass::Mode::kBackward), fade(a), parameters(a, g) {}

  void lay_out(Carver& carver, std::span<Gradients> parts) noexcept {
    const int64_t longest = kernels::padded(inputs.k_len, kTile);
    tables.lay_out(carver, inputs.q_len, inputs.k_len);
    biases.lay_out(carver, attention, inputs, true, false);
    relative.lay_out(carver);
    parameters.lay_out(carver, parts);
    fade.lay_out(carver, kTile);
    key_columns.lay_out(carver, As::kColumns, inputs.k_len, head_dim);
    key_rows.lay_out(carver, As::kRows, inputs.k_len, head_dim);
    value_columns.lay_out(carver, As::kColumns, inputs.k_len, value_dim);
    dk = carver.take(longest * head_stride);
    dv = carver.take(longest * value_stride);
    query_rows.lay_out(carver, As::kRows, kTile, head_dim);
    d_out_rows.lay_out(carver, As::kRows, kTile, value_dim);
    query = carver.take(kTile * head_dim);
    d_out = carver.take(kTile * value_dim);
    rows = carver.take(kTile * std::max(head_dim, value_dim));
    lse = carver.take(kTile);
    mean = carver.take(kTile);
    dq = carver.take(kTile * head_stride);
    dq_part = carver.take(fade.wanted() ? kTile * head_stride : 0);
    weights = carver.take(kTile * kTile);
    d_scores = carver.take(kTile * kTile);
    capped = carver.take(attention.options().softcap > 0 ? kTile * kTile : 0);
    ones = carver.take(kTile);
    mask_sums = carver.take(gradients.d_mask ? inputs.k_len : 0);
  }

  void begin_group(const CallRow& row, int64_t batch_row, int64_t kv_head) noexcept {
    pack_head(inputs.k.row(batch_row, kv_head, 0), inputs.k.row_stride, row.keys, head_dim,
              tables.key(), rows, key_columns, key_rows);
    pack_head(inputs.v.row(batch_row, kv_head, 0), inputs.v.row_stride, row.keys, value_dim,
              tables.value(), rows, value_columns);
    std::fill_n(dk, kernels::padded(inputs.k_len, kTile) * head_stride, 0.0F);
    std::fill_n(dv, kernels::padded(inputs.k_len, kTile) * value_stride, 0.0F);
  }

  void end_group(const CallRow& row, int64_t batch_row, int64_t kv_head) noexcept {
    const auto store = [&](const HeadRows<float>& to, const float* sums, int64_t stride,
                           int64_t width, const Rotation& rotation) {
      if (!to.given() || inputs.k_len == 0) return;
      turn_rows({sums, stride}, row.keys, width, rotation, 0, 1,
                {to.row(batch_row, kv_head, 0), to.row_stride});
      for (int64_t j = row.keys; j < inputs.k_len; j++)
        std::fill_n(to.row(batch_row, kv_head, j), width, 0.0F);
    };
    store(gradients.dk, dk, head_stride, head_dim, tables.key_gradient());
    if (tables.key().unit && gradients.dk.given() && inputs.k_len > 0) {
      unit_rows_backward({inputs.k.row(batch_row, kv_head, 0), inputs.k.row_stride}, row.keys,
                         head_dim,
                         {gradients.dk.row(batch_row, kv_head, 0), gradients.dk.row_stride});
    }
    store(gradients.dv, dv, value_stride, value_dim, tables.value_gradient());
  }

  // A query that sees nothing has weights of 0 and takes no part, whatever stands in its rows.
  void begin_queries(const CallRow& row, int64_t batch_row, int64_t head, int64_t first,
                     int64_t queries) noexcept {
    const int64_t index = inputs.head_index(batch_row, head) * inputs.q_len + first;
    const double scale = head_scale(attention.options(), inputs, head);
    for (int64_t i = 0; i < queries; i++) {
      const bool sees = upstream.lse[index + i] != kNothing;
      lse[i] = sees ? upstream.lse[index + i] : 0;
      const float* d_row = upstream.d_out.row(batch_row, head, first + i);
      mean[i] =
          sees ? kernels::dot(d_row, upstream.out.row(batch_row, head, first + i), value_dim) : 0;
      if (sees)
        kernels::copy(d_row, value_dim, rows + i * value_dim);
      else
        std::fill_n(rows + i * value_dim, value_dim, 0.0F);
    }
    kernels::pack_rows(rows, value_dim, queries, value_dim, kernels::kBundle, d_out);
    d_out_rows.pack_tile({rows, value_dim}, 0, queries);
    turn_rows({inputs.q.row(batch_row, head, first), inputs.q.row_stride}, queries, head_dim,
              tables.query(), first, scale, {rows, head_dim});
    scale_by_position(attention.options(), row.query, first, {rows, head_dim}, queries, head_dim);
    relative.add_offset(rows, queries);
    for (int64_t i = 0; i < queries; i++) {
      if (upstream.lse[index + i] == kNothing) std::fill_n(rows + i * head_dim, head_dim, 0.0F);
    }
    pack_queries(rows, queries);
    relative.begin_queries(query, queries, d_out);
    biases.open_gates(0, batch_row, first, queries, upstream.lse + index);
    std::fill_n(dq, kTile * head_stride, 0.0F);
    std::fill_n(ones, kTile, 1.0F);
  }

  void pack_queries(const float* turned, int64_t queries) noexcept {
    kernels::pack_rows(turned, head_dim, queries, head_dim, kernels::kBundle, query);
    query_rows.pack_tile({turned, head_dim}, 0, queries);
  }

  // A sink takes part in the softmax with a value of 0, so that the gradient of its weight is 0.
  void add_sink_gradient(const HeadScores& head, int64_t queries) noexcept {
    if (gradients.d_sinks == nullptr) return;
    for (int64_t i = 0; i < queries; i++) sink_sum -= std::exp(head.sink - lse[i]) * mean[i];
  }

  void end_queries(const CallRow& row, int64_t batch_row, int64_t head, int64_t first,
                   int64_t queries) noexcept {
    relative.end_queries(queries, dq, head_stride, query_rows.tile(0), d_out_rows.tile(0));
    RowsOut out{rows, head_dim};
    if (gradients.dq.given())
      out = {gradients.dq.row(batch_row, head, first), gradients.dq.row_stride};
    if (gradients.dq.given() || gradients.d_logit_scale) {
      turn_rows({dq, head_stride}, queries, head_dim, tables.query_gradient(), first,
                head_scale(attention.options(), inputs, head), out);
      scale_by_position(attention.options(), row.query, first, out, queries, head_dim);
      // The scores of a query are its unit row times the factor, so that Σ u · g is the gradient of
      // its logarithm.
      const RowsIn q{inputs.q.row(batch_row, head, first), inputs.q.row_stride};
      if (tables.query().unit) logit_sum += unit_rows_backward(q, queries, head_dim, out);
    }
    take_back_gates(batch_row, head, first, queries);
  }

  void take_back_gates(int64_t batch_row, int64_t head, int64_t first, int64_t queries) noexcept {
    for (int64_t i = 0; gradients.d_gate_input.given() && i < queries; i++) {
      std::fill_n(gradients.d_gate_input.row(batch_row, head, first + i), head_dim, 0.0F);
    }
    for (const HeadBias& bias : biases.of_slot(0)) {
      if (!bias.gate.given()) continue;
      const HeadRows<float>& to = bias.gate.reads_input ? gradients.d_gate_input : gradients.dq;
      differentiate_gate(bias.gate, head, biases.gate_rows(bias, batch_row, first, queries),
                         bias.d_gates, biases.gate_scratch(),
                         to.given() ? to.row(batch_row, head, first) : nullptr, to.row_stride,
                         parameters.wanted() ? &parameters.part(bias.index) : nullptr);
    }
  }

  // The gradient of a tile's scores as the bias itself has it: by way of the gates, which take
  // their part.
  const float* gradient_of_bias(const HeadBias& bias, const ScoreTile& tile) noexcept {
    if (bias.gates == nullptr) return d_scores;
    bias.encoding->apply(bias.head, tile, bias.room, true);
    for (int64_t i = 0; i < tile.queries; i++) {
      float* room = bias.room + i * kTile;
      bias.d_gates[i] += kernels::dot(room, d_scores + i * kTile, tile.keys);
      kernels::scale(d_scores + i * kTile, bias.gates[i], tile.keys, room);
    }
    return bias.room;
  }

  // The weights of a tile; false when nothing in it was hidden.
  bool recompute(const HeadScores& head, const ScoreTile& tile, TileKind kind) noexcept {
    kernels::multiply(query, key_columns.tile(tile.first_key), tile.queries, tile.keys, head_dim,
                      weights, kTile);
    relative.add_scores(tile, key_columns.tile(tile.first_key), head.mask, weights);
    head.cap(tile, weights);
    if (head.softcap > 0) kernels::copy(weights, tile.queries * kTile, capped);
    head.add_biases(tile, weights);
    const bool hid = head.hide(tile, kind, weights);
    for (int64_t i = 0; i < tile.queries; i++)
      kernels::exp_shifted(weights + i * kTile, tile.keys, lse[i]);
    return hid;
  }

  void add_mask_gradient(const HeadMask& mask, const ScoreTile& tile) noexcept {
    if (gradients.d_mask == nullptr) return;
    const int64_t count = std::min(tile.first_key + tile.keys, mask.keys) - tile.first_key;
    float* target = mask.stride == 0 ? mask_sums : d_mask + tile.first_query * mask.stride;
    for (int64_t i = 0; i < tile.queries; i++) {
      kernels::add(d_scores + i * kTile, count, target + i * mask.stride + tile.first_key);
    }
  }

  void take_in(const CallRow& row, const HeadScores& head, const ScoreTile& tile) noexcept {
    const TileKind kind = head.mask.classify(tile);
    if (kind == TileKind::kHidden) return;
    fade.make(row, tile);
    if (fade.wanted()) pack_queries(fade.scaled(rows, tile.queries), tile.queries);
    const bool hid = recompute(head, tile, kind);
    const auto by_columns = [&](bool finite) {
      return hid && !finite ? kernels::multiply_tile_transposed_sparse
                            : kernels::multiply_tile_transposed;
    };
    by_columns(d_out_rows.finite(0, tile.queries))(
        weights, d_out_rows.tile(0), tile.keys, value_dim, tile.queries,
        dv + tile.first_key * value_stride, value_stride);
    kernels::multiply(d_out, value_columns.tile(tile.first_key), tile.queries, tile.keys, value_dim,
                      d_scores, kTile);
    relative.take_weights(tile, weights, nullptr);
    relative.add_weight_gradient(tile, d_scores);
    for (int64_t i = 0; i < tile.queries; i++) {
      kernels::softmax_backward(weights + i * kTile, tile.keys, mean[i], d_scores + i * kTile);
    }
    for (const HeadBias& bias : head.biases) {
      const float* d_bias = gradient_of_bias(bias, tile);
      if (parameters.wanted())
        bias.encoding->accumulate(bias.head, tile, d_bias, parameters.part(bias.index));
    }
    add_mask_gradient(head.mask, tile);
    for (int64_t i = 0; head.softcap > 0 && i < tile.queries; i++) {
      kernels::softcap_backward(capped + i * kTile, tile.keys, head.softcap, d_scores + i * kTile);
    }
    const bool sparse = hid && !key_rows.finite(tile.first_key, tile.keys);
    relative.take_score_gradient(
        tile, d_scores,
        {key_rows.tile(tile.first_key), sparse, dk + tile.first_key * head_stride, head_stride});
    const auto by_rows = sparse ? kernels::multiply_tile_sparse : kernels::multiply_tile;
    float* sums = fade.wanted() ? dq_part : dq;
    if (fade.wanted()) std::fill_n(dq_part, kTile * head_stride, 0.0F);
    by_rows(d_scores, key_rows.tile(tile.first_key), tile.queries, head_dim, tile.keys, ones, sums,
            head_stride);
    if (fade.wanted()) fade.add_scaled(dq_part, head_stride, tile.queries, dq, head_stride);
    by_columns(query_rows.finite(0, tile.queries))(d_scores, query_rows.tile(0), tile.keys,
                                                   head_dim, tile.queries,
                                                   dk + tile.first_key * head_stride, head_stride);
  }

  // Among the encodings.
  int64_t relative_index() const noexcept {
    const auto all = attention.encodings();
    return std::find(all.begin(), all.end(), attention.relative()) - all.begin();
  }

  // The gates of all tiles that the queries see, from the last to the first.
  void count_gates(const CallRow& row, const HeadScores& head, int64_t first,
                   int64_t queries) noexcept {
    for_key_tiles(head.mask.range(first, queries), true, [&](int64_t key) {
      const ScoreTile tile{first, queries, key, std::min(kTile, row.keys - key), kTile};
      kernels::multiply(query, key_columns.tile(key), queries, tile.keys, head_dim, weights, kTile);
      relative.count_gates(tile, head.mask, weights);
    });
  }

  void differentiate(const CallRow& row, int64_t batch_row, int64_t head_index) noexcept {
    const HeadScores head = head_scores(attention, inputs, row, batch_row, head_index,
                                        biases.begin(0, row, head_index));
    parameters.begin_head();
    relative.begin_head(head_index);
    logit_sum = sink_sum = 0;
    if (gradients.d_mask) {
      std::fill_n(mask_sums, inputs.k_len, 0.0F);
      d_mask =
          gradients.d_mask + (gradients.of_each_head
                                  ? inputs.head_index(batch_row, head_index) * mask_rows(inputs)
                                  : head.mask.start);
    }
    for (int64_t first = 0; first < inputs.q_len; first += kTile) {
      const int64_t queries = std::min(kTile, inputs.q_len - first);
      begin_queries(row, batch_row, head_index, first, queries);
      if (relative.right_to_left()) count_gates(row, head, first, queries);
      const KeyRange seen = head.mask.range(first, queries);
      for (int64_t key = seen.begin / kTile * kTile; key < seen.end; key += kTile) {
        take_in(row, head, {first, queries, key, std::min(kTile, row.keys - key), kTile});
      }
      end_queries(row, batch_row, head_index, first, queries);
      add_sink_gradient(head, queries);
    }
    if (parameters.wanted()) {
      for (const HeadBias& bias : head.biases)
        bias.encoding->finish(bias.head, parameters.part(bias.index));
    }
    if (parameters.wanted() && attention.relative())
      relative.end_head(parameters.part(relative_index()));
    parameters.end_head(inputs.head_index(batch_row, head_index));
    if (gradients.d_sinks) gradients.d_sinks[head_index] += sink_sum;
    if (gradients.d_logit_scale &&
        inputs.logit_scale[head_index] <= static_cast<float>(kLargestLogitScale)) {
      gradients.d_logit_scale[head_index] += logit_sum;
    }
    if (gradients.d_mask && head.mask.stride == 0) {
      kernels::add(mask_sums, head.mask.keys, d_mask);
    }
  }
};

}  // namespace

Status differentiate(const Attention& attention, const AttentionInputs& inputs,
                     const HeadRows<const float>& out, const float* lse,
                     const HeadRows<const float>& d_out,
                     const AttentionGradients& gradients) noexcept {
  Result<HeadBiases> biases = HeadBiases::make(attention, 1);
  if (!biases) return std::unexpected(biases.error());
  auto parts =
      Buffer<Gradients>::make(static_cast<int64_t>(attention.encodings().size()), "encodings");
  if (!parts) return std::unexpected(parts.error());
  const Upstream upstream{out, lse, d_out};
  Work work(attention, inputs, upstream, gradients, std::move(*biases));
  const Result<Buffer<float>> memory =
      carve("k", [&](Carver& carver) { work.lay_out(carver, parts->span()); });
  if (!memory) return std::unexpected(memory.error());

  work.parameters.clear();
  if (gradients.d_logit_scale)
    std::fill_n(gradients.d_logit_scale, attention.options().heads, 0.0F);
  if (gradients.d_sinks) std::fill_n(gradients.d_sinks, attention.options().heads, 0.0F);
  if (gradients.d_mask) {
    const int64_t heads = inputs.batch * inputs.head_count;
    std::fill_n(gradients.d_mask,
                gradients.of_each_head ? heads * mask_rows(inputs)
                                       : *element_count(inputs.mask.shape, "mask"),
                0.0F);
  }
  const int64_t group = work.group;
  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = resolve_row(attention, inputs, b);
    work.tables.make(row);
    work.relative.begin_row(row);
    const int64_t end = inputs.first_head + inputs.head_count;
    for (int64_t kv_head = inputs.first_head / group; kv_head < end / group; kv_head++) {
      work.begin_group(row, b, kv_head);
      for (int64_t g = 0; g < group; g++) work.differentiate(row, b, kv_head * group + g);
      work.end_group(row, b, kv_head);
    }
  }
  return {};
}

}  // namespace posenc::attn
