// Options set one by one by name, as the bindings receive them: each value is checked at once and
// written straight into the Options struct; finish() finds what is missing or would be ignored.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/core/fields.hpp"

namespace posenc {

class Draft {
 public:
  // `options` is a struct that `fields` describe, filled with its defaults; it must outlive the
  // draft.
  Draft(Fields fields, void* options) noexcept : fields_(fields), options_(options) {}

  Status number(std::string_view name, double value) noexcept {
    return note(name, set_number(fields_, options_, name, value));
  }
  Status boolean(std::string_view name, bool value) noexcept {
    return note(name, set_boolean(fields_, options_, name, value));
  }
  Status text(std::string_view name, std::string_view value) noexcept {
    return note(name, set_text(fields_, options_, name, value));
  }
  Status list(std::string_view name, std::span<const double> values) noexcept {
    return note(name, set_list(fields_, options_, name, values));
  }

  // missingOption for a required field not set, unknownOption for one set where it does not apply.
  Status finish() const noexcept {
    for (std::size_t i = 0; i < fields_.size(); i++) {
      const bool set = (seen_ >> i & 1) != 0;
      const bool applies = holds(fields_[i].condition, fields_, options_);
      if (set) {
        if (Status status = check_applies(fields_[i], fields_, options_); !status) return status;
      } else if (fields_[i].is_required && applies) {
        return missing_option(fields_[i]);
      }
    }
    return {};
  }

 private:
  Status note(std::string_view name, Status status) noexcept {
    if (status) seen_ |= uint64_t{1} << (find_field(fields_, name) - fields_.data());
    return status;
  }

  Fields fields_;
  void* options_;
  uint64_t seen_ = 0;  // bit i: field i was set
};

}  // namespace posenc
