// The elementary functions that options, tables and initial values are made with, in double. The C
// library's are built around tables that a page would download: 13 kB that do not compress. These
// are not for inner loops.
//
// Errors, tested against long double: log, log2, exp, exp2 and power below 1.5 ulp, log1p and tanh
// below 4; sine and cosine 2^-52. Every build gives the same bits.
#pragma once

#include <cstdint>

namespace posenc::math {

double log(double x) noexcept;
double log1p(double x) noexcept;
double log2(double x) noexcept;
double exp(double x) noexcept;
double exp2(double x) noexcept;  // exact where the result is a power of two
// x^y; exact for whole x and whole y from 0 to 64 where the result fits 53 bits. NaN for other
// powers of negative x.
double power(double x, double y) noexcept;
double tanh(double x) noexcept;

// Of an angle in turns, up to 2^50: whole turns are taken off exactly.
struct SineCosine {
  double sine, cosine;
};
SineCosine sine_cosine(double turns) noexcept;

}  // namespace posenc::math
