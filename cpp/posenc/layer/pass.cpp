#include "posenc/layer/pass.hpp"

#include <algorithm>

#include "posenc/attention/cache.hpp"
#include "posenc/attention/call.hpp"

namespace posenc {

Status LayerPass::prepare(const AttentionLayer& layer, const LayerInputs& inputs,
                          const KvCache* cache) noexcept {
  layer_ = &layer;
  inputs_ = inputs.attention;
  self_ = inputs.context == nullptr;
  if (self_) {
    inputs_.k_len = inputs_.q_len;
    if (inputs_.k_positions.empty()) inputs_.k_positions = inputs_.q_positions;
    if (inputs_.q_positions.empty()) inputs_.q_positions = inputs_.k_positions;
  }
  x_ = {inputs.x,
        inputs_.q_len,
        layer.options().dim,
        encodes(Part::kQuery),
        inputs.x_positions,
        "inputPositions.q",
        nullptr};
  context_ = {inputs.context,
              inputs_.k_len,
              *layer.options().context_dim,
              !self_ && encodes(Part::kKey),
              inputs.context_positions,
              "inputPositions.k",
              nullptr};
  if (Status status = check(); !status) return status;
  if (cache && cache->batch() != batch()) {
    return fail(ErrorCode::kShapeMismatch, "cache", text_of(cache->batch(), " rows"),
                text_of("the batch size, which is ", batch()));
  }
  if (self_ && cache == nullptr && inputs_.query_offsets == nullptr) {
    // A token's query stands where its key stands, wherever the last key of its row is.
    if (Status status = offsets_.allocate_zeros(batch(), "x"); !status) return status;
    inputs_.query_offsets = offsets_.data();
  }
  return resolve_positions(cache);
}

bool LayerPass::encodes(Part part) const noexcept {
  bool any = false;
  for_input_encodings([&](const InputEncoding&, std::size_t) { any = true; });
  switch (part) {
    case Part::kQuery: return any;
    case Part::kKey: return any && options().add_to != AddTo::kQ;
    case Part::kValue: return any && options().add_to == AddTo::kQkv;
    case Part::kOutput: return false;
  }
  return false;
}

Status LayerPass::check() const noexcept {
  if (Status status = check_tokens(x_, "x"); !status) return status;
  if (!self_) {
    if (Status status = check_tokens(context_, "context"); !status) return status;
  } else if (*options().context_dim != options().dim) {
    return fail(ErrorCode::kMissingOption, "context", "nothing",
                text_of("tokens of width ", *options().context_dim, ", which is contextDim"));
  }
  const AttentionOptions& attention = options().attention;
  const int64_t widest =
      std::max(attention.heads * attention.head_dim, attention.heads * *attention.value_dim);
  const Result<int64_t> count = element_count({batch(), x_.length, widest}, "x");
  if (!count) return std::unexpected(count.error());
  const Result<int64_t> keys =
      element_count({batch(), tokens_of(Part::kKey).length, widest}, self_ ? "x" : "context");
  return keys ? Status{} : std::unexpected(keys.error());
}

Status LayerPass::check_tokens(const LayerTokens& tokens, const char* name) const noexcept {
  const Result<int64_t> count = element_count({batch(), tokens.length, tokens.width}, name);
  return count ? attn::check_given(tokens.data, *count, name) : std::unexpected(count.error());
}

// Positions of the input encodings: their own, else those of attention's encodings, else where
// attention puts the tokens.
Status LayerPass::resolve_positions(const KvCache* cache) noexcept {
  if (Status status = default_positions_.allocate(2 * batch(), "x"); !status) return status;
  const auto rows = static_cast<std::size_t>(batch());
  for (LayerTokens* tokens : {&x_, &context_}) {
    if (!tokens->encode) continue;
    const bool query = tokens == &x_;
    const std::span<const Positions> given = query ? inputs_.q_positions : inputs_.k_positions;
    if (tokens->positions.empty()) {
      tokens->positions = given;
      tokens->positions_name = query ? "positions.q" : "positions.k";
    }
    if (tokens->positions.empty()) {
      if (query && cache && !self_) {
        return fail(ErrorCode::kMissingOption, "positions.q", "nothing",
                    "positions of the tokens, which a cache of context does not tell");
      }
      const std::span<Positions> own = default_positions_.span().subspan(query ? 0 : rows, rows);
      for (std::size_t b = 0; b < rows; b++) {
        const auto row = static_cast<int64_t>(b);
        if (cache)
          own[b] = Positions::range(cache->next_position(row), tokens->length);
        else if (query)
          own[b] = attn::resolve_row(layer_->attention(), inputs_, row).query;
        else
          own[b] = Positions::range(0, tokens->length);
      }
      tokens->positions = own;
    }
    Status status = attn::check_position_entries(tokens->positions, batch(), tokens->length,
                                                 tokens->positions_name);
    for_input_encodings([&](const InputEncoding& encoding, std::size_t) {
      for (const Positions& positions : tokens->positions) {
        if (status) status = encoding.check(positions, tokens->positions_name);
      }
    });
    if (!status) return status;
  }
  return {};
}

int64_t LayerPass::size_of(Part part) const noexcept {
  const AttentionOptions& attention = options().attention;
  switch (part) {
    case Part::kQuery: return rows_of(part) * attention.heads * attention.head_dim;
    case Part::kKey: return rows_of(part) * *attention.kv_heads * attention.head_dim;
    case Part::kValue: return rows_of(part) * *attention.kv_heads * *attention.value_dim;
    case Part::kOutput: return rows_of(part) * attention.heads * *attention.value_dim;
  }
  return 0;
}

void LayerPass::lay_out(attn::Carver& carver, bool with_values) noexcept {
  int64_t rows = 0;
  for (LayerTokens* tokens : {&x_, &context_}) {
    if (!tokens->encode) continue;
    tokens->encoded = carver.take(batch() * tokens->length * tokens->width);
    for_input_encodings([&](const InputEncoding& encoding, std::size_t) {
      rows = std::max(rows, encoding.scratch_floats(tokens->length));
    });
  }
  rows_ = carver.take(rows);
  products_ = carver.take(kernels::kMatmulScratch);
  q_ = carver.take(size_of(Part::kQuery));
  k_ = carver.take(size_of(Part::kKey));
  v_ = with_values ? carver.take(size_of(Part::kValue)) : nullptr;
  const AttentionOptions& options = this->options().attention;
  const int64_t keys = tokens_of(Part::kKey).length;
  inputs_.q = HeadRows<const float>::packed(q_, options.heads, x_.length, options.head_dim);
  inputs_.k = HeadRows<const float>::packed(k_, *options.kv_heads, keys, options.head_dim);
  inputs_.v = HeadRows<const float>::packed(v_, *options.kv_heads, keys, *options.value_dim);
  if (layer_->attention().reads_gate_input()) {
    inputs_.gate_input = HeadRows<const float>::packed(source_of(Part::kQuery), options.heads,
                                                       x_.length, options.head_dim);
  }
}

void LayerPass::encode(const LayerTokens& tokens) const noexcept {
  if (!tokens.encode) return;
  for (int64_t b = 0; b < batch(); b++) {
    const int64_t offset = b * tokens.length * tokens.width;
    const float* from = tokens.data + offset;
    for_input_encodings([&](const InputEncoding& encoding, std::size_t) {
      encoding.add(tokens.row_of(b), from, tokens.encoded + offset, rows_);
      from = tokens.encoded + offset;
    });
  }
}

void LayerPass::project(Part part, float* out) const noexcept {
  const Projection projection = projection_of(options(), layer_->parameters(), part);
  kernels::matmul(kernels::Matrix::rows(source_of(part), projection.in), projection.weight,
                  {rows_of(part), projection.out, projection.in}, projection.bias, out, products_);
}

void LayerPass::project_inputs() const noexcept {
  encode(x_);
  encode(context_);
  project(Part::kQuery, q_);
  project(Part::kKey, k_);
  if (v_) project(Part::kValue, v_);
}

void LayerPass::project_output(const float* attended, float* out) const noexcept {
  if (!options().output_projection) {
    std::copy_n(attended, size_of(Part::kOutput), out);
    return;
  }
  const Projection projection = projection_of(options(), layer_->parameters(), Part::kOutput);
  kernels::matmul(kernels::Matrix::rows(attended, projection.in), projection.weight,
                  {rows_of(Part::kOutput), projection.out, projection.in}, projection.bias, out,
                  products_);
}

}  // namespace posenc
