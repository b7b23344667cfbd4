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
  friend Status complete(T& encoding, uint64_t seed) noexcept;
  template <typename T>
  friend Result<T> make(typename T::Options options, uint64_t seed) noexcept;
};

// What does not depend on the class: checks the fields, resolves the options and makes the
// parameters.
Status make_parameters(const Info& info, void* options, Status (*resolve)(void* options) noexcept,
                       uint64_t seed, ParameterSet& parameters) noexcept;

// What is left to do once an encoding's options are set; where it fails, the encoding is of no use.
template <typename T>
Status complete(T& encoding, uint64_t seed) noexcept {
  constexpr auto resolve = [](void* all) noexcept {
    return T::resolve(*static_cast<typename T::Options*>(all));
  };
  Status status = make_parameters(T::info, &encoding.options_, resolve, seed, encoding.parameters_);
  if (status) status = encoding.prepare();
  return status;
}

template <typename T>
Result<T> make(typename T::Options options, uint64_t seed = 0) noexcept {
  Result<T> encoding;
  encoding->options_ = std::move(options);
  if (Status status = complete(*encoding, seed); !status) return std::unexpected(status.error());
  return encoding;
}

}  // namespace posenc
