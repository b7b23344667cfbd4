// What JavaScript holds: an owner per kind of object, with the few numbers that the TypeScript classes need.
// Bulk calls get the address of the object inside and go past these classes. make() and clone() return null
// on an error, which is reported.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "options.hpp"
#include "report.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/relative.hpp"
#include "posenc/layer/layer.hpp"

namespace posenc::bindings {

// An encoding of any family; the getters of one family are called for encodings of that family only.
class EncodingHandle {
 public:
  explicit EncodingHandle(std::unique_ptr<Encoding> encoding) noexcept : encoding_(std::move(encoding)) {}
  static EncodingHandle* make(OptionsDraft& draft, double seed) noexcept;

  uintptr_t address() const noexcept { return reinterpret_cast<uintptr_t>(encoding_.get()); }
  // Numbers about it, in the order of `getters` in bindings/js/wasm.ts. One function gives them all: each that embind
  // registers costs time whenever the module is loaded.
  double number(int32_t which, int32_t i, int32_t axis) const noexcept;

  std::string tensor_name(int32_t i) const noexcept { return tensor(i).info->name; }
  // Checks the values; copies them in where `commit`. Returns a status.
  int32_t set_tensor(const std::string& name, uintptr_t values, int32_t count, bool commit) noexcept;

 private:
  double family_number(int32_t which, int32_t i) const noexcept;
  template <typename Interface>
  const Interface& as() const noexcept {
    return static_cast<const Interface&>(*encoding_);
  }
  const ParameterTensor& tensor(int32_t i) const noexcept { return std::as_const(*encoding_).parameters()[i]; }

  std::unique_ptr<Encoding> encoding_;
};

class AttentionHandle {
 public:
  explicit AttentionHandle(Attention attention) noexcept : own_(std::move(attention)), attention_(&own_) {}
  // Of an attention that lives elsewhere, and longer.
  explicit AttentionHandle(const Attention* attention) noexcept : attention_(attention) {}
  // `encodings` is the address of `count` addresses of encodings, which must outlive the attention.
  static AttentionHandle* make(OptionsDraft& draft, uintptr_t encodings, int32_t count) noexcept;

  uintptr_t address() const noexcept { return reinterpret_cast<uintptr_t>(attention_); }
  double number(int32_t which) const noexcept;

 private:
  Attention own_;
  const Attention* attention_;
};

class LayerHandle {
 public:
  explicit LayerHandle(AttentionLayer layer) noexcept : layer_(std::move(layer)) {}
  // `encodings` is the address of `count` addresses of encodings, which must outlive the layer.
  static LayerHandle* make(OptionsDraft& draft, uintptr_t encodings, int32_t count, double seed) noexcept;

  uintptr_t address() const noexcept { return reinterpret_cast<uintptr_t>(&layer_); }
  double number(int32_t which) const noexcept;
  // Its attention, and its own weights as the tensors of an encoding; both must not outlive the layer.
  AttentionHandle* attention() const noexcept { return owned<AttentionHandle>(&layer_.attention()); }
  EncodingHandle* weights() noexcept;
  // Of Wq, Wk and Wv side by side, or their biases: checks, and splits them where `commit`. Returns a status.
  int32_t set_packed(const std::string& name, uintptr_t values, int32_t count, bool commit) noexcept;

 private:
  AttentionLayer layer_;
};

class CacheHandle {
 public:
  explicit CacheHandle(KvCache cache) noexcept : cache_(std::move(cache)) {}
  static CacheHandle* make(const AttentionHandle& attention, OptionsDraft& draft) noexcept;
  CacheHandle* clone() const noexcept;

  uintptr_t address() const noexcept { return reinterpret_cast<uintptr_t>(&cache_); }
  double number(int32_t which, int32_t row) const noexcept;

  // Each returns a status. Lists are int32 by address and count.
  int32_t truncate(int32_t length) noexcept;
  int32_t truncate_rows(uintptr_t lengths, int32_t count) noexcept;
  int32_t reorder(uintptr_t rows, int32_t count) noexcept;
  int32_t slide(int32_t length) noexcept;

 private:
  KvCache cache_;
};

// Runs the operation that `draft` names and holds its result until JavaScript has copied it.
class OperationRun {
 public:
  explicit OperationRun(OperationResult result) noexcept : result_(std::move(result)) {}
  // Inputs stand at `inputs` as rows of { address of doubles, element count, rank, extents[8] }, uint32 each; an
  // address of 0 means left out.
  static OperationRun* make(OptionsDraft& draft, uintptr_t encoding, uintptr_t inputs, int32_t count) noexcept;

  // Of one of the results, which stand in the order of Operation::results.
  uintptr_t address(int32_t i) const noexcept { return reinterpret_cast<uintptr_t>(result(i).data.data()); }
  int32_t rank(int32_t i) const noexcept { return result(i).shape.rank; }
  int32_t extent(int32_t i, int32_t axis) const noexcept { return static_cast<int32_t>(result(i).shape[axis]); }

 private:
  const OperationResult& result(int32_t i) const noexcept {
    const OperationResult* result = &result_;
    while (i-- > 0) result = result->next.get();
    return *result;
  }

  OperationResult result_;
};

}  // namespace posenc::bindings
