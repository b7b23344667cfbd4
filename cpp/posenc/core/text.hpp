// A short text of bounded length that needs no heap: what error messages are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace posenc {

class TextRef;

// Holds up to 191 bytes; what does not fit is cut and ends in "...". Nothing here but views is
// inline: texts are written wherever something is checked, and a page downloads each copy.
class Text {
 public:
  static constexpr std::size_t kCapacity = 191;

  Text() noexcept;
  Text(const char* text) noexcept;
  Text(std::string_view text) noexcept;

  Text& append(std::string_view text) noexcept;
  Text& append(const char* text) noexcept;
  // Integers in full, other numbers to nine significant digits; NaN and Infinity as JavaScript
  // spells them.
  Text& append(double value) noexcept;
  Text& append(int64_t value) noexcept;
  Text& append(TextRef text) noexcept;
  Text& append(int value) noexcept { return append(static_cast<int64_t>(value)); }

  std::string_view view() const noexcept { return {bytes_, size_}; }
  const char* c_str() const noexcept { return bytes_; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  char bytes_[kCapacity + 1];  // a zero behind the text
  uint8_t size_ = 0;
};

// A literal or a Text that a function takes in: a pointer, so that naming something costs a call
// nothing. What it points to has to outlive the call.
class TextRef {
 public:
  TextRef(const char* text) noexcept : text_(text) {}
  TextRef(const Text& text) noexcept : text_(text.c_str()) {}
  const char* c_str() const noexcept { return text_; }
  operator Text() const noexcept { return text_; }

 private:
  const char* text_;
};

// text_of("at least ", 3, " rows") → "at least 3 rows". Inlined: else each combination of types,
// and of the lengths of literals, were a function of its own. And chained: each part is then a call
// on what the last one gave, and nothing is kept between.
template <typename First, typename... Parts>
[[gnu::always_inline]] inline Text text_of(const First& first, const Parts&... parts) noexcept {
  if constexpr (!std::is_convertible_v<First, const char*>)
    return text_of("", first, parts...);
  else {
    Text text(first);
    Text* last = &text;
    ((last = &last->append(parts)), ...);
    return text;
  }
}

}  // namespace posenc
