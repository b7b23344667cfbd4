#include "attention/setup.hpp"

#include "posenc/attention/sparse.hpp"

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

int64_t Setup::offset(int64_t row) const {
  const auto b = static_cast<std::size_t>(row);
  if (!offsets.empty()) return offsets[b];
  return options.causal == Causal::kBottomRight ? (lengths.empty() ? k_len : lengths[b]) - q_len
                                                : 0;
}

reference::MaskRules Setup::rules() const {
  reference::MaskRules rules;
  rules.batch = batch, rules.heads = heads(), rules.q_len = q_len, rules.k_len = k_len;
  rules.causal = options.causal != Causal::kOff;
  rules.left = options.window_left, rules.right = options.window_right;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch); b++) {
    rules.lengths.push_back(lengths.empty() ? k_len : lengths[b]);
    rules.offsets.push_back(offset(static_cast<int64_t>(b)));
  }
  rules.query_segments = query_segments, rules.key_segments = key_segments;
  rules.chunk = options.chunk;
  rules.query_global = query_global, rules.key_global = key_global;
  const BlockSparseOptions& blocks = options.blocks;
  rules.block_size = blocks.size, rules.block_window = blocks.window,
  rules.block_global = blocks.global;
  for (int64_t n = 0; blocks.size > 0 && n < batch * heads(); n++) {
    const std::size_t row = static_cast<std::size_t>(n / heads());
    const attn::KeyBlocks of{blocks.size,
                             blocks.window,
                             blocks.global,
                             blocks.random,
                             static_cast<uint64_t>(blocks.seed),
                             rules.causal,
                             n % heads(),
                             (rules.lengths[row] + blocks.size - 1) / blocks.size};
    auto& drawn = rules.drawn.emplace_back();
    for (int64_t i = 0; i < q_len; i++) {
      const int64_t block = attn::floor_div(rules.offsets[row] + i, blocks.size);
      int64_t list[attn::kMostRandomBlocks];
      drawn[block].assign(list, list + of.draw(block, list));
    }
  }
  rules.mask_shape = mask_shape;
  rules.additive = mask_kind == AttentionMask::Kind::kAdditive;
  if (rules.additive)
    rules.mask.assign(additive.begin(), additive.end());
  else
    rules.mask.assign(boolean.begin(), boolean.end());
  return rules;
}

double Setup::position(bool query, int64_t row, int64_t index) const {
  const auto& given = query ? q_positions : k_positions;
  if (given.empty()) {
    return static_cast<double>(index + (query ? offset(row) : 0));
  }
  return given[given.size() == 1 ? 0 : static_cast<std::size_t>(row)]
              [static_cast<std::size_t>(index)];
}

double Setup::temperature(int64_t row, int64_t query) const {
  const TemperatureOptions& rule = options.temperature;
  if (rule.type == QueryTemperature::kNone) return 1;
  const double reached = position(true, row, query) + 1;
  if (rule.type == QueryTemperature::kLogN)
    return reached > rule.length ? std::log(reached) / std::log(rule.length) : 1;
  if (reached < rule.floor_scale) return 1;
  return std::log(std::floor(reached / rule.floor_scale) + 1) * rule.weight + 1;
}

double Setup::reached(int64_t row) const {
  const int64_t length = lengths.empty() ? k_len : lengths[static_cast<std::size_t>(row)];
  double largest = -1;
  for (int64_t j = 0; j < length; j++) largest = std::max(largest, position(false, row, j));
  return largest + 1;
}

std::vector<double> Setup::by_heads(const std::vector<float>& x, int64_t heads, int64_t seq,
                                    int64_t dim) const {
  std::vector<double> result;
  const auto from = rows<const float>(x.data(), heads, seq, dim);
  for (int64_t b = 0; b < batch; b++) {
    for (int64_t h = 0; h < heads; h++) {
      for (int64_t i = 0; i < seq; i++) {
        const float* row = from.row(b, h, i);
        result.insert(result.end(), row, row + dim);
      }
    }
  }
  return result;
}

namespace {

// Turns rows [batch, heads, seq, dim] by their positions.
void turn_all(const Setup& setup, std::vector<double>& x, int64_t heads, int64_t seq, int64_t dim,
              bool query, bool back) {
  if (setup.rotary == nullptr) return;
  double* row = x.data();
  for (int64_t b = 0; b < setup.batch; b++) {
    const double reached = setup.reached(b);
    std::vector<double> positions;
    for (int64_t i = 0; i < seq; i++) positions.push_back(setup.position(query, b, i));
    for (int64_t h = 0; h < heads; h++) {
      for (int64_t i = 0; i < seq; i++, row += dim) {
        setup.rotary->turn(row, positions[static_cast<std::size_t>(i)], reached, back);
      }
    }
  }
}

// Queries, or the gradients of those that were given, times their temperature.
void heat_all(const Setup& setup, std::vector<double>& q) {
  const auto dim = static_cast<std::size_t>(setup.options.head_dim);
  for (std::size_t row = 0; row * dim < q.size(); row++) {
    const auto index = static_cast<int64_t>(row);
    const double factor =
        setup.temperature(index / (setup.heads() * setup.q_len), index % setup.q_len);
    for (std::size_t c = 0; c < dim; c++) q[row * dim + c] *= factor;
  }
}

}  // namespace

