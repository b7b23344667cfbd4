// Attention layers: how they are made, and their bulk calls.
#include "posenc/layer/layer.hpp"

#include <emscripten/emscripten.h>

#include "attention_inputs.hpp"
#include "bulk.hpp"
#include "objects.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

// The layer's own weights where bindings want an encoding.
class LayerWeights final : public NoneEncoding {
 public:
  explicit LayerWeights(AttentionLayer& layer) noexcept : layer_(layer) {}
  const Info& info() const noexcept override { return kLayerInfo; }
  const void* object() const noexcept override { return &layer_; }
  const void* options() const noexcept override { return &layer_.options(); }
  ParameterSet& parameters() noexcept override { return layer_.parameters(); }

 private:
  AttentionLayer& layer_;
};

// Builds the inputs of a layer and hands them to body.
template <typename Body>
int32_t with_inputs(const LayerCall& call, Body body) noexcept {
  const int64_t batch = call.attention->batch;
  Buffer<Positions> x, context;
  Status status = expand(call.x_positions, batch, "inputPositions.q", x);
  if (status) status = expand(call.context_positions, batch, "inputPositions.k", context);
  if (!status) return report(status);
  return with_attention_inputs(*call.attention, [&](const AttentionInputs& attention) {
    return body(LayerInputs{.x = call.x,
                            .context = call.context,
                            .attention = attention,
                            .x_positions = x.span(),
                            .context_positions = context.span()});
  });
}

}  // namespace

uintptr_t make_layer(const MakeCall& call, double seed) noexcept {
  LayerOptions options;
  if (report(read_options(kLayerFields, &options, options_of(call.options, call.option_count))) !=
      kSuccess)
    return 0;
  return owned_result(
      AttentionLayer::make(options, encodings_of(call), static_cast<uint64_t>(seed)));
}

uintptr_t make_layer_weights(const MakeCall& call, double) noexcept {
  auto& layer = *static_cast<AttentionLayer*>(const_cast<void*>(call.from));
  const Encoding* weights = new (std::nothrow) LayerWeights(layer);
  return weights == nullptr ? no_memory("weights") : reinterpret_cast<uintptr_t>(weights);
}

double layer_number(const AttentionLayer& layer, int32_t which) noexcept {
  const LayerOptions& options = layer.options();
  switch (which) {
    case number_of(kLayerNumbers, "dim"): return static_cast<double>(options.dim);
    case number_of(kLayerNumbers, "contextDim"): return static_cast<double>(*options.context_dim);
    case number_of(kLayerNumbers, "outWidth"): return static_cast<double>(layer.out_width());
    case number_of(kLayerNumbers, "inOut"):
      return options.weight_layout == WeightLayout::kInOut ? 1 : 0;
    default: return static_cast<double>(reinterpret_cast<uintptr_t>(&layer.attention()));
  }
}

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_layer_forward(const LayerCall* call) {
  return with_inputs(*call, [&](const LayerInputs& inputs) {
    const LayerOutputs outputs = {
        .out = call->out, .attended = call->attended, .lse = call->attention->lse};
    KvCache* cache = call->attention->cache;
    return cache ? call->layer->forward(inputs, outputs, *cache)
                 : call->layer->forward(inputs, outputs);
  });
}

EMSCRIPTEN_KEEPALIVE int32_t posenc_layer_scores(const LayerCall* call) {
  return with_inputs(*call, [&](const LayerInputs& inputs) {
    return call->layer->scores(inputs, static_cast<ScoreStage>(call->attention->stage), call->out);
  });
}

EMSCRIPTEN_KEEPALIVE int32_t posenc_layer_backward(const LayerCall* call) {
  const std::span<Encoding* const> encodings = call->layer->encodings();
  Buffer<Gradients> of;
  Status status = of.allocate(static_cast<int64_t>(encodings.size()), "encodings");
  if (!status) return report(status);
  float* block = call->gradients;
  const Gradients weights = gradients_at(call->layer->parameters(), block);
  for (int64_t i = 0; i < of.size(); i++)
    of[i] = gradients_at(*encodings[static_cast<std::size_t>(i)], block);
  return with_inputs(*call, [&](const LayerInputs& inputs) {
    const LayerGradients wanted = {.dx = call->dx,
                                   .d_context = call->d_context,
                                   .d_mask = call->attention->d_mask,
                                   .d_logit_scale = call->attention->d_logit_scale,
                                   .d_sinks = call->attention->d_sinks,
                                   .weights = weights,
                                   .of = of.span()};
    return call->layer->backward(inputs, call->attended, call->attention->lse, call->d_out, wanted);
  });
}

}  // extern "C"

}  // namespace posenc::bindings
