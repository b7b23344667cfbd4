#include "objects.hpp"

#include "report.hpp"

namespace posenc::bindings {
namespace {

template <typename T>
T& at(uintptr_t address) noexcept {
  return *reinterpret_cast<T*>(address);
}

uintptr_t make_cache(const MakeCall& call) noexcept {
  KvCacheOptions options;
  if (report(read_options(kKvCacheFields, &options, options_of(call.options, call.option_count))) !=
      kSuccess)
    return 0;
  return owned_result(KvCache::make(*static_cast<const Attention*>(call.from), options));
}

}  // namespace

uintptr_t make(int32_t kind, uintptr_t address, double seed) {
  const auto& call = at<const MakeCall>(address);
  switch (static_cast<Kind>(kind)) {
    case Kind::kEncoding: return make_encoding(call, seed);
    case Kind::kOperation: return make_operation(call);
    case Kind::kAttention: return make_attention(call);
    case Kind::kLayer: return make_layer(call, seed);
    case Kind::kLayerWeights: return make_layer_weights(call);
    case Kind::kCache: return make_cache(call);
    default: return owned_result(static_cast<const KvCache*>(call.from)->clone());
  }
}

double number(int32_t kind, uintptr_t object, int32_t which, int32_t i, int32_t axis) {
  switch (static_cast<Kind>(kind)) {
    case Kind::kEncoding: return encoding_number(at<const Encoding>(object), which, i, axis);
    case Kind::kOperation:
      return operation_number(at<const OperationResult>(object), which, i, axis);
    case Kind::kAttention: return attention_number(at<const Attention>(object), which);
    case Kind::kLayer: return layer_number(at<const AttentionLayer>(object), which);
    default: return cache_number(at<const KvCache>(object), which, i);
  }
}

void remove(int32_t kind, uintptr_t object) {
  switch (static_cast<Kind>(kind)) {
    case Kind::kEncoding: delete &at<Encoding>(object); break;
    case Kind::kOperation: delete &at<OperationResult>(object); break;
    case Kind::kAttention: delete &at<Attention>(object); break;
    case Kind::kLayer: delete &at<AttentionLayer>(object); break;
    default: delete &at<KvCache>(object);
  }
}

int32_t change(int32_t what, uintptr_t object, uintptr_t name, int32_t name_bytes, uintptr_t values,
               int32_t count, bool commit) {
  const std::string_view named(reinterpret_cast<const char*>(name),
                               static_cast<std::size_t>(name_bytes));
  const std::span floats(reinterpret_cast<const float*>(values), static_cast<std::size_t>(count));
  const std::span integers(reinterpret_cast<const int32_t*>(values),
                           static_cast<std::size_t>(count));
  switch (static_cast<Change>(what)) {
    case Change::kTensor: {
      ParameterSet& set = at<Encoding>(object).parameters();
      return report(commit ? set.set(named, floats) : set.check(named, floats));
    }
    case Change::kPackedTensor: {
      auto& layer = at<AttentionLayer>(object);
      return report(set_packed(layer.options(), layer.parameters(), named, floats, commit));
    }
    case Change::kTruncate: return report(at<KvCache>(object).truncate(count));
    case Change::kTruncateRows: return report(at<KvCache>(object).truncate(integers));
    case Change::kReorder: return report(at<KvCache>(object).reorder(integers));
    default: return report(at<KvCache>(object).slide(count));
  }
}

}  // namespace posenc::bindings
