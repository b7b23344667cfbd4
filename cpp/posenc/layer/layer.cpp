#include "posenc/layer/layer.hpp"

#include <new>

#include "posenc/attention/axes.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/attention/call.hpp"
#include "posenc/layer/pass.hpp"

namespace posenc {
namespace {

using attn::Carver;

Status resolve(LayerOptions& options) noexcept {
  if (Status status = check_fields(kLayerFields, &options); !status) return status;
  AttentionOptions& attention = options.attention;
  if (!options.head_dim) {
    if (options.dim % attention.heads != 0) {
      return fail(
          ErrorCode::kOutOfRange, "dim", text_of(options.dim),
          text_of("a multiple of heads, which is ", attention.heads, ", unless headDim is given"));
    }
    options.head_dim = options.dim / attention.heads;
  }
  attention.head_dim = *options.head_dim;
  if (!options.context_dim) options.context_dim = options.dim;
  return {};
}

Status check_input(const LayerOptions& options, const InputEncoding& encoding,
                   int64_t index) noexcept {
  const Text name = text_of("encodings[", index, "]");
  if (encoding.width() != options.dim) {
    return fail(ErrorCode::kShapeMismatch, name, text_of("rows of width ", encoding.width()),
                text_of("dim, which is ", options.dim));
  }
  if (encoding.reads_x()) {
    return fail(ErrorCode::kUnsupported, name, encoding.info().id,
                "an encoding of positions: call its add(x) before the layer");
  }
  if (options.add_to == AddTo::kQ || *options.context_dim == options.dim) return {};
  return fail(ErrorCode::kUnsupported, name,
              text_of(encoding.info().id, " with contextDim ", *options.context_dim),
              "addTo 'q', or a contextDim that is dim");
}

// The same error about the encoding at another place of the list.
std::unexpected<Error> at_place(const Error& error, std::span<const int64_t> places) noexcept {
  constexpr std::string_view kStart = "encodings[";
  std::string_view parameter = error.parameter();
  if (!parameter.starts_with(kStart)) return std::unexpected(error);
  parameter.remove_prefix(kStart.size());
  std::size_t index = 0;
  for (; parameter.front() != ']'; parameter.remove_prefix(1)) {
    index = 10 * index + static_cast<std::size_t>(parameter.front() - '0');
  }
  return fail(error.code(), text_of(kStart, places[index], parameter), Text(error.received()),
              Text(error.allowed()));
}

}  // namespace

Result<AttentionLayer> AttentionLayer::make(LayerOptions options,
                                            std::span<Encoding* const> encodings,
                                            uint64_t seed) noexcept {
  AttentionLayer layer;
  if (Status status = resolve(options); !status) return std::unexpected(status.error());
  const auto count = static_cast<int64_t>(encodings.size());
  Buffer<Encoding*> scoring;
  Buffer<int64_t> places;
  Status status = layer.encodings_.allocate(count, "encodings");
  if (status) status = scoring.allocate(count, "encodings");
  if (status) status = places.allocate(count, "encodings");
  if (!status) return std::unexpected(status.error());
  int64_t scores = 0;
  for (int64_t i = 0; i < count; i++) {
    Encoding* encoding = encodings[static_cast<std::size_t>(i)];
    layer.encodings_[i] = encoding;
    if (encoding->info().family == Family::kInput) {
      status = check_input(options, *static_cast<const InputEncoding*>(encoding), i);
      if (!status) return std::unexpected(status.error());
    } else {
      places[scores] = i;
      scoring[scores++] = encoding;
    }
  }
  if (Status status = attn::check_common_axes(encodings, true); !status)
    return std::unexpected(status.error());
  Result<Attention> attention =
      Attention::make(options.attention, scoring.span().first(static_cast<std::size_t>(scores)));
  if (!attention) return at_place(attention.error(), places.span());
  options.attention = attention->options();
  if (attention->reads_gate_input() &&
      options.dim != options.attention.heads * options.attention.head_dim) {
    return fail(ErrorCode::kShapeMismatch, "encodings",
                text_of("a gate of the layer's input, which is ", options.dim, " wide"),
                text_of("a dim of heads · headDim, which is ",
                        options.attention.heads * options.attention.head_dim));
  }
  status = make_layer_weights(options, seed, layer.weights_);
  if (!status) return std::unexpected(status.error());
  layer.attention_.reset(new (std::nothrow) Attention(std::move(*attention)));
  if (!layer.attention_)
    return fail(ErrorCode::kOutOfMemory, "options", "an attention", "what memory is free");
  layer.options_ = options;
  return layer;
}

int64_t AttentionLayer::out_width() const noexcept {
  return options_.output_projection ? options_.dim
                                    : options_.attention.heads * *options_.attention.value_dim;
}

namespace {

// Both ways of forward(): `attend` runs the attention on what was projected.
template <typename Attend>
Status run_forward(LayerPass& pass, const LayerOutputs& outputs, Attend attend) noexcept {
  const AttentionOptions& options = pass.options().attention;
  float* attended = nullptr;
  Buffer<float> memory;
  Status status = attn::carve(memory, "x", [&](Carver& carver) {
    pass.lay_out(carver);
    attended = outputs.attended ? outputs.attended : carver.take(pass.size_of(Part::kOutput));
  });
  if (!status) return status;
  const int64_t out_size = pass.rows_of(Part::kOutput) * pass.layer().out_width();
  status = attn::check_given(outputs.out, out_size, "into");
  if (!status) return status;
  const AttentionOutputs to{
      HeadRows<float>::packed(attended, options.heads, pass.inputs().q_len, *options.value_dim),
      outputs.lse};
  status = attend(to);
  if (status) pass.project_output(attended, outputs.out);
  return status;
}

}  // namespace

Status AttentionLayer::forward(const LayerInputs& inputs,
                               const LayerOutputs& outputs) const noexcept {
  LayerPass pass;
  if (Status status = pass.prepare(*this, inputs); !status) return status;
  return run_forward(pass, outputs, [&](const AttentionOutputs& to) -> Status {
    if (Status status = attn::check_inputs(*attention_, pass.inputs()); !status) return status;
    pass.project_inputs();
    return attention_->forward(pass.inputs(), to);
  });
}

Status AttentionLayer::forward(const LayerInputs& inputs, const LayerOutputs& outputs,
                               KvCache& cache) const noexcept {
  LayerPass pass;
  if (Status status = pass.prepare(*this, inputs, &cache); !status) return status;
  return run_forward(pass, outputs, [&](const AttentionOutputs& to) -> Status {
    pass.project_inputs();
    return attention_->forward(pass.inputs(), to, cache);
  });
}

Status AttentionLayer::scores(const LayerInputs& inputs, ScoreStage stage,
                              float* scores) const noexcept {
  LayerPass pass;
  if (Status status = pass.prepare(*this, inputs); !status) return status;
  Buffer<float> memory;
  Status status = attn::carve(memory, "x", [&](Carver& carver) { pass.lay_out(carver, false); });
  if (status) status = attn::check_inputs(*attention_, pass.inputs(), false);
  if (!status) return status;
  pass.project_inputs();
  return attention_->scores(pass.inputs(), stage, scores);
}

}  // namespace posenc
