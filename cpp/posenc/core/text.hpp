// A short text of bounded length that needs no heap: what error messages are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace posenc {

// Holds up to 191 bytes; what does not fit is cut and ends in "...".
class Text {
 public:
  constexpr Text() = default;
  Text(const char* text) noexcept;
  Text(std::string_view text) noexcept;

  Text& append(std::string_view text) noexcept;
  Text& append(const char* text) noexcept { return append(std::string_view(text)); }
  // Integers in full, other numbers to nine significant digits; NaN and Infinity as JavaScript spells them.
  Text& append(double value) noexcept;
  Text& append(int64_t value) noexcept;
  Text& append(int value) noexcept { return append(static_cast<int64_t>(value)); }

  std::string_view view() const noexcept { return {bytes_, size_}; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  static constexpr std::size_t kCapacity = 191;
  char bytes_[kCapacity] = {};
  uint8_t size_ = 0;
};

// text_of("at least ", 3, " rows") → "at least 3 rows"
template <typename... Parts>
Text text_of(const Parts&... parts) noexcept {
  Text text;
  (text.append(parts), ...);
  return text;
}

}  // namespace posenc
