// The same call for the plain loops.
#include <algorithm>
#include <cmath>

#include "attention/setup.hpp"
#include "posenc/attention/sparse.hpp"

namespace posenc::testing {

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

}  // namespace posenc::testing
