#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "posenc/core/memory.hpp"

extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:detect_leaks=1";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

// The library's allocator asks here (cmake/fuzz.cmake), and so does libFuzzer between its runs,
// which needs more. Within a run there is no more than 2 MB, so that running out of memory is as
// common as other errors, and no input takes long.
namespace {
bool scarce = false;
}
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size) {
  return scarce && size > (std::size_t{2} << 20) ? nullptr : __real_malloc(size);
}

namespace posenc::fuzz {

double Draw::number() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecial[] = {-1,
                                 0.5,
                                 1.5,
                                 0x1p31,
                                 0x1p32,
                                 -0x1p31,
                                 0x1p24,
                                 0x1p20,
                                 0x1p53,
                                 -0x1p53,
                                 1e300,
                                 -1e300,
                                 1e-300,
                                 1e38,
                                 -0.0,
                                 kInfinity,
                                 -kInfinity,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::denorm_min(),
                                 10000,
                                 4096,
                                 0x1p16,
                                 0x1p30,
                                 0x1p62};
  const int64_t kind = below(8);
  if (kind == 0) return kSpecial[below(std::size(kSpecial))];
  if (kind == 1) return static_cast<double>(between(-64, 64)) / 2;
  if (kind == 2) return bytes_.ConsumeFloatingPoint<double>();
  return static_cast<double>(below(kind == 3 ? 65 : 17));
}

std::vector<double> Draw::numbers(int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = number();
  values.shrink_to_fit();
  return values;
}

std::vector<int32_t> Draw::integers(int64_t count, int32_t around) {
  std::vector<int32_t> values(static_cast<std::size_t>(count));
  for (int32_t& value : values) {
    const int64_t kind = below(4);
    if (kind == 0)
      value = int32();
    else
      value = static_cast<int32_t>(between(-1, 3)) + (kind == 1 ? around : 0);
  }
  return values;
}

std::vector<float> filled(int64_t count, float value) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(std::max<int64_t>(count, 1)));
  values.assign(static_cast<std::size_t>(count), value);
  return values;
}

std::vector<float> Draw::floats(int64_t count) {
  std::vector<float> values = filled(count, 0);
  uint32_t state = static_cast<uint32_t>(below(256)) +
                   1;  // one byte makes all: the numbers matter less than the sizes
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(static_cast<int32_t>(state)) * 0x1p-31F;
  }
  return values;
}

std::string Draw::text() { return bytes_.ConsumeRandomLengthString(12); }

DrawnPositions draw_positions(Draw& draw, int64_t count, int axes) {
  DrawnPositions drawn;
  if (draw.chance(3)) {
    drawn.positions = Positions::range(draw.number(), count);
    return drawn;
  }
  const int given_axes = draw.chance(8) ? static_cast<int>(1 + draw.below(4)) : axes;
  drawn.values = draw.chance(2) ? draw.numbers(count * given_axes)
                                : std::vector<double>(static_cast<std::size_t>(count * given_axes));
  if (draw.chance(2)) {
    for (double& value : drawn.values) value = static_cast<double>(draw.below(16));
  }
  // No positions are still given ones.
  drawn.values.reserve(1);
  drawn.positions = Positions::array(drawn.values.data(), count, given_axes);
  return drawn;
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void expect_named(const Error& error) {
  expect(!error.parameter().empty(), "an error names its parameter");
  expect(!error.allowed().empty(), "an error says what is allowed");
}

void expect_finite(const std::vector<float>& values, const char* what) {
  expect(
      std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }),
      what);
}

}  // namespace posenc::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  posenc::fuzz::Draw draw(data, size);
  scarce = true;
  static const bool asks = !posenc::Buffer<float>().allocate(1 << 20, "memory");
  posenc::fuzz::expect(asks, "the library's allocator asks here");
  posenc::fuzz::run(draw);
  scarce = false;
  return 0;
}
