// How every encoding comes to be: check the fields, resolve what depends on other fields, make the
// parameters, build the tables. posenc::make<Sinusoidal>({.dim = 512}) gives a Result<Sinusoidal>.
#pragma once

#include <cstdint>
#include <utility>

#include "posenc/core/info.hpp"
#include "posenc/core/parameters.hpp"

namespace posenc {

// Base of every encoding: its options (resolved) and its parameters.
template <typename OptionsType>
class EncodingBase {
 public:
  using Options = OptionsType;

  const Options& options() const noexcept { return options_; }
  ParameterSet& parameters() noexcept { return parameters_; }
  const ParameterSet& parameters() const noexcept { return parameters_; }

  // What an encoding may define in its own class:
  // Fills in optional fields that were not given and checks what no single field can.
  static Status resolve(Options&) noexcept { return {}; }
  // Builds tables that depend on options alone.
  Status prepare() noexcept { return {}; }

 protected:
  Options options_;
  ParameterSet parameters_;

 private:
  template <typename T>
  friend Result<T> make(typename T::Options options, uint64_t seed) noexcept;
};

template <typename T>
Result<T> make(typename T::Options options, uint64_t seed = 0) noexcept {
  if (Status status = check_fields(T::info.fields, &options); !status) {
    return std::unexpected(status.error());
  }
  if (Status status = T::resolve(options); !status) return std::unexpected(status.error());
  Result<ParameterSet> parameters = ParameterSet::make(T::info, &options, seed);
  if (!parameters) return std::unexpected(parameters.error());
  T encoding;
  encoding.options_ = std::move(options);
  encoding.parameters_ = std::move(*parameters);
  if (Status status = encoding.prepare(); !status) return std::unexpected(status.error());
  return encoding;
}

}  // namespace posenc
