// Options as JavaScript hands them over: one by one, by name. One class serves encodings, attention, caches
// and the arguments of operations, since all are described by fields.
#pragma once

#include <cstdint>
#include <string>

#include "posenc/core/draft.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/operation.hpp"

namespace posenc::bindings {

class OptionsDraft {
 public:
  // Null, and reported, where there is no such encoding or operation, or no memory.
  static OptionsDraft* of_encoding(const std::string& id) noexcept;
  static OptionsDraft* of_operation(const std::string& id, const std::string& name) noexcept;
  static OptionsDraft* of_attention() noexcept;
  static OptionsDraft* of_layer() noexcept;
  static OptionsDraft* of_cache() noexcept;

  OptionsDraft(const OptionsDraft&) = delete;
  OptionsDraft& operator=(const OptionsDraft&) = delete;
  ~OptionsDraft() { free_(options_); }

  // Each returns a status (report.hpp).
  int32_t number(const std::string& name, double value) noexcept;
  int32_t boolean(const std::string& name, bool value) noexcept;
  int32_t text(const std::string& name, const std::string& value) noexcept;
  int32_t list(const std::string& name, uintptr_t values, int32_t count) noexcept;
  // A value of a kind that no option has, described by `received`: always an error.
  int32_t refuse(const std::string& name, const std::string& received) noexcept;
  // An object of options; an error where that is no group of them.
  int32_t group(const std::string& name, const std::string& received) noexcept;
  int32_t finish() const noexcept;

  void* options() noexcept { return options_; }
  const EncodingType* encoding() const noexcept { return encoding_; }
  const Operation* operation() const noexcept { return operation_; }

 private:
  using Free = void (*)(void*) noexcept;
  OptionsDraft(Fields fields, void* options, Free free) noexcept
      : fields_(fields), options_(options), free_(free), draft_(fields, options) {}
  static OptionsDraft* make(Fields fields, void* options, Free free) noexcept;

  Fields fields_;
  void* options_;
  Free free_;
  Draft draft_;
  const EncodingType* encoding_ = nullptr;
  const Operation* operation_ = nullptr;
};

}  // namespace posenc::bindings
