// One encoding as attention and layers hold it.
#pragma once

#include <utility>

#include "posenc/core/adapters.hpp"

namespace posenc::testing {

template <AnyEncoding T>
auto adapted(typename T::Options options, uint64_t seed = 0) {
  using Adapted = typename decltype(adapter_for<T>())::type;
  return Adapted(std::move(*make<T>(std::move(options), seed)));
}

}  // namespace posenc::testing
