#include <string_view>

#include "bench.hpp"

int main(int count, char** arguments) {
  const std::string_view wanted = count > 1 ? arguments[1] : "";
  for (auto* benchmark = posenc::bench::Benchmark::first; benchmark; benchmark = benchmark->next) {
    if (std::string_view(benchmark->name).find(wanted) != std::string_view::npos) benchmark->run();
  }
}
