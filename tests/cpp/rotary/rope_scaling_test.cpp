#include "posenc/rotary/scaling.hpp"

#include <cmath>

#include "posenc/rotary/rope.hpp"
#include "reference/rotary/rope.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using testing::check_close;
using enum RopeScalingType;

NumberList list_of(const std::vector<double>& values) {
  NumberList list = std::move(*NumberList::make(static_cast<int64_t>(values.size()), "list"));
  for (std::size_t i = 0; i < values.size(); i++) list[static_cast<int64_t>(i)] = values[i];
  return list;
}

RopeOptions options_of(int64_t dim, double base, RopeScaling scaling = {}) {
  return {.head_dim = dim, .rotary_dim = dim, .base = base, .scaling = std::move(scaling)};
}

std::vector<double> frequencies_of(const RopeOptions& options, double reached = 0) {
  std::vector<double> out(static_cast<std::size_t>(*options.rotary_dim / 2));
  scaled_frequencies(options, reached, 0, out);
  return out;
}

TEST_CASE("rope scaling: formulas equal the published ones, for many widths") {
  for (int64_t dim : {4, 6, 32, 64, 96, 128, 256}) {
    for (double base : {10000.0, 5e5, 1e6}) {
      CAPTURE(dim);
      CAPTURE(base);
      const auto check = [&](RopeScaling scaling, const std::vector<double>& want,
                             double reached = 0) {
        check_close(frequencies_of(options_of(dim, base, std::move(scaling)), reached), want, 1e-14,
                    "frequencies");
      };
      check({}, reference::rope_frequencies(dim, base));
      check({.type = kNtk, .factor = 4}, reference::ntk_frequencies(dim, base, 4));
      for (double length : {100.0, 2048.0, 2049.0, 8192.0}) {
        check({.type = kDynamic, .factor = 2, .original_length = 2048},
              reference::dynamic_frequencies(dim, base, 2, 2048, length), length);
      }
      for (bool truncate : {true, false}) {
        for (double original : {64.0, 4096.0}) {
          check({.type = kYarn, .factor = 8, .original_length = original, .truncate = truncate},
                reference::yarn_frequencies(dim, base, {8, original, 32, 1, truncate}));
        }
      }
      check({.type = kNtkByParts, .factor = 8, .original_length = 2048},
            reference::by_parts_frequencies(dim, base, 8, 2048));
      check({.type = kLlama3, .factor = 8, .original_length = 8192},
            reference::llama3_frequencies(dim, base, {}));
    }
  }
}

TEST_CASE("rope scaling: a part of the pairs is the same as all of them") {
  RopeScaling scaling = {.type = kYarn, .factor = 4, .original_length = 4096};
  const auto options = options_of(64, 10000, std::move(scaling));
  const auto all = frequencies_of(options);
  std::vector<double> part(7);
  scaled_frequencies(options, 0, 11, part);
  CHECK(part == std::vector<double>(all.begin() + 11, all.begin() + 18));
}

// scaling of a golden case.
RopeScaling scaling_of(const testing::GoldenCase& golden) {
  const std::string type = golden.text("rope_type");
  const double most = golden.number("max_position_embeddings");
  RopeScaling scaling;
  scaling.factor = golden.number("factor", 1);
  scaling.original_length = golden.number("original_max_position_embeddings", most);
  if (type == "linear") scaling.type = kLinear;
  if (type == "ntk-aware") scaling.type = kNtk;
  if (type == "ntk-by-parts") scaling.type = kNtkByParts;
  if (type == "dynamic") scaling.type = kDynamic, scaling.original_length = most;
  if (type == "llama3") scaling.type = kLlama3;
  if (type == "yarn") {
    scaling.type = kYarn;
    scaling.beta_fast = golden.number("beta_fast", 32);
    scaling.beta_slow = golden.number("beta_slow", 1);
    scaling.truncate = golden.name != "rope--yarn-mscale-notrunc-d24";
    if (golden.has("mscale")) scaling.mscale = golden.number("mscale");
    if (golden.has("mscale_all_dim")) scaling.mscale_all_dim = golden.number("mscale_all_dim");
  }
  if (type == "longrope") {
    scaling.type = kLongrope;
    scaling.factor = most / scaling.original_length;
    scaling.short_factor = list_of(golden.numbers("short_factor"));
    scaling.long_factor = list_of(golden.numbers("long_factor"));
  }
  return scaling;
}

