// The key/value cache: numbers about it and its bulk call.
#include "posenc/attention/cache.hpp"

#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "objects.hpp"
#include "report.hpp"

namespace posenc::bindings {

consteval int32_t the(std::string_view name) { return number_of(kCacheNumbers, name); }

double cache_number(const KvCache& cache, int32_t which, int32_t row) noexcept {
  switch (which) {
    case the("batch"): return static_cast<double>(cache.batch());
    case the("capacity"): return static_cast<double>(cache.capacity());
    case the("longest"): return static_cast<double>(cache.longest());
    case the("length"): return static_cast<double>(cache.length(row));
    default: return static_cast<double>(cache.bytes());
  }
}

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_cache_append(const CacheCall* call) {
  const AttentionOptions& options = call->attention->options();
  Buffer<Positions> positions;
  Status status = expand(call->positions, call->cache->batch(), "positions.k", positions);
  if (!status) return report(status);
  return report(call->cache->append({
      .length = call->length,
      .k = head_rows(call->packed, call->k, *options.kv_heads, call->length, options.head_dim),
      .v = head_rows(call->packed, call->v, *options.kv_heads, call->length, *options.value_dim),
      .counts = call->counts,
      .positions = positions.span(),
  }));
}

}  // extern "C"

}  // namespace posenc::bindings
