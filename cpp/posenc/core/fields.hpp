// Descriptions of options: one constexpr table ties each member of an encoding's Options struct to
// its name, range and meaning. Checks, JavaScript types, error texts and sliders all follow from
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "posenc/core/doc.hpp"
#include "posenc/core/error.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

// What a member's C++ type says about its values.
enum class FieldType : uint8_t {
  kNumber,           // double
  kOptionalNumber,   // std::optional<double>
  kInteger,          // int64_t
  kOptionalInteger,  // std::optional<int64_t>
  kBoolean,          // bool
  kChoice,           // an enum over uint8_t; the names stand in Field::choices
  kList,             // Buffer<double>
};

using NumberList = Buffer<double>;

// "Only where field `name` has one of the values in `mask`" (bit i: choice i, bit 1: true, or a
// list of i numbers).
struct Condition {
  const char* name = nullptr;
  uint32_t mask = 0;
};

template <typename... Values>
constexpr Condition when(const char* name, Values... values) {
  return {name, ((1U << static_cast<unsigned>(values)) | ...)};
}

struct Field {
  const char*
      name;  // as in JavaScript: "rotaryDim"; a dot for members of a group: "scaling.factor"
  FieldType type;
  bool above_minimum = false;  // the minimum itself is not allowed
  bool is_required = false;
  [[no_unique_address]] Doc doc = {};
  // The default in words, where it depends on other fields.
  [[no_unique_address]] Doc default_doc = {};
  [[no_unique_address]] Slider slider = {};
  uint16_t offset;                      // of the member, in bytes from where the options begin
  uint16_t multiple_of = 0;             // integers and lists only; 0: any
  const char* at_most_field = nullptr;  // another integer field that bounds this one
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  Condition condition = {};
  std::span<const char* const> choices = {};

  void* member(void* options) const noexcept { return static_cast<std::byte*>(options) + offset; }

  // A copy with one thing changed: what the named ones below are made of.
  template <typename Change>
  constexpr Field with(Change change) const {
    Field copy = *this;
    change(copy);
    return copy;
  }
  constexpr Field least(double value) const {
    return with([&](Field& f) { f.minimum = value; });
  }
  constexpr Field above(double value) const {
    return with([&](Field& f) { f.minimum = value, f.above_minimum = true; });
  }
  constexpr Field most(double value) const {
    return with([&](Field& f) { f.maximum = value; });
  }
  constexpr Field most(const char* field) const {
    return with([&](Field& f) { f.at_most_field = field; });
  }
  constexpr Field multiple(uint16_t value) const {
    return with([&](Field& f) { f.multiple_of = value; });
  }
  constexpr Field required() const {
    return with([](Field& f) { f.is_required = true; });
  }
  constexpr Field only(Condition value) const {
    return with([&](Field& f) { f.condition = value; });
  }
  constexpr Field of(std::span<const char* const> names) const {
    return with([&](Field& f) { f.choices = names; });
  }
  constexpr Field about(Doc text) const {
    return with([&](Field& f) { f.doc = text; });
  }
  constexpr Field unless_given(Doc text) const {
    return with([&](Field& f) { f.default_doc = text; });
  }
  constexpr Field shown(double low, double high, bool log = false) const {
    return with([&](Field& f) { f.slider = {low, high, log}; });
  }
};

using Fields = std::span<const Field>;

template <typename T>
consteval FieldType field_type() {
  if constexpr (std::is_same_v<T, double>)
    return FieldType::kNumber;
  else if constexpr (std::is_same_v<T, std::optional<double>>)
    return FieldType::kOptionalNumber;
  else if constexpr (std::is_same_v<T, int64_t>)
    return FieldType::kInteger;
  else if constexpr (std::is_same_v<T, std::optional<int64_t>>)
    return FieldType::kOptionalInteger;
  else if constexpr (std::is_same_v<T, bool>)
    return FieldType::kBoolean;
  else if constexpr (std::is_same_v<T, NumberList>)
    return FieldType::kList;
  else {
    static_assert(std::is_enum_v<T> && sizeof(T) == 1, "no option type for this member");
    return FieldType::kChoice;
  }
}

template <typename Class, typename Member>
std::type_identity<Class> class_of(Member Class::*);

// Follows a path of member pointers: reach(o, &Options::scaling, &Scaling::factor) is
// o.scaling.factor.
template <typename Object, typename First, typename... Rest>
constexpr auto& reach(Object& object, First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return object.*first;
  else
    return reach(object.*first, rest...);
}

// Bytes from where an object begins to a member of it, which no cast tells at compile time: found
// among the bytes that share its place.
template <typename Object, auto... Path>
consteval uint16_t offset_of() {
  union Room {
    std::byte bytes[sizeof(Object)];
    Object object;
    constexpr Room() : bytes{} {}
    constexpr ~Room() {}
  } room;
  const void* member = &reach(room.object, Path...);
  uint16_t offset = 0;
  while (room.bytes + offset != member) offset++;
  return offset;
}

// field<&Options::base>("base"), or field<&Options::scaling, &Scaling::factor>("scaling.factor").
template <auto First, auto... Rest>
constexpr Field field(const char* name) {
  using Options = typename decltype(class_of(First))::type;
  using Member = std::remove_cvref_t<decltype(reach(std::declval<Options&>(), First, Rest...))>;
  return {
      .name = name, .type = field_type<Member>(), .offset = offset_of<Options, First, Rest...>()};
}

const Field* find_field(Fields fields, std::string_view name) noexcept;

// Setters for one option by name. Each checks type and range and names the field in its error.
Status set_number(Fields fields, void* options, std::string_view name, double value) noexcept;
Status set_boolean(Fields fields, void* options, std::string_view name, bool value) noexcept;
Status set_text(Fields fields, void* options, std::string_view name,
                std::string_view value) noexcept;
Status set_list(Fields fields, void* options, std::string_view name,
                std::span<const double> values) noexcept;

// A numeric field's value (choices as their index, booleans as 0 or 1); nullopt where it is not
// given.
std::optional<double> number_of(const Field& field, const void* options) noexcept;
bool holds(Condition condition, Fields fields, const void* options) noexcept;

// Ranges of all fields and their dependence on one another. Callers that fill an Options struct
// themselves (C++) and those that set options by name end here alike.
Status check_fields(Fields fields, const void* options) noexcept;
// unknownOption where the field's condition does not hold: it was given and would be ignored.
Status check_applies(const Field& field, Fields fields, const void* options) noexcept;
std::unexpected<Error> missing_option(const Field& field, TextRef received = "nothing") noexcept;
// unknownOption, naming all that is known.
std::unexpected<Error> unknown_option(Fields fields, std::string_view name) noexcept;
// invalidType for a value of a kind that no option takes, as `received` describes it: null, an
// object, ...
std::unexpected<Error> refuse_value(Fields fields, std::string_view name,
                                    TextRef received) noexcept;

}  // namespace posenc
