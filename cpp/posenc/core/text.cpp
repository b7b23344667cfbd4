#include "posenc/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace posenc {

Text::Text() noexcept { bytes_[0] = 0; }
Text::Text(const char* text) noexcept { append(text); }
Text::Text(std::string_view text) noexcept { append(text); }

Text& Text::append(const char* text) noexcept { return append(std::string_view(text)); }
Text& Text::append(TextRef text) noexcept { return append(text.c_str()); }

Text& Text::append(std::string_view text) noexcept {
  const std::size_t room = kCapacity - size_;
  const std::size_t count = std::min(room, text.size());
  std::memcpy(bytes_ + size_, text.data(), count);
  size_ = static_cast<uint8_t>(size_ + count);
  bytes_[size_] = 0;
  if (count < text.size()) std::memcpy(bytes_ + kCapacity - 3, "...", 3);
  return *this;
}

Text& Text::append(int64_t value) noexcept {
  char digits[20];
  std::size_t count = 0;
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    digits[count++] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) append("-");
  std::reverse(digits, digits + count);
  return append(std::string_view(digits, count));
}

// A formatter of our own: std::to_chars(double) alone weighs more than several encodings.
Text& Text::append(double value) noexcept {
  if (std::isnan(value)) return append("NaN");
  if (value < 0) return append("-").append(-value);
  if (std::isinf(value)) return append("Infinity");
  if (value < 0x1p53 && value == std::floor(value)) return append(static_cast<int64_t>(value));

  constexpr int kDigits = 9;
  int exponent = kDigits - 1;
  double scaled = value;
  for (; scaled >= 1e9; exponent++) scaled /= 10;
  for (; scaled < 1e8; exponent--) scaled *= 10;
  scaled = std::round(scaled);
  if (scaled >= 1e9) {
    scaled /= 10;
    exponent++;
  }
  char digits[kDigits];
  auto rest = static_cast<int64_t>(scaled);
  for (int i = kDigits - 1; i >= 0; i--, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
  int count = kDigits;
  while (count > 1 && digits[count - 1] == '0') count--;

  const bool plain = exponent >= -6 && exponent < kDigits;
  const int point = plain ? exponent + 1 : 1;  // digits before the decimal point
  if (point <= 0) append("0.");
  for (int i = point; i < 0; i++) append("0");
  for (int i = 0; i < std::max(count, point); i++) {
    if (i == point && point > 0) append(".");
    append(std::string_view(i < count ? &digits[i] : "0", 1));
  }
  if (!plain) append("e").append(static_cast<int64_t>(exponent));
  return *this;
}

}  // namespace posenc
