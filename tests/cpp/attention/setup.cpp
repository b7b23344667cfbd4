#include "attention/setup.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/compare.hpp"

namespace posenc::testing {
namespace {

constexpr Info kPlainRotaryInfo = {
    .id = "plainRotary",
    .family = Family::kRotary,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 1},
    .fields = {},
    .docs = {}};

std::size_t size_of(int64_t a, int64_t b, int64_t c, int64_t d) {
  return static_cast<std::size_t>(a * b * c * d);
}

std::vector<Positions> entries_of(const std::vector<std::vector<double>>& rows, int axes) {
  std::vector<Positions> entries;
  for (const auto& row : rows) {
    entries.push_back(Positions::array(row.data(), static_cast<int64_t>(row.size()) / axes, axes));
  }
  return entries;
}

}  // namespace

const Info& PlainRotary::info() const noexcept { return kPlainRotaryInfo; }

double PlainRotary::angle(double position, int64_t pair, double reached) const {
  const double slow = stretch_ && reached > 8 ? reached / 8 : 1;
  return position *
         std::pow(base_, -2.0 * static_cast<double>(pair) / static_cast<double>(rotary_dim_)) /
         slow;
}

void PlainRotary::table(const Positions& positions, const RotaryContext& context, float* cos,
                        float* sin) const noexcept {
  for (int64_t i = 0; i < positions.count; i++) {
    for (int64_t m = 0; m < rotary_dim_ / 2; m++) {
      *cos++ = static_cast<float>(std::cos(angle(positions.at(i), m, context.reached)));
      *sin++ = static_cast<float>(std::sin(angle(positions.at(i), m, context.reached)));
    }
  }
}

void PlainRotary::turn(double* row, double position, double reached, bool back) const {
  for (int64_t m = 0; m < rotary_dim_ / 2; m++) {
    const bool half = layout_ == PairLayout::kHalf;
    double& a = row[half ? m : 2 * m];
    double& b = row[half ? m + rotary_dim_ / 2 : 2 * m + 1];
    const double c = std::cos(angle(position, m, reached)),
                 s = (back ? -1 : 1) * std::sin(angle(position, m, reached));
    const double first = a * c - b * s;
    b = b * c + a * s;
    a = first;
  }
}

void Setup::fill(uint64_t seed, double size) {
  q = random_floats(size_of(batch, heads(), q_len, options.head_dim), seed, -size, size);
  k = random_floats(size_of(batch, kv_heads(), k_len, options.head_dim), seed + 1, -size, size);
  v = random_floats(size_of(batch, kv_heads(), k_len, value_dim()), seed + 2);
  d_out = random_floats(size_of(batch, heads(), q_len, value_dim()), seed + 3);
}

Attention Setup::make() const {
  std::vector<Encoding*> given = encodings;
  if (given.empty() && rotary) given.push_back(const_cast<PlainRotary*>(rotary));
  if (encodings.empty() && bias) given.push_back(bias);
  Result<Attention> attention = Attention::make(options, given);
  REQUIRE(attention.has_value());
  return std::move(*attention);
}

AttentionInputs Setup::inputs() {
  AttentionInputs in;
  in.batch = batch;
  in.q_len = q_len;
  in.k_len = k_len;
  in.q = rows<const float>(q.data(), heads(), q_len, options.head_dim);
  in.k = rows<const float>(k.data(), kv_heads(), k_len, options.head_dim);
  in.v = rows<const float>(v.data(), kv_heads(), k_len, value_dim());
  in.mask.kind = mask_kind;
  in.mask.data = mask_kind == AttentionMask::Kind::kBoolean
                     ? static_cast<const void*>(boolean.data())
                     : static_cast<const void*>(additive.data());
  for (int64_t extent : mask_shape) in.mask.shape.push(extent);
  const auto given = [](const std::vector<int32_t>& list) {
    return list.empty() ? nullptr : list.data();
  };
  in.key_lengths = given(lengths);
  in.query_offsets = given(offsets);
  in.query_segments = given(query_segments);
  in.key_segments = given(key_segments);
  in.query_global = given(query_global);
  in.key_global = given(key_global);
  if (!sinks.empty()) in.sinks = sinks.data();
  if (!gate_input.empty())
    in.gate_input = rows<const float>(gate_input.data(), heads(), q_len, options.head_dim);
  q_entries_ = entries_of(q_positions, position_axes);
  k_entries_ = entries_of(k_positions, position_axes);
  in.q_positions = q_entries_;
  in.k_positions = k_entries_;
  in.relations = relations;
  in.logit_scale = logit_scale.empty() ? nullptr : logit_scale.data();
  return in;
}

Output run_forward(Setup& setup, bool with_lse) {
  Output output;
  output.raw_out.resize(size_of(setup.batch, setup.heads(), setup.q_len, setup.value_dim()));
  output.lse.resize(size_of(setup.batch, setup.heads(), setup.q_len, 1));
  const AttentionOutputs outputs{
      setup.rows<float>(output.raw_out.data(), setup.heads(), setup.q_len, setup.value_dim()),
      with_lse ? output.lse.data() : nullptr};
  const Status status = setup.make().forward(setup.inputs(), outputs);
  REQUIRE_MESSAGE(status.has_value(), std::string(status ? "" : status.error().parameter()));
  output.out = setup.by_heads(output.raw_out, setup.heads(), setup.q_len, setup.value_dim());
  return output;
}

