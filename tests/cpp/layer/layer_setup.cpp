#include "layer/layer_setup.hpp"

#include <doctest/doctest.h>

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
std::size_t size_of(int64_t a, int64_t b, int64_t c = 1) {
  return static_cast<std::size_t>(a * b * c);
}

}  // namespace

TableRows::TableRows(int64_t count, int64_t dim, float scale, uint64_t seed)
    : sizes_{count, dim}, scale_(scale) {
  REQUIRE(parameters_.prepare(kTableInfo, &sizes_, 0));
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

}  // namespace posenc::testing
