// What the adapters of all families share: a class with a family's interface around it.
#pragma once

#include <cstdint>
#include <utility>

#include "posenc/core/encoding.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

template <AnyEncoding T, typename Interface>
class Adapter : public Interface {
 public:
  Adapter() noexcept = default;
  explicit Adapter(T&& encoding) noexcept : encoding_(std::move(encoding)) {}
  T& encoding() noexcept { return encoding_; }
  const Info& info() const noexcept final { return T::info; }
  const void* object() const noexcept final { return &encoding_; }
  const void* options() const noexcept final { return &encoding_.options(); }
  Status complete(uint64_t seed) noexcept final { return posenc::complete(encoding_, seed); }
  using Interface::parameters;  // the const one too
  ParameterSet& parameters() noexcept final { return encoding_.parameters(); }
  PositionDomain domain() const noexcept final {
    if constexpr (requires { encoding_.domain(); })
      return encoding_.domain();
    else
      return T::info.domain;
  }

 protected:
  T encoding_;

 private:
  Status check_further(const Positions& positions, TextRef parameter) const noexcept final {
    if constexpr (requires { encoding_.check(positions, parameter); })
      return encoding_.check(positions, parameter);
    else
      return {};
  }
};

}  // namespace posenc
