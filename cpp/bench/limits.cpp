// What the machine allows, measured by the widest vectors of this build.
#include <vector>

#include "bench.hpp"
#include "posenc/kernels/simd.hpp"

namespace posenc::bench {
namespace {

using simd::Floats;

constexpr int kSums = 12;  // as many multiply-adds as are under way at once
constexpr int64_t kFloats = int64_t{1} << 24;

double multiply_adds() {
  constexpr int64_t kTurns = 1 << 20;
  Floats sums[kSums];
  for (int s = 0; s < kSums; s++) sums[s] = Floats(static_cast<float>(s));
  const Floats factor(0.999F), addend(0.001F);
  const double seconds = fastest([&] {
    for (int64_t turn = 0; turn < kTurns; turn++) {
      for (Floats& sum : sums) sum = simd::madd(sum, factor, addend);
    }
  });
  Floats all(0);
  for (const Floats& sum : sums) all += sum;
  keep(simd::reduce_add(all));
  return static_cast<double>(2 * kSums * simd::kLanes * kTurns) / seconds;
}

template <typename Body>
double bytes_a_second(double each, Body body) {
  return each * static_cast<double>(kFloats) / fastest(body);
}

double memory(Limit limit) {
  std::vector<float> x(kFloats, 1.0F), y(kFloats, 2.0F);
  constexpr int64_t kStep = 4 * simd::kLanes;
  static_assert(kFloats % kStep == 0);
  if (limit == Limit::kCopy) {
    return bytes_a_second(8, [&] {
      for (int64_t i = 0; i < kFloats; i += kStep) {
        for (int64_t k = 0; k < kStep; k += simd::kLanes)
          simd::store(y.data() + i + k, simd::load(x.data() + i + k));
      }
      keep(y[0]);
    });
  }
  if (limit == Limit::kFill) {
    return bytes_a_second(4, [&] {
      for (int64_t i = 0; i < kFloats; i += simd::kLanes) simd::store(y.data() + i, Floats(3.0F));
      keep(y[0]);
    });
  }
  return bytes_a_second(4, [&] {
    Floats sums[4] = {Floats(0), Floats(0), Floats(0), Floats(0)};
    for (int64_t i = 0; i < kFloats; i += kStep) {
      for (int k = 0; k < 4; k++) sums[k] += simd::load(x.data() + i + k * simd::kLanes);
    }
    keep(simd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3])));
  });
}

}  // namespace

double limit_of(Limit limit) {
  static double found[4] = {};
  double& known = found[static_cast<int>(limit)];
  if (known == 0) known = limit == Limit::kArithmetic ? multiply_adds() : memory(limit);
  return known;
}

}  // namespace posenc::bench
