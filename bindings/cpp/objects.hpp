// The objects that JavaScript holds: each is a kind and an address, which bulk calls take too. A
// few functions serve all kinds, because each that embind registers weighs something and costs time
// whenever the module is loaded.
#pragma once

#include <cstdint>

#include "names.hpp"
#include "options.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/operation.hpp"
#include "posenc/layer/layer.hpp"

namespace posenc::bindings {

// What make() makes an object from, as JavaScript writes it.
struct MakeCall {
  const char* id;    // of the encoding that is wanted, or whose operation
  const char* name;  // of the operation
  const void* from;  // a cache's attention, a copy's cache, a layer's weights' layer, an
                     // operation's encoding or null
  const OptionRecord* options;
  uint32_t option_count;
  const void* list;  // addresses of encodings, which must outlive the object; inputs of an
                     // operation (operation.cpp)
  uint32_t list_count;
};

// `kind`, `which` and `what` are places in the lists of names.hpp.

// The object's address; 0, and the error reported, where it cannot be made. `seed` starts what has
// weights.
uintptr_t make(int32_t kind, uintptr_t call, double seed);
// A number about an object.
double number(int32_t kind, uintptr_t object, int32_t which, int32_t i, int32_t axis);
void remove(int32_t kind, uintptr_t object);

// `name` is `name_bytes` long; `values` are `count` numbers. Tensors are only checked unless
// `commit`. Returns a status.
int32_t change(int32_t what, uintptr_t object, uintptr_t name, int32_t name_bytes, uintptr_t values,
               int32_t count, bool commit);

// What the functions above do for each kind (encoding.cpp, operation.cpp, ...).
uintptr_t make_encoding(const MakeCall& call, double seed) noexcept;
uintptr_t make_operation(const MakeCall& call, double seed) noexcept;
uintptr_t make_attention(const MakeCall& call, double seed) noexcept;
uintptr_t make_layer(const MakeCall& call, double seed) noexcept;
uintptr_t make_layer_weights(const MakeCall& call, double seed) noexcept;
double encoding_number(const Encoding& encoding, int32_t which, int32_t i, int32_t axis) noexcept;
double operation_number(const OperationResult& result, int32_t which, int32_t i,
                        int32_t axis) noexcept;
double attention_number(const Attention& attention, int32_t which) noexcept;
double layer_number(const AttentionLayer& layer, int32_t which) noexcept;
double cache_number(const KvCache& cache, int32_t which, int32_t row) noexcept;

inline std::span<Encoding* const> encodings_of(const MakeCall& call) noexcept {
  return {static_cast<Encoding* const*>(call.list), call.list_count};
}

}  // namespace posenc::bindings
