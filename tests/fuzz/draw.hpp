// What a fuzzer's bytes mean: sizes, numbers that break things, arrays. Bytes that run out give
// zeros.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/core/error.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::fuzz {

class Draw {
 public:
  Draw(const uint8_t* data, std::size_t size) : bytes_(data, size) {}

  int64_t below(int64_t bound) { return bytes_.ConsumeIntegralInRange<int64_t>(0, bound - 1); }
  int64_t between(int64_t low, int64_t high) {
    return bytes_.ConsumeIntegralInRange<int64_t>(low, high);
  }
  bool chance(int64_t one_in) { return below(one_in) == 0; }
  int32_t int32() { return bytes_.ConsumeIntegral<int32_t>(); }
  bool is_over() { return bytes_.remaining_bytes() == 0; }

  // Mostly small whole numbers and halves; else what sizes, ranges and conversions trip over: NaN,
  // infinities, the ends of 32 and 53 bits, the smallest and largest.
  double number();
  std::vector<double> numbers(int64_t count);
  // Whole numbers that ids and lengths may be: near 0, near `around`, or anything.
  std::vector<int32_t> integers(int64_t count, int32_t around);
  // Between -1 and 1, from one byte each where there are any; on the heap at its exact length, so
  // that a read past the end is found.
  std::vector<float> floats(int64_t count);
  std::string text();

 private:
  FuzzedDataProvider bytes_;
};

// So many floats at an address that is not null, though there be none: as callers of the library
// give them.
std::vector<float> filled(int64_t count, float value);

// Positions as a call takes them, in memory of their own.
struct DrawnPositions {
  std::vector<double> values;  // empty: contiguous
  Positions positions;
};
DrawnPositions draw_positions(Draw& draw, int64_t count, int axes);

// An error has to say what was wrong: a parameter and what is allowed.
void expect_named(const Error& error);
// Aborts, saying so, where what must hold does not.
void expect(bool holds, const char* what);
void expect_finite(const std::vector<float>& values, const char* what);

// What a program does with an input: each *_fuzz.cpp has its own.
void run(Draw& draw);

}  // namespace posenc::fuzz
