#include "reference/bias/t5.hpp"

#include <algorithm>

namespace posenc::reference {
namespace {

// A whole number of any length: digits of base 2^32, the lowest first.
using Whole = std::vector<uint32_t>;

Whole times(Whole number, int64_t factor) {
  uint64_t carry = 0;
  for (uint32_t& digit : number) {
    carry += static_cast<uint64_t>(digit) * static_cast<uint64_t>(factor);
    digit = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry > 0) number.push_back(static_cast<uint32_t>(carry));
  return number;
}

Whole power(Whole number, int64_t base, int64_t exponent) {
  for (int64_t i = 0; i < exponent; i++) number = times(number, base);
  return number;
}

bool at_least(const Whole& a, const Whole& b) {
  if (a.size() != b.size()) return a.size() > b.size();
  return !std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

}  // namespace

int64_t t5_bucket(const Buckets& buckets, int64_t relative) {
  const int64_t side = buckets.two_sides ? buckets.count / 2 : buckets.count;
  int64_t bucket = 0, n = -relative;
  if (buckets.two_sides) {
    if (relative > 0) bucket = side;
    n = std::abs(n);
  } else {
    n = std::max<int64_t>(n, 0);
  }
  const int64_t exact = side / 2, steps = side - exact;
  if (n < exact) return bucket + n;
  int64_t m = 0;
  while (m + 1 < steps && at_least(power(power({1}, n, steps), exact, m + 1),
                                   power(power({1}, exact, steps), buckets.max_distance, m + 1))) {
    m++;
  }
  return bucket + exact + m;
}

std::vector<double> t5_bias(const Buckets& buckets, const std::vector<double>& column,
                            const std::vector<double>& query, const std::vector<double>& key) {
  std::vector<double> bias;
  for (double i : query) {
    for (double j : key) {
      bias.push_back(
          column[static_cast<std::size_t>(t5_bucket(buckets, static_cast<int64_t>(j - i)))]);
    }
  }
  return bias;
}

std::vector<double> t5_backward(const Buckets& buckets, const std::vector<double>& d_bias,
                                const std::vector<double>& query, const std::vector<double>& key) {
  std::vector<double> gradient(static_cast<std::size_t>(buckets.count));
  std::size_t at = 0;
  for (double i : query) {
    for (double j : key) {
      gradient[static_cast<std::size_t>(t5_bucket(buckets, static_cast<int64_t>(j - i)))] +=
          d_bias[at++];
    }
  }
  return gradient;
}

}  // namespace posenc::reference
