// Options and encodings from a fuzzer's bytes, made by name as the bindings make them.
#pragma once

#include <memory>
#include <string_view>

#include "draw.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/operation.hpp"

namespace posenc::fuzz {

// An options struct that is freed with this.
using Options = std::unique_ptr<void, void (*)(void*) noexcept>;

// A number that some fields have to share with the others of a call, as `heads` with attention's;
// 0: any.
struct Sizes {
  int64_t heads = 0, head_dim = 0;
};

// Sets some options; those that are required, and those of `sizes`, more often than not. False
// where one was refused.
bool draw_options(Draw& draw, Fields fields, void* options, const Sizes& sizes);
// An encoding of the list, or null where its options were refused.
std::unique_ptr<Encoding> draw_encoding(Draw& draw, const EncodingType& type,
                                        const Sizes& sizes = {});
const EncodingType& draw_type(Draw& draw);

}  // namespace posenc::fuzz
