// The backward pass of a layer: with Y = S·W + b of a projection and the gradient G of Y,
//   dW = Sᵀ·G,  db = sum of the rows of G,  dS += G·Wᵀ,
// where S is the tokens with or without their input encodings. Queries, keys and values are made
// anew.
#include <algorithm>

#include "posenc/attention/call.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/softmax.hpp"
#include "posenc/layer/pass.hpp"

namespace posenc {
namespace {

using attn::Carver;
using kernels::Matrix;

struct LayerBackward {
  LayerPass& pass;
  const LayerGradients& gradients;
  const float *attended, *lse, *d_out;
  Buffer<Gradients> scoring;  // of attention's encodings
  float *d_attended = nullptr, *dq = nullptr, *dk = nullptr, *dv = nullptr, *d_gate_input = nullptr;
  float *dx = nullptr, *d_context = nullptr;                   // of the tokens as they came
  float *d_encoded_x = nullptr, *d_encoded_context = nullptr;  // of the tokens with their encodings
  float* cleaned = nullptr;
  bool unclean = false;

  int64_t tokens_size(const LayerTokens& tokens) const noexcept {
    return pass.batch() * tokens.length * tokens.width;
  }

  void lay_out(Carver& carver) noexcept {
    pass.lay_out(carver);
    const LayerTokens &x = pass.x(), &context = pass.context();
    const int64_t context_size = pass.self() ? 0 : tokens_size(context);
    d_attended = carver.take(pass.size_of(Part::kOutput));
    dq = carver.take(pass.size_of(Part::kQuery));
    dk = carver.take(pass.size_of(Part::kKey));
    dv = carver.take(pass.size_of(Part::kValue));
    d_gate_input = carver.take(pass.layer().attention().reads_gate_input() ? tokens_size(x) : 0);
    dx = gradients.dx ? gradients.dx : carver.take(tokens_size(x));
    d_context =
        gradients.d_context && !pass.self() ? gradients.d_context : carver.take(context_size);
    d_encoded_x = carver.take(x.encode ? tokens_size(x) : 0);
    d_encoded_context = carver.take(context.encode ? context_size : 0);
    cleaned = carver.take(unclean ? std::max(tokens_size(x), context_size) : 0);
  }

  // What hidden tokens hold, NaN included, must not reach the weights: rows without a gradient
  // count as zeros.
  const float* clean_source(Part part, const float* d, int64_t in, int64_t out) const noexcept {
    const float* source = pass.source_of(part);
    if (!unclean) return source;
    for (int64_t row = 0; row < pass.rows_of(part); row++) {
      const float* d_row = d + row * out;
      const bool counts = std::any_of(d_row, d_row + out, [](float value) { return value != 0; });
      if (counts)
        kernels::copy(source + row * in, in, cleaned + row * in);
      else
        std::fill_n(cleaned + row * in, in, 0.0F);
    }
    return cleaned;
  }

  // Gradients of a projection's weight and bias; `d` is that of what it gave.
  void differentiate_weights(Part part, const float* source, const float* d) const noexcept {
    const ParameterSet& weights = pass.layer().parameters();
    const Projection projection = projection_of(pass.options(), weights, part);
    const int64_t rows = pass.rows_of(part), in = projection.in, out = projection.out;
    const auto wanted = [&](int index) {
      return index < 0 ? nullptr : gradients.weights.of[static_cast<std::size_t>(index)];
    };
    if (float* to = wanted(bias_index(weights, part)))
      kernels::sum_rows(d, rows, out, to, pass.products());
    float* to = wanted(weight_index(weights, part));
    if (to == nullptr) return;
    const Matrix s = Matrix::rows(source, in), g = Matrix::rows(d, out);
    if (pass.options().weight_layout == WeightLayout::kInOut) {
      kernels::matmul(s.transposed(), g, {in, out, rows}, nullptr, to, pass.products());
    } else {
      kernels::matmul(g.transposed(), s, {out, in, rows}, nullptr, to, pass.products());
    }
  }

  // to += d · Wᵀ
  void add_source_gradient(Part part, const float* d, float* to) const noexcept {
    const Projection projection = projection_of(pass.options(), pass.layer().parameters(), part);
    kernels::matmul_add(Matrix::rows(d, projection.out), projection.weight.transposed(),
                        {pass.rows_of(part), projection.in, projection.out}, to, pass.products());
  }

  void begin_output() const noexcept {
    if (!pass.options().output_projection) {
      std::copy_n(d_out, pass.size_of(Part::kOutput), d_attended);
      return;
    }
    std::fill_n(d_attended, pass.size_of(Part::kOutput), 0.0F);
    add_source_gradient(Part::kOutput, d_out, d_attended);
  }

  Status differentiate_attention() noexcept {
    const AttentionOptions& options = pass.options().attention;
    const AttentionInputs& in = pass.inputs();
    const auto packed = [](auto* data, int64_t heads, int64_t length, int64_t width) {
      return HeadRows<std::remove_pointer_t<decltype(data)>>::packed(data, heads, length, width);
    };
    AttentionGradients to;
    to.dq = packed(dq, options.heads, in.q_len, options.head_dim);
    to.dk = packed(dk, *options.kv_heads, in.k_len, options.head_dim);
    to.dv = packed(dv, *options.kv_heads, in.k_len, *options.value_dim);
    if (in.gate_input.given())
      to.d_gate_input = packed(d_gate_input, options.heads, in.q_len, options.head_dim);
    to.d_mask = gradients.d_mask;
    to.d_logit_scale = gradients.d_logit_scale;
    to.d_sinks = gradients.d_sinks;
    to.of = scoring.span();
    const float* d = d_attended;
    return pass.layer().attention().backward(
        in, packed(attended, options.heads, in.q_len, *options.value_dim), lse,
        packed(d, options.heads, in.q_len, *options.value_dim), to);
  }

