#include "objects.hpp"

#include <array>

#include "report.hpp"

namespace posenc::bindings {
namespace {

template <typename T>
T& at(uintptr_t address) noexcept {
  return *reinterpret_cast<T*>(address);
}

consteval int32_t kind_of(std::string_view name) { return number_of(kKinds, name); }
consteval int32_t change_of(std::string_view name) { return number_of(kChanges, name); }

uintptr_t make_cache(const MakeCall& call, double) noexcept {
  KvCacheOptions options;
  if (report(read_options(kKvCacheFields, &options, options_of(call.options, call.option_count))) !=
      kSuccess)
    return 0;
  return owned_result(KvCache::make(*static_cast<const Attention*>(call.from), options));
}

uintptr_t copy_cache(const MakeCall& call, double) noexcept {
  return owned_result(static_cast<const KvCache*>(call.from)->clone());
}

}  // namespace

// By address, not by a switch: one function with all of these in it, as the optimiser would make
// it, would be compiled as a whole before the first encoding.
uintptr_t make(int32_t kind, uintptr_t address, double seed) {
  using Make = uintptr_t (*)(const MakeCall&, double) noexcept;
  static constexpr auto kMakers = [] {
    std::array<Make, std::size(kKinds)> makers{};
    makers[kind_of("encoding")] = make_encoding;
    makers[kind_of("operation")] = make_operation;
    makers[kind_of("attention")] = make_attention;
    makers[kind_of("layer")] = make_layer;
    makers[kind_of("layerWeights")] = make_layer_weights;
    makers[kind_of("cache")] = make_cache;
    makers[kind_of("cacheCopy")] = copy_cache;
    return makers;
  }();
  return kMakers[static_cast<std::size_t>(kind)](at<const MakeCall>(address), seed);
}

double number(int32_t kind, uintptr_t object, int32_t which, int32_t i, int32_t axis) {
  switch (kind) {
    case kind_of("encoding"): return encoding_number(at<const Encoding>(object), which, i, axis);
    case kind_of("operation"):
      return operation_number(at<const OperationResult>(object), which, i, axis);
    case kind_of("attention"): return attention_number(at<const Attention>(object), which);
    case kind_of("layer"): return layer_number(at<const AttentionLayer>(object), which);
    default: return cache_number(at<const KvCache>(object), which, i);
  }
}

void remove(int32_t kind, uintptr_t object) {
  switch (kind) {
    case kind_of("encoding"): delete &at<Encoding>(object); break;
    case kind_of("operation"): delete &at<OperationResult>(object); break;
    case kind_of("attention"): delete &at<Attention>(object); break;
    case kind_of("layer"): delete &at<AttentionLayer>(object); break;
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
  switch (what) {
    case change_of("tensor"): {
      ParameterSet& set = at<Encoding>(object).parameters();
      return report(commit ? set.set(named, floats) : set.check(named, floats));
    }
    case change_of("packedTensor"): {
      auto& layer = at<AttentionLayer>(object);
      return report(set_packed(layer.options(), layer.parameters(), named, floats, commit));
    }
    case change_of("truncate"): return report(at<KvCache>(object).truncate(count));
    case change_of("truncateRows"): return report(at<KvCache>(object).truncate(integers));
    case change_of("reorder"): return report(at<KvCache>(object).reorder(integers));
    default: return report(at<KvCache>(object).slide(count));
  }
}

}  // namespace posenc::bindings
