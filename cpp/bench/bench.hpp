// Native timings: a benchmark registers itself by being declared, main() runs those whose name
// contains its argument.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace posenc::bench {

class Benchmark {
 public:
  Benchmark(const char* name, void (*run)()) : name(name), run(run), next(first) { first = this; }

  const char* name;
  void (*run)();
  Benchmark* next;
  static inline Benchmark* first = nullptr;
};

// Seconds of the fastest of several runs, for about half a second in all.
template <typename Body>
double fastest(Body body) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30, total = 0;
  for (int runs = 0; runs < 3 || total < 0.5; runs++) {
    const auto start = Clock::now();
    body();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

// Makes the compiler believe that someone reads the value.
inline void keep(float value) { asm volatile("" : : "r"(value) : "memory"); }

// What bounds a benchmark. Copying counts what is read and what is written.
enum class Limit { kArithmetic, kCopy, kFill, kRead };
// In flops or bytes a second, measured when first asked for: vectors in registers, or 64 MiB of
// memory.
double limit_of(Limit limit);

inline void report(const char* name, double seconds, double amount, Limit limit) {
  static constexpr const char* kNames[] = {"multiply-adds", "copying", "filling", "reading"};
  const double share = amount / seconds / limit_of(limit);
  std::printf("%-44s %9.3f ms %8.2f %s, %.2f of %s\n", name, seconds * 1e3, amount / seconds * 1e-9,
              limit == Limit::kArithmetic ? "GFLOP/s" : "GB/s", share,
              kNames[static_cast<int>(limit)]);
}

}  // namespace posenc::bench