  void differentiate_inputs() const noexcept {
    std::fill_n(dx, tokens_size(pass.x()), 0.0F);
    if (!pass.self()) std::fill_n(d_context, tokens_size(pass.context()), 0.0F);
    if (pass.x().encode) std::fill_n(d_encoded_x, tokens_size(pass.x()), 0.0F);
    if (pass.context().encode) std::fill_n(d_encoded_context, tokens_size(pass.context()), 0.0F);
    const float* parts[] = {dq, dk, dv};
    for (std::size_t p = 0; p < 3; p++) {
      const Part part = static_cast<Part>(p);
      const Projection projection = projection_of(pass.options(), pass.layer().parameters(), part);
      differentiate_weights(part, clean_source(part, parts[p], projection.in, projection.out),
                            parts[p]);
      const bool of_x = part == Part::kQuery || pass.self();
      float* const plain = of_x ? dx : d_context;
      add_source_gradient(part, parts[p],
                          !pass.encodes(part) ? plain
                          : of_x              ? d_encoded_x
                                              : d_encoded_context);
    }
    if (pass.layer().attention().reads_gate_input()) {
      kernels::add(d_gate_input, tokens_size(pass.x()),
                   pass.encodes(Part::kQuery) ? d_encoded_x : dx);
    }
  }

  // From the last encoding to the first: the rows' gradient is that of what follows, and x was
  // scaled before.
  void differentiate_encodings(const LayerTokens& tokens, float* d_encoded,
                               float* d_tokens) const noexcept {
    if (!tokens.encode) return;
    const auto encodings = pass.layer().encodings();
    const int64_t size = tokens.length * tokens.width;
    for (int64_t b = 0; b < pass.batch(); b++) {
      float* d = d_encoded + b * size;
      for (std::size_t i = encodings.size(); i-- > 0;) {
        if (encodings[i]->info().family != Family::kInput) continue;
        const auto& encoding = static_cast<const InputEncoding&>(*encodings[i]);
        if (!gradients.of.empty() && encoding.trained()) {
          encoding.backward(tokens.row_of(b), d, gradients.of[i]);
        }
        if (encoding.input_scale() != 1) kernels::scale(d, encoding.input_scale(), size, d);
      }
      kernels::add(d, size, d_tokens + b * size);
    }
  }

  void clear_input_encodings() const noexcept {
    if (gradients.of.empty()) return;
    pass.for_input_encodings([&](const InputEncoding& encoding, std::size_t index) {
      const ParameterSet& parameters = encoding.parameters();
      for (int t = 0; t < parameters.count(); t++) {
        float* to = gradients.of[index].of[static_cast<std::size_t>(t)];
        if (to) std::fill_n(to, parameters[t].values.size(), 0.0F);
      }
    });
  }

  Status check() const noexcept {
    const auto given = static_cast<int64_t>(gradients.of.size());
    const auto encodings = static_cast<int64_t>(pass.layer().encodings().size());
    if (given != 0 && given != encodings) {
      return fail(ErrorCode::kShapeMismatch, "params", text_of(given, " entries"),
                  text_of(encodings, " entries or none"));
    }
    const int64_t rows = pass.rows_of(Part::kOutput);
    const int64_t out_size = rows * pass.layer().out_width();
    if (Status status = attn::check_given(d_out, out_size, "dOut"); !status) return status;
    if (Status status = attn::check_given(attended, pass.size_of(Part::kOutput), "attended");
        !status)
      return status;
    return attn::check_given(lse, rows * pass.options().attention.heads, "lse");
  }

  // Attention's part of the encodings' gradients, in the order of its own list.
  Status pick_scoring() noexcept {
    const auto encodings = pass.layer().encodings();
    const auto count = static_cast<int64_t>(pass.layer().attention().encodings().size());
    if (Status status = scoring.allocate(gradients.of.empty() ? 0 : count, "encodings"); !status)
      return status;
    for (std::size_t i = 0, n = 0; i < encodings.size() && scoring.size() > 0; i++) {
      if (encodings[i]->info().family == Family::kInput) continue;
      scoring[static_cast<int64_t>(n++)] = gradients.of[i];
    }
    return {};
  }
};

}  // namespace

Status AttentionLayer::backward(const LayerInputs& inputs, const float* attended, const float* lse,
                                const float* d_out,
                                const LayerGradients& gradients) const noexcept {
  LayerPass pass;
  if (Status status = pass.prepare(*this, inputs); !status) return status;
  LayerBackward work{pass, gradients, attended, lse, d_out, {}};
  if (Status status = work.check(); !status) return status;
  if (Status status = work.pick_scoring(); !status) return status;
  for (const LayerTokens* tokens : {&pass.x(), &pass.context()}) {
    if (tokens->data) work.unclean |= !kernels::all_finite(tokens->data, work.tokens_size(*tokens));
  }
  Buffer<float> memory;
  Status status = attn::carve(memory, "x", [&](Carver& carver) { work.lay_out(carver); });
  if (status) status = attn::check_inputs(*attention_, pass.inputs());
  if (!status) return status;

  pass.project_inputs();
  work.begin_output();
  if (Status status = work.differentiate_attention(); !status)
    return status;  // nothing was written before
  if (options_.output_projection) work.differentiate_weights(Part::kOutput, attended, d_out);
  work.clear_input_encodings();
  work.differentiate_inputs();
  work.differentiate_encodings(pass.x(), work.d_encoded_x, work.dx);
  work.differentiate_encodings(pass.context(), work.d_encoded_context, work.d_context);
  return {};
}

}  // namespace posenc