reference::Attention Setup::reference() const {
  reference::Attention a;
  a.batch = batch, a.heads = heads(), a.kv_heads = kv_heads(), a.q_len = q_len, a.k_len = k_len;
  a.head_dim = options.head_dim, a.value_dim = value_dim();
  a.scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(options.head_dim)));
  a.softcap = options.softcap;
  a.q = by_heads(q, heads(), q_len, options.head_dim);
  a.k = by_heads(k, kv_heads(), k_len, options.head_dim);
  a.v = by_heads(v, kv_heads(), k_len, value_dim());
  turn_all(*this, a.q, heads(), q_len, options.head_dim, true, false);
  heat_all(*this, a.q);
  a.sinks.assign(sinks.begin(), sinks.end());
  turn_all(*this, a.k, kv_heads(), k_len, options.head_dim, false, false);
  if (rotary && rotary->rotates_values())
    turn_all(*this, a.v, kv_heads(), k_len, value_dim(), false, false);
  const reference::MaskRules mask = rules();
  a.visible = reference::visible(mask);
  if (slopes.empty() && !mask.additive) return a;
  for (int64_t b = 0; b < batch; b++) {
    for (int64_t h = 0; h < heads(); h++) {
      for (int64_t i = 0; i < q_len; i++) {
        for (int64_t j = 0; j < k_len; j++) {
          const double distance = std::abs(position(true, b, i) - position(false, b, j));
          double bias = slopes.empty() ? 0 : -slopes[static_cast<std::size_t>(h)] * distance;
          const int64_t at = mask.additive ? mask_index(mask, b, h, i, j) : -1;
          if (at >= 0) bias += mask.mask[static_cast<std::size_t>(at)];
          a.bias.push_back(bias);
        }
      }
    }
  }
  return a;
}

Output run_forward(Setup& setup) {
  Output output;
  output.raw_out.resize(size_of(setup.batch, setup.heads(), setup.q_len, setup.value_dim()));
  output.lse.resize(size_of(setup.batch, setup.heads(), setup.q_len, 1));
  const AttentionOutputs outputs{
      setup.rows<float>(output.raw_out.data(), setup.heads(), setup.q_len, setup.value_dim()),
      output.lse.data()};
  const Status status = setup.make().forward(setup.inputs(), outputs);
  REQUIRE_MESSAGE(status.has_value(), std::string(status ? "" : status.error().parameter()));
  output.out = setup.by_heads(output.raw_out, setup.heads(), setup.q_len, setup.value_dim());
  return output;
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

Gradient reference_backward(const Setup& setup) {
  const reference::Attention a = setup.reference();
  auto g =
      reference::attention_backward(a, setup.by_heads(setup.d_out, a.heads, a.q_len, a.value_dim));
  turn_all(setup, g.dq, a.heads, a.q_len, a.head_dim, true, true);
  heat_all(setup, g.dq);
  turn_all(setup, g.dk, a.kv_heads, a.k_len, a.head_dim, false, true);
  if (setup.rotary && setup.rotary->rotates_values())
    turn_all(setup, g.dv, a.kv_heads, a.k_len, a.value_dim, false, true);
  Gradient result{g.dq, g.dk, g.dv, {}, {}, {}, {}, {g.d_sinks.begin(), g.d_sinks.end()}};
  const reference::MaskRules mask = setup.rules();
  std::vector<double> d_mask(setup.additive.size()), d_slopes(static_cast<std::size_t>(a.heads));
  std::size_t n = 0;
  for (int64_t b = 0; b < a.batch; b++) {
    for (int64_t h = 0; h < a.heads; h++) {
      for (int64_t i = 0; i < a.q_len; i++) {
        for (int64_t j = 0; j < a.k_len; j++, n++) {
          const int64_t at = mask.additive ? mask_index(mask, b, h, i, j) : -1;
          if (at >= 0) d_mask[static_cast<std::size_t>(at)] += g.d_bias[n];
          d_slopes[static_cast<std::size_t>(h)] -=
              std::abs(setup.position(true, b, i) - setup.position(false, b, j)) * g.d_bias[n];
        }
      }
    }
  }
  result.d_mask.assign(d_mask.begin(), d_mask.end());
  result.d_slopes.assign(d_slopes.begin(), d_slopes.end());
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
