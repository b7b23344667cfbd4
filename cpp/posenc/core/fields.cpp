#include "posenc/core/fields.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

template <typename T>
T& as(const Field& field, void* options) noexcept {
  return *static_cast<T*>(field.member(options));
}

// Lists of whole numbers are those whose numbers are multiples of 1.
bool integral(const Field& field) noexcept {
  return field.type == FieldType::kInteger || field.type == FieldType::kOptionalInteger ||
         field.multiple_of == 1;
}

Text allowed_range(const Field& field) noexcept {
  Text text(integral(field) ? "a whole number" : "a finite number");
  if (field.multiple_of > 1)
    text.append(", a multiple of ").append(static_cast<int64_t>(field.multiple_of));
  if (std::isfinite(field.minimum)) {
    text.append(field.above_minimum ? " above " : " of at least ").append(field.minimum);
  }
  if (std::isfinite(field.maximum)) {
    text.append(std::isfinite(field.minimum) ? " and" : "")
        .append(" at most ")
        .append(field.maximum);
  }
  return text;
}

Status check_range(const Field& field, double value, bool in_list = false) noexcept {
  const bool whole = value == std::floor(value);
  const bool fraction = integral(field) && std::isfinite(value) && !whole;
  const bool low = field.above_minimum ? !(value > field.minimum) : !(value >= field.minimum);
  const bool off_step = field.multiple_of > 0 && std::fmod(value, field.multiple_of) != 0;
  const bool far = integral(field) && std::isfinite(value) &&
                   std::abs(value) > 0x1p53;  // whole, but nothing that a cast to int64_t keeps
  if (far)
    return fail(ErrorCode::kOutOfRange, field.name, text_of(value),
                "a whole number of magnitude up to 2^53");
  if (std::isfinite(value) && !fraction && !low && value <= field.maximum && !off_step) return {};
  return fail(fraction ? ErrorCode::kInvalidType : ErrorCode::kOutOfRange, field.name,
              text_of(value),
              text_of(in_list ? "a list of numbers, each " : "", allowed_range(field).view()));
}

Text names_of(std::span<const char* const> names) noexcept {
  Text text("one of ");
  for (std::size_t i = 0; i < names.size(); i++) text.append(i > 0 ? ", " : "").append(names[i]);
  return text;
}

Text allowed_type(const Field& field) noexcept {
  switch (field.type) {
    case FieldType::kBoolean: return "true or false";
    case FieldType::kChoice: return names_of(field.choices);
    case FieldType::kList: return "a list of numbers";
    default: return allowed_range(field);
  }
}

std::unexpected<Error> wrong_type(const Field& field, TextRef received) noexcept {
  return fail(ErrorCode::kInvalidType, field.name, received, allowed_type(field));
}

Text condition_text(const Condition& condition, Fields fields) noexcept {
  Text text = text_of("only where ", condition.name, " is ");
  const Field* owner = find_field(fields, condition.name);
  if (owner->type == FieldType::kBoolean)
    return text.append(condition.mask == 2 ? "true" : "false");
  bool first = true;
  for (std::size_t i = 0; i < owner->choices.size(); i++) {
    if ((condition.mask >> i & 1) == 0) continue;
    text.append(first ? "" : " or ").append(owner->choices[i]);
    first = false;
  }
  return text;
}

}  // namespace