TEST_CASE("rope scaling: frequencies and amplitudes of published implementations") {
  for (const char* name :
       {"dynamic-ntk-d12-short", "dynamic-ntk-d8-len100", "linear-factor4-d8", "llama3-d32",
        "longrope-long-d16", "longrope-short-d16", "ntk-aware-d12-alpha4",
        "ntk-by-parts-d32-scale8", "yarn-factor4-d32", "yarn-mscale-notrunc-d24",
        "half-d20-noncontiguous", "partial-quarter-d24"}) {
    const auto golden = testing::load_golden(std::string("rope--") + name);
    CAPTURE(golden.name);
    const double reached = golden.number("seq_len");
    const auto options = options_of(static_cast<int64_t>(golden.number("rotary_dim")),
                                    golden.number("theta"), scaling_of(golden));
    REQUIRE(check_scaling(options).has_value());
    const auto got = frequencies_of(options, reached);
    const auto& want = golden["inv_freq"].floats;
    REQUIRE(got.size() == want.size());
    for (std::size_t m = 0; m < got.size(); m++)
      CHECK(got[m] == doctest::Approx(want[m]).epsilon(1e-7));
    CHECK(rotary_amplitude(options.scaling, reached) ==
          doctest::Approx(golden.number("attention_factor", 1)).epsilon(1e-12));
  }
}

TEST_CASE("rope scaling: numbers printed in tests of Hugging Face's library") {
  const auto dynamic = frequencies_of(
      options_of(128, 10000, {.type = kDynamic, .factor = 10, .original_length = 2048}), 16384);
  CHECK(dynamic[1] == doctest::Approx(0.80931).epsilon(6e-5));
  CHECK(dynamic[63] == doctest::Approx(1.6265e-06).epsilon(6e-5));
  const auto yarn = frequencies_of(
      options_of(128, 10000, {.type = kYarn, .factor = 10, .original_length = 2048}));
  CHECK(yarn[16] == doctest::Approx(0.1).epsilon(6e-5));
  CHECK(yarn[17] == doctest::Approx(0.083479).epsilon(6e-5));
  CHECK(yarn[40] == doctest::Approx(0.00043007).epsilon(6e-5));
  CHECK(yarn[63] == doctest::Approx(1.1548e-05).epsilon(6e-5));
}

double dynamic_base(double length) {
  const auto frequencies = frequencies_of(
      options_of(128, 10000, {.type = kDynamic, .factor = 2, .original_length = 2048}), length);
  return std::pow(frequencies[63], -128.0 / 126);
}

TEST_CASE(
    "rope scaling: dynamic grows beyond the trained length and is exactly as trained up to it") {
  CHECK(dynamic_base(4096) == doctest::Approx(30527.74).epsilon(1e-6));
  CHECK(dynamic_base(8192) == doctest::Approx(72195.86).epsilon(1e-6));
  const auto trained = frequencies_of(options_of(128, 10000));
  for (double length : {0.0, 1.0, 2047.0, 2048.0}) {
    CHECK(frequencies_of(
              options_of(128, 10000, {.type = kDynamic, .factor = 2, .original_length = 2048}),
              length) == trained);
  }
}

TEST_CASE("rope scaling: a long call leaves no trace in a short one") {
  const Rope rope = std::move(*make<Rope>(
      {.head_dim = 128, .scaling = {.type = kDynamic, .factor = 2, .original_length = 2048}}));
  const Rope plain = std::move(*make<Rope>({.head_dim = 128}));
  std::vector<float> cos(100 * 64), sin = cos, long_cos = cos, long_sin = cos, plain_cos = cos,
                                    plain_sin = cos;
  const auto positions = Positions::range(1948, 100);
  rope.table(positions, {.reached = 8192}, long_cos.data(), long_sin.data());
  rope.table(positions, {.reached = 2048}, cos.data(), sin.data());
  plain.table(positions, {}, plain_cos.data(), plain_sin.data());
  CHECK(cos == plain_cos);
  CHECK(sin == plain_sin);
  CHECK(long_cos != plain_cos);
}

double yarn_amplitude(RopeScaling scaling) {
  scaling.type = kYarn;
  scaling.original_length = 4096;
  return rotary_amplitude(scaling, 0);
}

