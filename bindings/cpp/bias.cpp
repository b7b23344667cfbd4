// Bulk calls of bias encodings: a bias written out as [heads, queries, keys], and its gradient
// taken back.
#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

const BiasEncoding& encoding_of(const BiasCall& call) noexcept {
  return static_cast<const BiasEncoding&>(*call.encoding);
}

Status check(const BiasCall& call) noexcept {
  if (const int64_t known = encoding_of(call).relations(); known > 0) {
    const Result<int64_t> pairs = checked_product(call.query.count, call.key.count, "relations");
    if (!pairs) return std::unexpected(pairs.error());
    return check_relations(call.relations, *pairs, known, "relations");
  }
  if (Status status = check_rows(call.query, 1, *call.encoding, "positions.q"); !status)
    return status;
  return check_rows(call.key, 1, *call.encoding, "positions.k");
}

// Calls body(head, tile, offset of the head's matrix) for each head; `floats` is scratch.
template <typename Body>
void for_heads(const BiasCall& call, float* values, float* sums, Body body) noexcept {
  const BiasEncoding& encoding = encoding_of(call);
  const int64_t queries = call.query.count, keys = call.key.count;
  const ScoreTile whole = {
      .first_query = 0, .queries = queries, .first_key = 0, .keys = keys, .stride = keys};
  for (int64_t h = 0; h < encoding.heads(); h++) {
    const BiasHead head = {h,    row_of(call.query, 0), row_of(call.key, 0), values,
                           sums, {call.relations, keys}};
    encoding.begin(head);
    body(head, whole, h * queries * keys);
  }
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_bias_write(const BiasCall* call) {
  if (Status status = check(*call); !status) return report(status);
  const BiasEncoding& encoding = encoding_of(*call);
  Buffer<float> values;
  Status status = values.allocate(
      encoding.scratch_floats(row_of(call->query, 0), row_of(call->key, 0)), "kLen");
  if (!status) return report(status);
  for_heads(*call, values.data(), nullptr,
            [&](const BiasHead& head, const ScoreTile& tile, int64_t offset) {
              encoding.apply(head, tile, call->out + offset, true);
            });
  return kSuccess;
}

EMSCRIPTEN_KEEPALIVE int32_t posenc_bias_backward(const BiasCall* call) {
  if (Status status = check(*call); !status) return report(status);
  const BiasEncoding& encoding = encoding_of(*call);
  const int64_t floats = encoding.scratch_floats(row_of(call->query, 0), row_of(call->key, 0));
  Buffer<float> scratch;
  if (Status status = scratch.allocate(2 * floats, "dBias"); !status) return report(status);
  float* block = call->out;
  Gradients gradients = gradients_at(encoding, block);
  for_heads(*call, scratch.data(), scratch.data() + floats,
            [&](const BiasHead& head, const ScoreTile& tile, int64_t offset) {
              encoding.accumulate(head, tile, call->d_bias + offset, gradients);
              encoding.finish(head, gradients);
            });
  return kSuccess;
}

}  // extern "C"

}  // namespace posenc::bindings
