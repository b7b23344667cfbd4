#include "posenc/core/fields.hpp"

#include <array>
#include <string>

#include "posenc/core/draft.hpp"
#include "posenc/core/expression.hpp"
#include "posenc/core/parameters.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

enum class Shade : uint8_t { kLight, kDark, kMixed };
constexpr const char* kShadeNames[] = {"light", "dark", "mixed"};

struct Inner {
  double factor = 2;
  NumberList weights;
};
struct Options {
  int64_t width = 0;
  std::optional<int64_t> part;
  std::optional<double> share;
  bool open = false;
  Shade shade = Shade::kLight;
  Inner inner;
};

constexpr auto kFields = std::to_array<Field>({
    field<&Options::width>("width").least(1).most(100).required(),
    field<&Options::part>("part").least(2).multiple(2).most("width"),
    field<&Options::share>("share").above(0).most(1).only(when("open", true)),
    field<&Options::open>("open"),
    field<&Options::shade>("shade").of(kShadeNames),
    field<&Options::inner, &Inner::factor>("inner.factor")
        .only(when("shade", Shade::kDark, Shade::kMixed)),
    field<&Options::inner, &Inner::weights>("inner.weights")
        .least(0)
        .required()
        .only(when("shade", Shade::kMixed)),
});

struct Set {
  Options options;
  Draft draft{kFields, &options};
};

std::string allowed(const Status& status) { return std::string(status.error().allowed()); }

TEST_CASE("fields: values are checked as they are set") {
  Set set;
  CHECK(set.draft.number("width", 8).has_value());
  CHECK(set.options.width == 8);
  testing::check_error(set.draft.number("width", 8.5).error(), ErrorCode::kInvalidType, "width");
  testing::check_error(set.draft.number("width", 101).error(), ErrorCode::kOutOfRange, "width");
  testing::check_error(set.draft.number("width", NAN).error(), ErrorCode::kOutOfRange, "width");
  testing::check_error(set.draft.text("width", "8").error(), ErrorCode::kInvalidType, "width");
  testing::check_error(set.draft.number("open", 1).error(), ErrorCode::kInvalidType, "open");
  testing::check_error(set.draft.text("shade", "grey").error(), ErrorCode::kOutOfRange, "shade");
  testing::check_error(set.draft.boolean("shade", true).error(), ErrorCode::kInvalidType, "shade");
  testing::check_error(set.draft.number("depth", 1).error(), ErrorCode::kUnknownOption, "depth");
  testing::check_error(set.draft.number("part", 3).error(), ErrorCode::kOutOfRange, "part");
  CHECK(allowed(set.draft.number("part", 3)) == "a whole number, a multiple of 2 of at least 2");
  CHECK(allowed(set.draft.text("shade", "grey")) == "one of light, dark, mixed");
  CHECK(set.options.width == 8);
}

TEST_CASE("fields: what is missing or would be ignored is an error") {
  {
    Set set;
    testing::check_error(set.draft.finish().error(), ErrorCode::kMissingOption, "width");
  }
  {
    Set set;
    REQUIRE(set.draft.number("width", 8).has_value());
    REQUIRE(set.draft.number("share", 0.5).has_value());
    const Status status = set.draft.finish();
    testing::check_error(status.error(), ErrorCode::kUnknownOption, "share");
    CHECK(allowed(status) == "only where open is true");
    REQUIRE(set.draft.boolean("open", true).has_value());
    CHECK(set.draft.finish().has_value());
  }
  {
    Set set;
    REQUIRE(set.draft.number("width", 8).has_value());
    REQUIRE(set.draft.number("inner.factor", 3).has_value());
    CHECK(allowed(set.draft.finish()) == "only where shade is dark or mixed");
    REQUIRE(set.draft.text("shade", "mixed").has_value());
    testing::check_error(set.draft.finish().error(), ErrorCode::kMissingOption, "inner.weights");
    REQUIRE(set.draft.list("inner.weights", std::vector{1.0, 2.0}).has_value());
    CHECK(set.draft.finish().has_value());
    CHECK(set.options.inner.weights[1] == 2);
    CHECK(set.options.inner.factor == 3);
    testing::check_error(set.draft.list("inner.weights", std::vector{-1.0}).error(),
                         ErrorCode::kOutOfRange, "inner.weights");
  }
}

TEST_CASE("fields: a struct filled in C++ is checked as a whole") {
  Options options;
  testing::check_error(check_fields(kFields, &options).error(), ErrorCode::kOutOfRange, "width");
  options.width = 4;
  CHECK(check_fields(kFields, &options).has_value());
  options.part = 6;
  testing::check_error(check_fields(kFields, &options).error(), ErrorCode::kOutOfRange, "part");
  options.part = 4;
  options.shade = Shade::kMixed;
  testing::check_error(check_fields(kFields, &options).error(), ErrorCode::kMissingOption,
                       "inner.weights");
}

TEST_CASE("expressions: sizes from options") {
  Options options;
  options.width = 7;
  const auto value = [&](const char* text) { return *evaluate(text, kFields, &options); };
  CHECK(value("2 * width + 1") == 15);
  CHECK(value("(width - 1) / 4 ^ 1") == 1);
  CHECK(value("2 ^ width - 3 * (2 - 1)") == 125);
  CHECK(value(" width ") == 7);
  for (const char* wrong : {"width +", "width width", "part", "nothing", "(width", "", "3 $ 4"}) {
    CAPTURE(wrong);
    CHECK_FALSE(evaluate(wrong, kFields, &options).has_value());
  }
  CHECK(evaluate("width ^ 100", kFields, &options).error().code() == ErrorCode::kTooLarge);
  CHECK(*evaluate_shape("[2 * width - 1, width]", kFields, &options) == Shape{13, 7});
}

// What a cast to int64_t cannot hold was undefined.
TEST_CASE("whole numbers without a range of their own end at 2^53") {
  constexpr auto kFree = std::to_array<Field>({field<&Options::part>("part")});
  Options options;
  CHECK(set_number(kFree, &options, "part", -0x1p53).has_value());
  for (double far : {0x1p54, -0x1p63, 1e300}) {
    const Status status = set_number(kFree, &options, "part", far);
    REQUIRE(!status);
    CHECK(status.error().code() == ErrorCode::kOutOfRange);
  }
  CHECK(options.part == -(int64_t{1} << 53));
}

}  // namespace
}  // namespace posenc
