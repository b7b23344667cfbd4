// Sizes written as text, "2 * window + 1": the one source of a tensor's shape for code, manifest
// and docs.
#pragma once

#include <string_view>

#include "posenc/core/error.hpp"
#include "posenc/core/fields.hpp"

namespace posenc {

// + - * / ^ and parentheses over whole numbers, the names of numeric fields and numbers of lists,
// shape[0]; `/` rounds down. Optional fields must have been given a value before
// (Options::resolve). tooLarge where the value leaves 2^53; what does not parse is a mistake in an
// encoding's table, which a test over all of them would find.
Result<int64_t> evaluate(std::string_view expression, Fields fields, const void* options) noexcept;

}  // namespace posenc
