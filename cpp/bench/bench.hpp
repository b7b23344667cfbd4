// Native timings: a benchmark registers itself by being declared, main() runs those whose name contains its argument.
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

inline void report(const char* name, double seconds, double amount, const char* unit) {
  std::printf("%-44s %9.3f ms %8.2f %s\n", name, seconds * 1e3, amount / seconds * 1e-9, unit);
}

}  // namespace posenc::bench
