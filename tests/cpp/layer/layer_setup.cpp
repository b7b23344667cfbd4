#include "layer/layer_setup.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "reference/bias/alibi.hpp"
#include "reference/rotary/rope.hpp"
#include "support/compare.hpp"

namespace posenc::testing {
namespace {

constexpr auto kSizeFields = std::to_array<Field>({
    field<&TableRows::Sizes::count>("count"),
    field<&TableRows::Sizes::dim>("dim"),
});
constexpr TensorInfo kTable[] = {{.name = "rows", .shape = "[count, dim]"}};
constexpr Info kTableInfo = {.id = "tableRows",
                             .family = Family::kInput,
                             .domain = {.kind = DomainKind::kNaturals, .limit = 1000, .axes = 1},
                             .fields = kSizeFields,
                             .tensors = kTable,
                             .docs = {}};
constexpr double kRopeBase = 100;

std::vector<double> doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }
std::size_t size_of(int64_t a, int64_t b, int64_t c = 1) {
  return static_cast<std::size_t>(a * b * c);
}

}  // namespace

TableRows::TableRows(int64_t count, int64_t dim, float scale, uint64_t seed)
    : sizes_{count, dim}, scale_(scale) {
  parameters_ = std::move(*ParameterSet::make(kTableInfo, &sizes_, 0));
  REQUIRE(parameters_.set("rows", random_floats(size_of(count, dim), seed)).has_value());
}

const Info& TableRows::info() const noexcept { return kTableInfo; }

void TableRows::encode(const Positions& positions, float* out) const noexcept {
  for (int64_t i = 0; i < positions.count; i++) {
    const auto row = static_cast<int64_t>(positions.at(i));
    for (int64_t c = 0; c < sizes_.dim; c++) *out++ = parameters_[0].values[row * sizes_.dim + c];
  }
}

void TableRows::backward(const Positions& positions, const float* d_out,
                         Gradients& gradients) const noexcept {
  for (int64_t i = 0; i < positions.count; i++) {
    const auto row = static_cast<int64_t>(positions.at(i));
    for (int64_t c = 0; c < sizes_.dim; c++) gradients.of[0][row * sizes_.dim + c] += *d_out++;
  }
}

LayerSetup LayerSetup::random(uint64_t seed) {
  Random random(seed);
  const auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random.next() % static_cast<uint64_t>(bound));
  };
  const auto pick = [&](std::initializer_list<int64_t> from) {
    return from.begin()[below(static_cast<int64_t>(from.size()))];
  };
  LayerSetup s;
  const int64_t kv = 1 + below(2);
  s.options.attention.heads = kv * (1 + below(3));
  s.options.attention.kv_heads = kv;
  s.options.head_dim = pick({2, 4, 6, 8, 16, 18});
  s.options.attention.value_dim = pick({1, 2, 3, 5, 8, 16, 17});
  s.options.dim = pick({1, 3, 7, 8, 9, 16, 17, 33, 70});
  s.batch = 1 + below(2);
  s.q_len = pick({1, 2, 3, 4, 5, 17, 64, 65});
  s.k_len = s.q_len;
  s.cross = below(3) == 0;
  if (s.cross)
    s.k_len = pick({1, 2, 5, 17, 66}),
    s.options.context_dim = below(2) == 0 ? s.options.dim : pick({1, 5, 20});
  s.options.attention.causal = static_cast<Causal>(below(3));
  if (s.cross && s.options.attention.causal == Causal::kBottomRight)
    s.options.attention.causal = Causal::kOff;
  if (below(3) == 0) s.options.attention.softcap = 0.8;
  s.options.qkv_bias = below(2) == 0;
  s.options.output_projection = below(4) != 0;
  s.options.output_bias = s.options.output_projection && below(2) == 0;
  s.options.weight_layout = static_cast<WeightLayout>(below(2));
  s.options.add_to = static_cast<AddTo>(below(3));
  if (below(3) == 0) {
    for (int64_t b = 0; b < s.batch; b++)
      s.lengths.push_back(static_cast<int32_t>(1 + below(s.k_len)));
  }
  if (below(3) == 0) {
    for (int64_t i = 0; i < s.q_len; i++) s.q_positions.push_back(static_cast<double>(below(90)));
    if (s.cross || below(2) == 0) {
      for (int64_t j = 0; j < s.k_len; j++) s.k_positions.push_back(static_cast<double>(below(90)));
    }
    if (!s.cross && !s.k_positions.empty()) s.k_positions = s.q_positions;
  }
  const bool same = s.options.context_dim.value_or(s.options.dim) == s.options.dim;
  if ((same || s.options.add_to == AddTo::kQ) && below(3) != 0) {
    s.table = std::make_unique<TableRows>(90, s.options.dim, below(2) == 0 ? 1.0F : 1.5F, seed);
  }
  if (below(2) == 0) {
    s.rope = std::make_unique<RotaryAdapter<Rope>>(
        std::move(*posenc::make<Rope>({.head_dim = *s.options.head_dim, .base = kRopeBase})));
  }
  if (below(2) == 0) {
    s.alibi = std::make_unique<DistanceBiasAdapter<Alibi>>(std::move(*posenc::make<Alibi>(
        {.heads = s.options.attention.heads, .sides = AlibiSides::kSymmetric, .trainable = true})));
  }
  s.make(seed);
  s.fill(seed);
  return s;
}