std::vector<double> run_cached(Setup& setup, CacheKeys keys, int64_t prefix) {
  const Attention attention = setup.make();
  KvCache cache = std::move(*KvCache::make(attention, {.batch = setup.batch, .keys = keys}));
  std::vector<float> out(size_of(setup.batch, setup.heads(), setup.q_len, setup.value_dim()), NAN);
  for (int64_t first = 0, count = prefix; first < setup.q_len; first += count, count = 1) {
    AttentionInputs part = setup.inputs();
    part.q_len = part.k_len = count;
    for (auto* rows : {&part.q, &part.k, &part.v}) rows->data = rows->row(0, 0, first);
    if (part.gate_input.given()) part.gate_input.data = part.gate_input.row(0, 0, first);
    auto place = setup.rows<float>(out.data(), setup.heads(), setup.q_len, setup.value_dim());
    place.data = place.row(0, 0, first);
    REQUIRE(attention.forward(part, {place, nullptr}, cache).has_value());
  }
  return setup.by_heads(out, setup.heads(), setup.q_len, setup.value_dim());
}

std::vector<float> run_scores(Setup& setup, ScoreStage stage) {
  std::vector<float> scores(size_of(setup.batch, setup.heads(), setup.q_len, setup.k_len));
  REQUIRE(setup.make().scores(setup.inputs(), stage, scores.data()).has_value());
  return scores;
}

Gradient run_backward(Setup& setup, const Output& output) {
  std::vector<float> dq(setup.q.size(), 7), dk(setup.k.size(), 7), dv(setup.v.size(), 7);
  const int64_t dim = setup.options.head_dim, value_dim = setup.value_dim();
  Gradient result;
  if (setup.mask_kind == AttentionMask::Kind::kAdditive)
    result.d_mask.assign(setup.additive.size(), 7);
  AttentionGradients gradients;
  gradients.dq = setup.rows<float>(dq.data(), setup.heads(), setup.q_len, dim);
  gradients.dk = setup.rows<float>(dk.data(), setup.kv_heads(), setup.k_len, dim);
  gradients.dv = setup.rows<float>(dv.data(), setup.kv_heads(), setup.k_len, value_dim);
  if (!result.d_mask.empty()) gradients.d_mask = result.d_mask.data();
  if (!setup.logit_scale.empty()) {
    result.d_logit_scale.assign(setup.logit_scale.size(), 7);
    gradients.d_logit_scale = result.d_logit_scale.data();
  }
  result.d_sinks.assign(setup.sinks.size(), 7);
  if (!setup.sinks.empty()) gradients.d_sinks = result.d_sinks.data();
  std::vector<float> d_gate_input(setup.gate_input.size(), 7);
  if (!setup.gate_input.empty())
    gradients.d_gate_input =
        setup.rows<float>(d_gate_input.data(), setup.heads(), setup.q_len, dim);
  const Attention attention = setup.make();
  std::vector<Gradients> of(attention.encodings().size());
  if (setup.bias && setup.bias->trained()) {
    result.d_slopes.assign(static_cast<std::size_t>(setup.heads()), 7);
    of.back().of[0] = result.d_slopes.data();
  }
  for (const Encoding* encoding : setup.encodings) {
    const ParameterSet& parameters = encoding->parameters();
    for (int t = 0; t < parameters.count(); t++) {
      result.params.emplace_back(static_cast<std::size_t>(parameters[t].values.size()), 7.0F);
    }
  }
  std::size_t next = 0;
  for (std::size_t e = 0; e < setup.encodings.size(); e++) {
    const ParameterSet& parameters = setup.encodings[e]->parameters();
    for (int t = 0; t < parameters.count(); t++) {
      of[e].of[static_cast<std::size_t>(t)] = result.params[next++].data();
    }
  }
  gradients.of = of;
  const Status status = attention.backward(
      setup.inputs(),
      setup.rows<const float>(output.raw_out.data(), setup.heads(), setup.q_len, value_dim),
      output.lse.data(),
      setup.rows<const float>(setup.d_out.data(), setup.heads(), setup.q_len, value_dim),
      gradients);
  REQUIRE_MESSAGE(status.has_value(), std::string(status ? "" : status.error().parameter()));
  result.dq = setup.by_heads(dq, setup.heads(), setup.q_len, dim);
  if (!d_gate_input.empty())
    result.d_gate_input = setup.by_heads(d_gate_input, setup.heads(), setup.q_len, dim);
  result.dk = setup.by_heads(dk, setup.kv_heads(), setup.k_len, dim);
  result.dv = setup.by_heads(dv, setup.kv_heads(), setup.k_len, value_dim);
  return result;
}

double error_of_sums(const std::vector<double>& got, const std::vector<double>& want) {
  double largest = 1, error = 0;
  for (double value : want) largest = std::max(largest, std::abs(value));
  if (got.size() != want.size()) return INFINITY;
  for (std::size_t i = 0; i < got.size(); i++) {
    const double difference = std::abs(got[i] - want[i]);
    error = std::isnan(difference) ? INFINITY : std::max(error, difference);
  }
  return error / largest;
}

}  // namespace posenc::testing
