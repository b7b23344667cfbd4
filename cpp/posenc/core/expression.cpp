#include "posenc/core/expression.hpp"

#include <cmath>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

// Recursive descent; `good` turns false at the first thing that is no expression.
struct Parser {
  std::string_view rest;
  Fields fields;
  const void* options;
  bool good = true;

  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
  }
  bool take(char c) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  double atom() {
    if (take('(')) {
      const double value = sum();
      good = good && take(')');
      return value;
    }
    std::size_t size = 0;  // take() has skipped the blanks
    while (size < rest.size() && in_name(rest[size])) size++;
    const std::string_view name = rest.substr(0, size);
    rest.remove_prefix(size);
    if (name.empty()) {
      good = false;
      return 0;
    }
    if (name.front() >= '0' && name.front() <= '9') return literal(name);
    const Field* field = find_field(fields, name);
    const std::optional<double> value = !field      ? std::nullopt
                                        : take('[') ? item(*field)
                                                    : number_of(*field, options);
    good = good && value.has_value();
    return value.value_or(0);
  }
  // A number of a list; the bracket was taken.
  std::optional<double> item(const Field& field) {
    const double place = sum();
    if (!take(']') || field.type != FieldType::kList) return std::nullopt;
    const auto& list = *static_cast<const NumberList*>(field.member(const_cast<void*>(options)));
    const auto index = static_cast<int64_t>(place);
    return index < list.size() ? std::optional(list[index]) : std::nullopt;
  }
  static double literal(std::string_view digits) {
    double value = 0;
    for (char digit : digits) value = value * 10 + (digit - '0');
    return value;
  }
  double power() {
    const double base = atom();
    return take('^') ? math::power(base, power()) : base;
  }
  double product() {
    double value = power();
    while (good) {
      if (take('*'))
        value *= power();
      else if (take('/'))
        value = std::floor(value / power());
      else
        break;
    }
    return value;
  }
  double sum() {
    double value = product();
    while (good) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        break;
    }
    return value;
  }
};

}  // namespace

Result<int64_t> evaluate(std::string_view expression, Fields fields, const void* options) noexcept {
  Parser parser{expression, fields, options};
  const double value = parser.sum();
  if (!parser.good || !parser.rest.empty()) {
    return fail(ErrorCode::kUnsupported, Text(expression), "this expression", "a size");
  }
  if (!(std::abs(value) <= 0x1p53)) {
    return fail(ErrorCode::kTooLarge, Text(expression), text_of(value), "a size below 2^53");
  }
  return static_cast<int64_t>(value);
}

}  // namespace posenc
