// Digits of positions, plain and in the reflected code by its recursive definition, and the sum of
// their vectors.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// All codes of `digits` places, highest place first, in order: the code of one place less is
// repeated for each digit in front, every second time backwards.
inline std::vector<std::vector<int64_t>> reflected_codes(int64_t radix, int64_t digits, bool gray) {
  if (digits == 0) return {{}};
  const auto shorter = reflected_codes(radix, digits - 1, gray);
  std::vector<std::vector<int64_t>> codes;
  for (int64_t front = 0; front < radix; front++) {
    for (std::size_t i = 0; i < shorter.size(); i++) {
      std::vector<int64_t> code = {front};
      const auto& rest = shorter[gray && front % 2 == 1 ? shorter.size() - 1 - i : i];
      code.insert(code.end(), rest.begin(), rest.end());
      codes.push_back(code);
    }
  }
  return codes;
}

struct BinaryRule {
  int64_t dim = 0, radix = 2;
  bool zero_vector = true;
};

// Calls body(index of a vector's first number in the table) for each digit of a code that has a
// vector.
template <typename Body>
void for_digit_vectors(const BinaryRule& rule, const std::vector<int64_t>& code, Body body) {
  const int64_t skipped = rule.zero_vector ? 0 : 1;
  for (std::size_t place = 0; place < code.size(); place++) {
    const int64_t digit = code[code.size() - 1 - place];
    if (digit < skipped) continue;
    body(static_cast<std::size_t>(
        (static_cast<int64_t>(place) * (rule.radix - skipped) + digit - skipped) * rule.dim));
  }
}

}  // namespace posenc::reference