void LayerSetup::make(uint64_t seed) {
  std::vector<Encoding*> encodings;
  if (alibi) encodings.push_back(alibi.get());
  if (table) encodings.push_back(table.get());
  if (rope) encodings.push_back(rope.get());
  Result<AttentionLayer> made = AttentionLayer::make(options, encodings, seed);
  REQUIRE_MESSAGE(made.has_value(), std::string(made ? "" : made.error().parameter()));
  layer.emplace(std::move(*made));
  for (int i = 0; i < layer->parameters().count(); i++) {  // biases that are not 0
    ParameterTensor& tensor = layer->parameters()[i];
    if (tensor.shape.rank > 1) continue;
    const auto values =
        random_floats(static_cast<std::size_t>(tensor.values.size()), seed + 9, -0.5, 0.5);
    std::copy(values.begin(), values.end(), tensor.values.data());
  }
}

void LayerSetup::fill(uint64_t seed) {
  x = random_floats(size_of(batch, q_len, options.dim), seed + 1);
  if (cross)
    context = random_floats(size_of(batch, k_len, *layer->options().context_dim), seed + 2);
  d_out = random_floats(size_of(batch, q_len, width()), seed + 3);
}

LayerInputs LayerSetup::inputs() {
  LayerInputs in;
  in.x = x.data();
  in.context = cross ? context.data() : nullptr;
  in.attention.batch = batch, in.attention.q_len = q_len, in.attention.k_len = k_len;
  in.attention.key_lengths = lengths.empty() ? nullptr : lengths.data();
  const auto entries = [](const std::vector<double>& positions) {
    std::vector<Positions> list;
    if (!positions.empty())
      list.push_back(Positions::array(positions.data(), static_cast<int64_t>(positions.size())));
    return list;
  };
  q_entries_ = entries(q_positions), k_entries_ = entries(k_positions);
  in.attention.q_positions = q_entries_, in.attention.k_positions = k_entries_;
  return in;
}

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

LayerOutput run_forward(LayerSetup& setup) {
  const AttentionOptions& attention = setup.layer->options().attention;
  LayerOutput output;
  output.out.assign(size_of(setup.batch, setup.q_len, setup.width()), NAN);
  output.attended.assign(size_of(setup.batch, setup.q_len, attention.heads * *attention.value_dim),
                         NAN);
  output.lse.assign(size_of(setup.batch, setup.q_len, attention.heads), NAN);
  const Status status = setup.layer->forward(
      setup.inputs(), {output.out.data(), output.attended.data(), output.lse.data()});
  REQUIRE_MESSAGE(status.has_value(), std::string(status ? "" : status.error().parameter()));
  return output;
}

LayerGradient run_backward(LayerSetup& setup, const LayerOutput& output) {
  LayerGradient result;
  result.dx.assign(setup.x.size(), NAN), result.d_context.assign(setup.context.size(), NAN);
  LayerGradients to;
  to.dx = result.dx.data(), to.d_context = setup.cross ? result.d_context.data() : nullptr;
  const ParameterSet& parameters = setup.layer->parameters();
  for (int i = 0; i < parameters.count(); i++) {
    result.weights.emplace_back(static_cast<std::size_t>(parameters[i].values.size()), NAN);
  }
  for (std::size_t i = 0; i < result.weights.size(); i++)
    to.weights.of[i] = result.weights[i].data();
  std::vector<Gradients> of(setup.layer->encodings().size());
  std::size_t index = 0;
  if (setup.alibi) {
    result.d_slopes.assign(static_cast<std::size_t>(setup.options.attention.heads), NAN);
    of[index++].of[0] = result.d_slopes.data();
  }
  if (setup.table) {
    result.d_table.assign(static_cast<std::size_t>(setup.table->parameters()[0].values.size()),
                          NAN);
    of[index++].of[0] = result.d_table.data();
  }
  to.of = of;
  const Status status = setup.layer->backward(setup.inputs(), output.attended.data(),
                                              output.lse.data(), setup.d_out.data(), to);
  REQUIRE_MESSAGE(status.has_value(), std::string(status ? "" : status.error().parameter()));
  return result;
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
