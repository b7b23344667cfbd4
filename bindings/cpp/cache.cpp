// The key/value cache: its handle and its bulk call.
#include "posenc/attention/cache.hpp"

#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "handles.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

std::span<const int32_t> integers(uintptr_t address, int32_t count) noexcept {
  return {reinterpret_cast<const int32_t*>(address), static_cast<std::size_t>(count)};
}

}  // namespace

CacheHandle* CacheHandle::make(const AttentionHandle& attention, OptionsDraft& draft) noexcept {
  if (draft.finish() != kSuccess) return nullptr;
  const auto& owner = *reinterpret_cast<const Attention*>(attention.address());
  return owned_result<CacheHandle>(
      KvCache::make(owner, *static_cast<const KvCacheOptions*>(draft.options())));
}

double CacheHandle::number(int32_t which, int32_t row) const noexcept {
  switch (which) {
    case 0: return static_cast<double>(cache_.batch());
    case 1: return static_cast<double>(cache_.capacity());
    case 2: return static_cast<double>(cache_.longest());
    case 3: return static_cast<double>(cache_.length(row));
    default: return static_cast<double>(cache_.bytes());
  }
}

CacheHandle* CacheHandle::clone() const noexcept { return owned_result<CacheHandle>(cache_.clone()); }

int32_t CacheHandle::truncate(int32_t length) noexcept { return report(cache_.truncate(length)); }
int32_t CacheHandle::truncate_rows(uintptr_t lengths, int32_t count) noexcept {
  return report(cache_.truncate(integers(lengths, count)));
}
int32_t CacheHandle::reorder(uintptr_t rows, int32_t count) noexcept {
  return report(cache_.reorder(integers(rows, count)));
}
int32_t CacheHandle::slide(int32_t length) noexcept { return report(cache_.slide(length)); }

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_cache_append(const CacheCall* call) {
  const AttentionOptions& options = call->attention->options();
  const auto positions = expand(call->positions, call->cache->batch(), "positions.k");
  if (!positions) return report(positions);
  return report(call->cache->append({
      .length = call->length,
      .k = head_rows(call->packed, call->k, *options.kv_heads, call->length, options.head_dim),
      .v = head_rows(call->packed, call->v, *options.kv_heads, call->length, *options.value_dim),
      .counts = call->counts,
      .positions = positions->span(),
  }));
}

}  // extern "C"

}  // namespace posenc::bindings