TEST_CASE("rope scaling: YaRN's amplitude") {
  CHECK(yarn_amplitude({.factor = 16}) == doctest::Approx(1.277259).epsilon(1e-6));
  CHECK(yarn_amplitude({.factor = 128}) == doctest::Approx(1.485203).epsilon(1e-6));
  CHECK(yarn_amplitude({.factor = 1}) == 1);
  CHECK(yarn_amplitude({.factor = 40, .mscale = 1, .mscale_all_dim = 1}) == 1);
  CHECK(yarn_amplitude({.factor = 40, .attention_factor = 1.0}) == 1);
  CHECK(yarn_amplitude(
            {.factor = 40, .attention_factor = 0.5, .mscale = 1, .mscale_all_dim = 0.7}) == 0.5);
  CHECK(yarn_amplitude({.factor = 2}) == doctest::Approx(1.0693147180559945).epsilon(1e-12));
}

double longrope_amplitude(RopeScaling scaling, double original, double reached = 0) {
  scaling.type = kLongrope;
  scaling.original_length = original;
  return rotary_amplitude(scaling, reached);
}

TEST_CASE("rope scaling: LongRoPE's amplitude") {
  CHECK(longrope_amplitude({.factor = 2}, 2048) ==
        doctest::Approx(1.044465935734187).epsilon(1e-12));
  CHECK(longrope_amplitude({.factor = 20}, 2048) ==
        doctest::Approx(1.1802129274332955).epsilon(1e-12));
  CHECK(longrope_amplitude({.factor = 32}, 4096) ==
        doctest::Approx(1.1902380714238083).epsilon(1e-12));
  CHECK(longrope_amplitude({.factor = 10, .attention_factor = 0.5}, 2048) == 0.5);
  // Phi-3.5-MoE has one for each list of factors.
  RopeScaling both = {.factor = 32, .short_mscale = 1.1, .long_mscale = 1.2};
  both.type = kLongrope;
  both.original_length = 4096;
  CHECK(rotary_amplitude(both, 4096) == 1.1);
  CHECK(rotary_amplitude(both, 4097) == 1.2);
}

Error refused(RopeOptions options) { return make<Rope>(std::move(options)).error(); }

TEST_CASE("rope scaling: refused combinations") {
  using testing::check_error;
  for (RopeScalingType type : {kNtk, kDynamic, kNtkByParts}) {
    check_error(
        refused({.head_dim = 2, .scaling = {.type = type, .factor = 2, .original_length = 32}}),
        ErrorCode::kOutOfRange, "rotaryDim");
  }
  for (RopeScalingType type : {kYarn, kNtkByParts}) {
    check_error(refused({.head_dim = 8,
                         .base = 1,
                         .scaling = {.type = type, .factor = 2, .original_length = 32}}),
                ErrorCode::kOutOfRange, "base");
  }
  check_error(refused({.head_dim = 8, .scaling = {.type = kLinear, .factor = 0}}),
              ErrorCode::kOutOfRange, "scaling.factor");
  check_error(refused({.head_dim = 8, .scaling = {.type = kDynamic, .factor = 2}}),
              ErrorCode::kOutOfRange, "scaling.originalLength");
  check_error(refused({.head_dim = 8,
                       .scaling = {.type = kYarn,
                                   .factor = 2,
                                   .original_length = 32,
                                   .beta_fast = 1,
                                   .beta_slow = 2}}),
              ErrorCode::kOutOfRange, "scaling.betaFast");
  check_error(
      refused({.head_dim = 8,
               .scaling = {.type = kYarn, .factor = 2, .original_length = 32, .mscale = 1}}),
      ErrorCode::kMissingOption, "scaling.mscaleAllDim");
  check_error(
      refused(
          {.head_dim = 8,
           .scaling = {.type = kLlama3, .factor = 8, .original_length = 32, .low_freq_factor = 4}}),
      ErrorCode::kOutOfRange, "scaling.highFreqFactor");
  check_error(refused({.head_dim = 8,
                       .scaling = {.type = kLongrope,
                                   .factor = 2,
                                   .original_length = 32,
                                   .short_factor = list_of({1, 1, 1}),
                                   .long_factor = list_of({1, 1, 1, 1})}}),
              ErrorCode::kShapeMismatch, "scaling.shortFactor");
}

}  // namespace
}  // namespace posenc
