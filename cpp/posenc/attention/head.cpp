#include "posenc/attention/head.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/gemm.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {
namespace {

using kernels::kTile;

const BiasEncoding* as_bias(const Encoding* encoding) noexcept {
  return encoding->info().family == Family::kBias ? static_cast<const BiasEncoding*>(encoding)
                                                  : nullptr;
}

}  // namespace

Status HeadBiases::allocate(const Attention& attention, int64_t heads) noexcept {
  const auto all = attention.encodings();
  const int64_t count = std::count_if(all.begin(), all.end(),
                                      [](const Encoding* e) { return as_bias(e) != nullptr; });
  if (Status status = biases_.allocate(count * heads, "encodings"); !status) return status;
  heads_ = heads;
  int64_t slot = 0;
  for (int64_t head = 0; head < heads; head++) {
    for (std::size_t i = 0; i < all.size(); i++) {
      if (const BiasEncoding* bias = as_bias(all[i])) {
        biases_[slot++] = {
            bias, static_cast<int64_t>(i), {0, {}, {}, nullptr, nullptr}, bias->gate()};
      }
    }
  }
  return {};
}

void HeadBiases::lay_out(Carver& carver, const Attention& attention, const AttentionInputs& inputs,
                         bool with_sums, bool every_key) noexcept {
  inputs_ = &inputs;
  floats_ = 0;
  with_sums_ = with_sums;
  for (int64_t b = 0; b < inputs.batch; b++) {
    const CallRow row = resolve_row(attention, inputs, b, every_key);
    int64_t floats = 0;
    for (const Encoding* encoding : attention.encodings()) {
      if (const BiasEncoding* bias = as_bias(encoding))
        floats += bias->scratch_floats(row.query, row.key);
    }
    floats_ = std::max(floats_, floats);
  }
  scratch_ = carver.take(floats_ * heads_ * (with_sums ? 2 : 1));
  const bool gated =
      std::ranges::any_of(biases_.span(), [](const HeadBias& bias) { return bias.gate.given(); });
  gates_ = carver.take(gated ? 2 * kTile * biases_.size() : 0);
  gate_scratch_ = carver.take(gated ? 2 * attention.options().head_dim : 0);
  room_ = carver.take(gated ? kTile * kTile : 0);
}

std::span<HeadBias> HeadBiases::of_slot(int64_t slot) noexcept {
  const int64_t count = heads_ > 0 ? biases_.size() / heads_ : 0;
  return biases_.span().subspan(static_cast<std::size_t>(slot * count),
                                static_cast<std::size_t>(count));
}

GateRows HeadBiases::gate_rows(const HeadBias& bias, int64_t batch_row, int64_t first,
                               int64_t queries) const noexcept {
  const HeadRows<const float>& from = bias.gate.reads_input ? inputs_->gate_input : inputs_->q;
  return {from.row(batch_row, bias.head.head, first), from.row_stride, queries};
}

void HeadBiases::open_gates(int64_t slot, int64_t batch_row, int64_t first, int64_t queries,
                            const float* lse) noexcept {
  for (HeadBias& bias : of_slot(slot)) {
    if (!bias.gate.given()) continue;
    open_gate(bias.gate, bias.head.head, gate_rows(bias, batch_row, first, queries), gate_scratch_,
              bias.gates);
    std::fill_n(bias.d_gates, queries, 0.0F);
    for (int64_t i = 0; lse && i < queries; i++) {
      if (lse[i] == -std::numeric_limits<float>::infinity()) bias.gates[i] = 0;
    }
  }
}

std::span<HeadBias> HeadBiases::begin(int64_t slot, const CallRow& row, int64_t head) noexcept {
  const std::span<HeadBias> biases = of_slot(slot);
  float* values = scratch_ + slot * floats_;
  for (HeadBias& bias : biases) {
    bias.head = {head,
                 row.query,
                 row.key,
                 values,
                 with_sums_ ? values + heads_ * floats_ : nullptr,
                 relations_of(*inputs_, bias.index, row.batch_row)};
    bias.encoding->begin(bias.head);
    if (bias.gate.given()) {
      bias.gates = gates_ + 2 * kTile * (&bias - biases_.data());
      bias.d_gates = bias.gates + kTile;
      bias.room = room_;
    }
    values += bias.encoding->scratch_floats(row.query, row.key);
  }
  return biases;
}

HeadScores head_scores(const Attention& attention, const AttentionInputs& inputs,
                       const CallRow& row, int64_t head,
                       std::span<const HeadBias> biases) noexcept {
  HeadScores scores;
  scores.softcap = static_cast<float>(attention.options().softcap);
  if (inputs.sinks) scores.sink = inputs.sinks[head];
  scores.mask = head_mask(attention.options(), inputs, row, head);
  scores.biases = biases;
  return scores;
}

void HeadScores::begin(float* largest, float* sum, int64_t count) const noexcept {
  std::fill_n(largest, count, sink);
  std::fill_n(sum, count, sink == -std::numeric_limits<float>::infinity() ? 0.0F : 1.0F);
}

void HeadScores::cap(const ScoreTile& tile, float* scores) const noexcept {
  if (softcap == 0) return;
  for (int64_t i = 0; i < tile.queries; i++)
    kernels::softcap(scores + i * tile.stride, tile.keys, softcap);
}

void HeadScores::add_biases(const ScoreTile& tile, float* scores) const noexcept {
  for (const HeadBias& bias : biases) {
    bias.encoding->apply(bias.head, tile, bias.gates ? bias.room : scores, bias.gates != nullptr);
    for (int64_t i = 0; bias.gates && i < tile.queries; i++) {
      float* row = scores + i * tile.stride;
      kernels::scale_add(bias.room + i * tile.stride, bias.gates[i], row, tile.keys, row);
    }
  }
}

}  // namespace posenc::attn
