// What embind offers: configuration and lifetime. Its size does not depend on the number of encodings, which
// are found by id. Bulk calls are plain exports beside it (input.cpp, rotary.cpp, bias.cpp, attention.cpp, ...).
#include <emscripten/bind.h>

#include "handles.hpp"
#include "options.hpp"

namespace posenc::bindings {

EMSCRIPTEN_BINDINGS(posenc) {
  using emscripten::allow_raw_pointers;
  using emscripten::class_;

  class_<OptionsDraft>("OptionsDraft")
      .class_function("ofEncoding", &OptionsDraft::of_encoding, allow_raw_pointers())
      .class_function("ofOperation", &OptionsDraft::of_operation, allow_raw_pointers())
      .class_function("ofAttention", &OptionsDraft::of_attention, allow_raw_pointers())
      .class_function("ofLayer", &OptionsDraft::of_layer, allow_raw_pointers())
      .class_function("ofCache", &OptionsDraft::of_cache, allow_raw_pointers())
      .function("number", &OptionsDraft::number)
      .function("boolean", &OptionsDraft::boolean)
      .function("text", &OptionsDraft::text)
      .function("list", &OptionsDraft::list)
      .function("refuse", &OptionsDraft::refuse)
      .function("group", &OptionsDraft::group);

  class_<EncodingHandle>("EncodingHandle")
      .class_function("make", &EncodingHandle::make, allow_raw_pointers())
      .function("address", &EncodingHandle::address)
      .function("number", &EncodingHandle::number)
      .function("tensorName", &EncodingHandle::tensor_name)
      .function("setTensor", &EncodingHandle::set_tensor);

  class_<AttentionHandle>("AttentionHandle")
      .class_function("make", &AttentionHandle::make, allow_raw_pointers())
      .function("address", &AttentionHandle::address)
      .function("number", &AttentionHandle::number);

  class_<LayerHandle>("LayerHandle")
      .class_function("make", &LayerHandle::make, allow_raw_pointers())
      .function("address", &LayerHandle::address)
      .function("number", &LayerHandle::number)
      .function("attention", &LayerHandle::attention, allow_raw_pointers())
      .function("weights", &LayerHandle::weights, allow_raw_pointers())
      .function("setPacked", &LayerHandle::set_packed);

  class_<CacheHandle>("CacheHandle")
      .class_function("make", &CacheHandle::make, allow_raw_pointers())
      .function("clone", &CacheHandle::clone, allow_raw_pointers())
      .function("address", &CacheHandle::address)
      .function("number", &CacheHandle::number)
      .function("truncate", &CacheHandle::truncate)
      .function("truncateRows", &CacheHandle::truncate_rows)
      .function("reorder", &CacheHandle::reorder)
      .function("slide", &CacheHandle::slide);

  class_<OperationRun>("OperationRun")
      .class_function("make", &OperationRun::make, allow_raw_pointers())
      .function("address", &OperationRun::address)
      .function("rank", &OperationRun::rank)
      .function("extent", &OperationRun::extent);
}

}  // namespace posenc::bindings
