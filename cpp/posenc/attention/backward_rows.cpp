// The backward pass's rows: what is packed and summed for a group of heads, and for a tile of
// queries.
#include <algorithm>
#include <limits>

#include "posenc/attention/backward_work.hpp"
#include "posenc/core/math.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {

using kernels::kPanel;
using kernels::kTile;
namespace {

using As = PackedRows::As;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

}  // namespace

void BackwardWork::lay_out(Carver& carver) noexcept {
  const int64_t longest = kernels::padded(inputs.k_len, kTile);
  TileWork::lay_out(carver);
  parameters.lay_out(carver);
  key_rows.lay_out(carver, As::kRows, inputs.k_len, head_dim);
  value_columns.lay_out(carver, As::kColumns, inputs.k_len, value_dim);
  dk = carver.take(longest * head_stride);
  dv = carver.take(longest * value_stride);
  query_rows.lay_out(carver, As::kRows, kTile, head_dim);
  d_out_rows.lay_out(carver, As::kRows, kTile, value_dim);
  d_out = carver.take(kTile * value_dim);
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

void BackwardWork::begin_group(const CallRow& row, int64_t kv_head) noexcept {
  pack_head(inputs.k.row(row.batch_row, kv_head, 0), inputs.k.row_stride, row.keys, head_dim,
            tables.key(), rows, keys, key_rows);
  pack_head(inputs.v.row(row.batch_row, kv_head, 0), inputs.v.row_stride, row.keys, value_dim,
            tables.value(), rows, value_columns);
  std::fill_n(dk, kernels::padded(inputs.k_len, kTile) * head_stride, 0.0F);
  std::fill_n(dv, kernels::padded(inputs.k_len, kTile) * value_stride, 0.0F);
}

void BackwardWork::end_group(const CallRow& row, int64_t kv_head) noexcept {
  const int64_t batch_row = row.batch_row;
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

void BackwardWork::begin_queries(const CallRow& row, int64_t head, int64_t first,
                                 int64_t queries) noexcept {
  const int64_t batch_row = row.batch_row;
  const int64_t index = inputs.head_index(batch_row, head) * inputs.q_len + first;
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
  turn_queries(row, head, first, queries, rows);
  for (int64_t i = 0; i < queries; i++) {
    if (upstream.lse[index + i] == kNothing) std::fill_n(rows + i * head_dim, head_dim, 0.0F);
  }
  pack_queries(rows, queries);
  query_rows.pack_tile({rows, head_dim}, 0, queries);
  relative.begin_queries(query, queries, d_out);
  biases.open_gates(0, batch_row, first, queries, upstream.lse + index);
  std::fill_n(dq, kTile * head_stride, 0.0F);
  std::fill_n(ones, kTile, 1.0F);
}

void BackwardWork::add_sink_gradient(const HeadScores& head, int64_t queries) noexcept {
  if (gradients.d_sinks == nullptr) return;
  for (int64_t i = 0; i < queries; i++)
    sink_sum -= static_cast<float>(math::exp(head.sink - lse[i])) * mean[i];
}

void BackwardWork::end_queries(const CallRow& row, int64_t head, int64_t first,
                               int64_t queries) noexcept {
  relative.end_queries(queries, dq, head_stride, query_rows.tile(0), d_out_rows.tile(0));
  RowsOut out{rows, head_dim};
  if (gradients.dq.given())
    out = {gradients.dq.row(row.batch_row, head, first), gradients.dq.row_stride};
  if (gradients.dq.given() || gradients.d_logit_scale) {
    turn_rows({dq, head_stride}, queries, head_dim, tables.query_gradient(), first,
              head_scale(attention.options(), inputs, head), out);
    scale_by_position(attention.options(), row.query, first, out, queries, head_dim);
    // The scores of a query are its unit row times the factor, so that Σ u · g is the gradient of
    // its logarithm.
    if (tables.query().unit)
      logit_sum += unit_rows_backward(queries_of(row, head, first), queries, head_dim, out);
  }
  take_back_gates(row.batch_row, head, first, queries);
}

void BackwardWork::take_back_gates(int64_t batch_row, int64_t head, int64_t first,
                                   int64_t queries) noexcept {
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

}  // namespace posenc::attn
