// The same call for the plain loops.
#include <cmath>

#include "layer/layer_setup.hpp"
#include "reference/rotary/rope.hpp"

namespace posenc::testing {
namespace {

std::vector<double> doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }
std::size_t size_of(int64_t a, int64_t b) { return static_cast<std::size_t>(a * b); }

}  // namespace

double LayerSetup::position(bool query, int64_t index) const {
  const bool of_query = query || (!cross && k_positions.empty());
  const std::vector<double>& given = of_query ? q_positions : k_positions;
  return given.empty() ? static_cast<double>(index) : given[static_cast<std::size_t>(index)];
}

std::vector<double> weight_of(const LayerSetup& setup, const std::vector<float>& values,
                              int index) {
  const Shape& shape = setup.layer->parameters()[index].shape;
  if (shape.rank < 2 || setup.options.weight_layout == WeightLayout::kInOut) return doubles(values);
  std::vector<double> turned(values.size());
  for (int64_t o = 0; o < shape[0]; o++) {
    for (int64_t i = 0; i < shape[1]; i++)
      turned[size_of(i, shape[0]) + size_of(o, 1)] = values[size_of(o, shape[1]) + size_of(i, 1)];
  }
  return turned;
}

reference::Layer LayerSetup::reference() const {
  const LayerOptions& resolved = layer->options();
  const AttentionOptions& attention = resolved.attention;
  reference::Layer r;
  r.batch = batch, r.q_len = q_len, r.k_len = k_len, r.dim = resolved.dim,
  r.context_dim = *resolved.context_dim;
  r.heads = attention.heads, r.kv_heads = *attention.kv_heads;
  r.head_dim = attention.head_dim, r.value_dim = *attention.value_dim;
  r.scale = *attention.scale, r.softcap = attention.softcap;
  const auto weight = [&](std::string_view name) {
    const int index = layer->parameters().find(name);
    if (index < 0) return std::vector<double>();
    const auto values = layer->parameters()[index].values.span();
    return weight_of(*this, {values.begin(), values.end()}, index);
  };
  r.weights = {weight("Wq"), weight("Wk"), weight("Wv"), weight("Wo"),
               weight("bq"), weight("bk"), weight("bv"), weight("bo")};
  r.x = doubles(x), r.context = doubles(context);
  r.encode_keys = resolved.add_to != AddTo::kQ, r.encode_values = resolved.add_to == AddTo::kQkv;
  for (int64_t i = 0; i < q_len; i++) r.q_positions.push_back(position(true, i));
  for (int64_t j = 0; j < k_len; j++) r.k_positions.push_back(position(false, j));
  if (table) {
    r.input_scale = table->input_scale();
    const auto rows = [&](const std::vector<double>& positions) {
      std::vector<float> of_row(size_of(static_cast<int64_t>(positions.size()), resolved.dim));
      table->encode(Positions::array(positions.data(), static_cast<int64_t>(positions.size())),
                    of_row.data());
      std::vector<double> all;
      for (int64_t b = 0; b < batch; b++) all.insert(all.end(), of_row.begin(), of_row.end());
      return all;
    };
    r.x_rows = rows(r.q_positions);
    if (cross && r.encode_keys) r.context_rows = rows(r.k_positions);
  }
  if (rope) r.frequencies = reference::rope_frequencies(attention.head_dim, kRopeBase);
  for (int64_t b = 0; b < batch; b++) {
    for (int64_t h = 0; h < r.heads; h++) {
      for (int64_t i = 0; i < q_len; i++) {
        for (int64_t j = 0; j < k_len; j++) {
          const bool within = lengths.empty() || j < lengths[static_cast<std::size_t>(b)];
          r.visible.push_back(within && (attention.causal == Causal::kOff || j <= i));
          if (!alibi) continue;
          const double slope = alibi->parameters()[0].values[h];
          r.bias.push_back(-slope * std::abs(position(true, i) - position(false, j)));
        }
      }
    }
  }
  return r;
}

std::vector<double> table_gradient(const LayerSetup& setup,
                                   const reference::LayerGradient& gradient) {
  if (!setup.table) return {};
  const reference::Layer r = setup.reference();
  std::vector<double> sums(static_cast<std::size_t>(setup.table->parameters()[0].values.size()));
  const auto add = [&](const std::vector<double>& rows, const std::vector<double>& positions) {
    const auto width = static_cast<std::size_t>(r.dim);
    for (std::size_t n = 0; n < rows.size(); n++) {
      sums[static_cast<std::size_t>(positions[n / width % positions.size()]) * width + n % width] +=
          rows[n];
    }
  };
  add(gradient.d_x_rows, r.q_positions);
  add(gradient.d_context_rows, r.k_positions);
  return sums;
}

namespace {

// Sums -distance · values [batch, heads, q_len, k_len] of each head.
std::vector<double> sum_by_distance(const reference::Layer& r, const std::vector<double>& values) {
  std::vector<double> sums(static_cast<std::size_t>(r.heads));
  const auto queries = static_cast<std::size_t>(r.q_len), keys = static_cast<std::size_t>(r.k_len);
  for (std::size_t n = 0; n < values.size(); n++) {
    const double distance = std::abs(r.q_positions[n / keys % queries] - r.k_positions[n % keys]);
    sums[n / (keys * queries) % sums.size()] -= distance * values[n];
  }
  return sums;
}

}  // namespace

std::vector<double> slope_gradient(const LayerSetup& setup,
                                   const reference::LayerGradient& gradient) {
  if (!setup.alibi) return {};
  return sum_by_distance(setup.reference(), gradient.d_bias);
}

std::vector<double> slope_terms(const LayerSetup& setup, const reference::LayerGradient& gradient) {
  if (!setup.alibi) return {};
  const reference::Layer r = setup.reference();
  std::vector<double> weights = reference::layer_forward(r).weights;
  double largest = 1;
  for (std::size_t n = 0; n < weights.size(); n++) {
    if (weights[n] > 1e-3) largest = std::max(largest, std::abs(gradient.d_bias[n]) / weights[n]);
  }
  for (double& weight : weights) weight *= -largest;
  return sum_by_distance(r, weights);
}

}  // namespace posenc::testing