const Field* find_field(Fields fields, std::string_view name) noexcept {
  for (const Field& field : fields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

std::unexpected<Error> unknown_option(Fields fields, std::string_view name) noexcept {
  Text allowed(fields.empty() ? "no options" : "one of ");
  for (std::size_t i = 0; i < fields.size(); i++) {
    allowed.append(i > 0 ? ", " : "").append(fields[i].name);
  }
  return fail(ErrorCode::kUnknownOption, Text(name), Text(name), allowed);
}

Status set_number(Fields fields, void* options, std::string_view name, double value) noexcept {
  const Field* field = find_field(fields, name);
  if (field == nullptr) return unknown_option(fields, name);
  if (field->type == FieldType::kBoolean || field->type == FieldType::kChoice ||
      field->type == FieldType::kList) {
    return wrong_type(*field, text_of(value));
  }
  if (Status status = check_range(*field, value); !status) return status;
  switch (field->type) {
    case FieldType::kNumber: as<double>(*field, options) = value; break;
    case FieldType::kOptionalNumber: as<std::optional<double>>(*field, options) = value; break;
    case FieldType::kInteger: as<int64_t>(*field, options) = static_cast<int64_t>(value); break;
    default: as<std::optional<int64_t>>(*field, options) = static_cast<int64_t>(value); break;
  }
  return {};
}

Status set_boolean(Fields fields, void* options, std::string_view name, bool value) noexcept {
  const Field* field = find_field(fields, name);
  if (field == nullptr) return unknown_option(fields, name);
  if (field->type != FieldType::kBoolean) return wrong_type(*field, value ? "true" : "false");
  as<bool>(*field, options) = value;
  return {};
}

Status set_text(Fields fields, void* options, std::string_view name,
                std::string_view value) noexcept {
  const Field* field = find_field(fields, name);
  if (field == nullptr) return unknown_option(fields, name);
  const Text received = Text("\"").append(value).append("\"");
  if (field->type != FieldType::kChoice) return wrong_type(*field, received);
  for (std::size_t i = 0; i < field->choices.size(); i++) {
    if (value != field->choices[i]) continue;
    as<uint8_t>(*field, options) = static_cast<uint8_t>(i);
    return {};
  }
  return fail(ErrorCode::kOutOfRange, field->name, received, names_of(field->choices));
}

Status set_list(Fields fields, void* options, std::string_view name,
                std::span<const double> values) noexcept {
  const Field* field = find_field(fields, name);
  if (field == nullptr) return unknown_option(fields, name);
  if (field->type != FieldType::kList) return wrong_type(*field, "a list");
  for (double value : values) {
    if (Status status = check_range(*field, value, true); !status) return status;
  }
  auto& list = as<NumberList>(*field, options);
  const auto count = static_cast<int64_t>(values.size());
  if (Status status = list.allocate(count, field->name); !status) return status;
  for (std::size_t i = 0; i < values.size(); i++) list.data()[i] = values[i];
  return {};
}

std::optional<double> number_of(const Field& field, const void* constant) noexcept {
  void* options = const_cast<void*>(constant);
  switch (field.type) {
    case FieldType::kNumber: return as<double>(field, options);
    case FieldType::kOptionalNumber: return as<std::optional<double>>(field, options);
    case FieldType::kInteger: return static_cast<double>(as<int64_t>(field, options));
    case FieldType::kOptionalInteger: {
      const auto& value = as<std::optional<int64_t>>(field, options);
      return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    }
    case FieldType::kBoolean: return as<bool>(field, options) ? 1 : 0;
    case FieldType::kChoice: return as<uint8_t>(field, options);
    case FieldType::kList: return std::nullopt;
  }
  return std::nullopt;
}

bool holds(Condition condition, Fields fields, const void* options) noexcept {
  if (condition.name == nullptr) return true;
  const Field* owner = find_field(fields, condition.name);
  if (owner == nullptr || !holds(owner->condition, fields, options)) return false;
  const auto value = owner->type == FieldType::kList
                         ? static_cast<unsigned>(std::min<int64_t>(
                               as<NumberList>(*owner, const_cast<void*>(options)).size(), 31))
                         : static_cast<unsigned>(number_of(*owner, options).value_or(0));
  return (condition.mask >> value & 1) != 0;
}

Status check_applies(const Field& field, Fields fields, const void* options) noexcept {
  if (holds(field.condition, fields, options)) return {};
  return fail(ErrorCode::kUnknownOption, field.name, "a value",
              condition_text(field.condition, fields));
}

Status check_fields(Fields fields, const void* options) noexcept {
  for (const Field& field : fields) {
    if (!holds(field.condition, fields, options)) continue;
    if (field.type == FieldType::kList) {
      const auto& list = as<NumberList>(field, const_cast<void*>(options));
      if (field.is_required && list.size() == 0) {
        return missing_option(field, "an empty list");
      }
      for (double value : list.span()) {
        if (Status status = check_range(field, value, true); !status) return status;
      }
      continue;
    }
    if (field.type == FieldType::kBoolean || field.type == FieldType::kChoice) continue;
    const std::optional<double> value = number_of(field, options);
    if (!value) {
      if (!field.is_required) continue;
      return missing_option(field);
    }
    if (Status status = check_range(field, *value); !status) return status;
    if (field.at_most_field == nullptr) continue;
    const auto bound = number_of(*find_field(fields, field.at_most_field), options);
    if (bound && *value > *bound) {
      return fail(ErrorCode::kOutOfRange, field.name, text_of(*value),
                  text_of("at most ", field.at_most_field, ", which is ", *bound));
    }
  }
  return {};
}

std::unexpected<Error> refuse_value(Fields fields, std::string_view name,
                                    TextRef received) noexcept {
  const Field* field = find_field(fields, name);
  return field == nullptr ? unknown_option(fields, name) : wrong_type(*field, received);
}

std::unexpected<Error> missing_option(const Field& field, TextRef received) noexcept {
  return fail(ErrorCode::kMissingOption, field.name, received, allowed_type(field));
}

}  // namespace posenc
