#include "posenc/core/text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

namespace posenc {
namespace {

std::string written(double value) { return std::string(text_of(value).view()); }

TEST_CASE("text: numbers read as JavaScript writes them, to nine digits") {
  CHECK(written(0) == "0");
  CHECK(written(-0.5) == "-0.5");
  CHECK(written(42) == "42");
  CHECK(written(9007199254740991.0) == "9007199254740991");
  CHECK(written(0.1) == "0.1");
  CHECK(written(-1234.5678) == "-1234.5678");
  CHECK(written(3.14159265358979) == "3.14159265");
  CHECK(written(1e-7) == "1e-7");
  CHECK(written(0.000123) == "0.000123");
  CHECK(written(2.5e20) == "2.5e20");
  CHECK(written(999999999.99) == "1e9");
  CHECK(written(NAN) == "NaN");
  CHECK(written(-INFINITY) == "-Infinity");
  CHECK(std::string(text_of(std::numeric_limits<int64_t>::min()).view()) == "-9223372036854775808");
}

TEST_CASE("text: what does not fit ends in dots") {
  Text text;
  for (int i = 0; i < 100; i++) text.append("abc");
  CHECK(text.view().size() == 191);
  CHECK(text.view().ends_with("..."));
  text.append(12.5);
  CHECK(text.view().size() == 191);
}

}  // namespace
}  // namespace posenc
