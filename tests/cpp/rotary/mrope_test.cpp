#include "posenc/rotary/mrope.hpp"

#include <algorithm>

#include "reference/rotary/mrope.hpp"
#include "rotary/turned.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using reference::Coordinates;
using testing::check_close;
using testing::doubles;
using testing::list_of;
using testing::random_floats;
using testing::turned;
using enum RopeScalingType;

RotaryAdapter<Mrope> adapted(RopeOptions rope, const std::vector<double>& sections,
                             SectionOrder order = SectionOrder::kChunked) {
  return RotaryAdapter<Mrope>(std::move(*make<Mrope>({std::move(rope), list_of(sections), order})));
}

std::vector<double> flat(const Coordinates& positions) {
  std::vector<double> all;
  for (const auto& token : positions) all.insert(all.end(), token.begin(), token.end());
  return all;
}

Positions given(const std::vector<double>& values, int axes = 3) {
  return Positions::array(values.data(), static_cast<int64_t>(values.size()) / axes, axes);
}

OperationResult run(const std::vector<double>& parts, int64_t width, double start = 0) {
  const TensorView<const double> input{parts, {static_cast<int64_t>(parts.size()) / width, width}};
  auto result = multimodal_positions({.start = start}, std::span(&input, 1));
  REQUIRE(result.has_value());
  return std::move(*result);
}

std::vector<double> values(const OperationResult& result) {
  return {result.data.data(), result.data.data() + result.data.size()};
}

TEST_CASE("mrope: published implementations") {
  for (const auto& [name, order] :
       {std::pair("mrope--qwen2vl-d16-sections-2-3-3", SectionOrder::kChunked),
        std::pair("mrope--qwen3vl-interleaved-d16-4-2-2", SectionOrder::kInterleaved)}) {
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    const auto& ids = golden["position_ids"].ints;  // [3, tokens]
    const std::size_t tokens = ids.size() / 3;
    Coordinates positions;
    for (std::size_t i = 0; i < tokens; i++) {
      positions.push_back({static_cast<double>(ids[i]), static_cast<double>(ids[tokens + i]),
                           static_cast<double>(ids[2 * tokens + i])});
    }
    const auto sections = golden.numbers("mrope_section");
    const auto rope = adapted({.head_dim = 16}, sections, order);
    const auto angles =
        reference::mrope_angles(positions, 16, 10000, {sections.begin(), sections.end()},
                                order == SectionOrder::kInterleaved);
    const auto all = flat(positions);
    for (const char* side : {"q", "k"}) {
      const auto& x = golden[side].floats;
      const auto& out = golden[std::string(side) + "_out"].floats;
      check_close(turned(rope, x, given(all)), out, bound, golden.name);
      check_close(reference::turned_by(doubles(x), 16, angles, false), out, bound,
                  golden.name + " reference");
    }
    if (golden.tensors.count("axis") == 0) continue;
    const Mrope plain = std::move(*make<Mrope>({{.head_dim = 16}, list_of(sections), order}));
    const auto axis = std::move(*mrope_axis_of_pairs(plain, {}, {}));
    CHECK(std::equal(axis.data.data(), axis.data.data() + 8, golden["axis"].ints.begin()));
  }
}

TEST_CASE("mrope: sections 24 20 20, in their two orders") {
  const auto axes = [](SectionOrder order) {
    const Mrope rope = std::move(*make<Mrope>({{.head_dim = 128}, list_of({24, 20, 20}), order}));
    return values(*mrope_axis_of_pairs(rope, {}, {}));
  };
  const auto chunked = axes(SectionOrder::kChunked), interleaved = axes(SectionOrder::kInterleaved);
  for (std::size_t m = 0; m < 64; m++) {
    CHECK(chunked[m] == (m < 24 ? 0 : m < 44 ? 1 : 2));
    CHECK(interleaved[m] == (m < 60 ? static_cast<double>(m % 3) : 0));
  }
  const std::vector<double> position = {5, 7, 9};
  std::vector<float> cos(64), sin(64);
  const double frequency = std::pow(10000, -1.0 / 64);
  for (const auto order : {SectionOrder::kChunked, SectionOrder::kInterleaved}) {
    adapted({.head_dim = 128}, {24, 20, 20}, order)
        .table(given(position), {}, cos.data(), sin.data());
    CHECK(cos[1] == doctest::Approx(std::cos((order == SectionOrder::kChunked ? 5 : 7) * frequency))
                        .epsilon(1e-6));
  }
}

TEST_CASE(
    "mrope: equal axes equal RoPE bit for bit, whichever scaling and however positions are given") {
  const auto x = random_floats(5 * 40, 2);
  const std::vector<double> places = {0, 3, 700, -2, 0.25};
  std::vector<double> each;
  for (const double p : places) each.insert(each.end(), 3, p);
  const auto scalings = [](int which) -> RopeScaling {
    if (which == 0) return {};
    if (which == 1) return {.type = kYarn, .factor = 4, .original_length = 128};
    if (which == 2) return {.type = kDynamic, .factor = 2, .original_length = 64};
    RopeScaling scaling{.type = kLongrope, .factor = 4, .original_length = 64};
    scaling.short_factor = list_of(std::vector<double>(16, 1.5)),
    scaling.long_factor = list_of(std::vector<double>(16, 3));
    return scaling;
  };
  for (int which = 0; which < 4; which++) {
    for (const auto order : {SectionOrder::kChunked, SectionOrder::kInterleaved}) {
      for (const auto layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
        const auto options = [&] {
          return RopeOptions{
              .head_dim = 40, .rotary_dim = 32, .layout = layout, .scaling = scalings(which)};
        };
        const RotaryAdapter<Rope> rope(std::move(*make<Rope>(options())));
        const auto mrope = adapted(options(), {6, 5, 5}, order);
        const auto want = turned(rope, x, given(places, 1));
        CHECK(turned(mrope, x, given(each)) == want);
        CHECK(turned(mrope, x, given(places, 1)) == want);
        CHECK(turned(mrope, x, Positions::range(90, 5)) ==
              turned(rope, x, Positions::range(90, 5)));
      }
    }
  }
}

TEST_CASE("mrope: any number of tokens, pairs and axes equals the plain loop") {
  double largest = 0;
  for (int64_t pairs = 2; pairs <= 40; pairs++) {
    for (int axes = 2; axes <= 4; axes++) {
      for (const auto order : {SectionOrder::kChunked, SectionOrder::kInterleaved}) {
        std::vector<double> sections(static_cast<std::size_t>(axes),
                                     static_cast<double>(pairs / (axes + 1)));
        sections[0] += static_cast<double>(pairs - axes * (pairs / (axes + 1)));
        const std::size_t tokens = static_cast<std::size_t>(pairs) * 2 - 3;
        Coordinates positions;
        for (std::size_t i = 0; i < tokens; i++) {
          auto& token = positions.emplace_back();
          for (int axis = 0; axis < axes; axis++)
            token.push_back(static_cast<double>((i * 37 + 11) % (60U + axis)));
        }
        const auto x = random_floats(tokens * static_cast<std::size_t>(2 * pairs), 4);
        const auto all = flat(positions);
        const auto angles =
            reference::mrope_angles(positions, 2 * pairs, 500, {sections.begin(), sections.end()},
                                    order == SectionOrder::kInterleaved);
        const auto rope = adapted({.head_dim = 2 * pairs, .base = 500}, sections, order);
        largest = std::max(
            largest,
            testing::largest_error(turned(rope, x, given(all, axes)),
                                   reference::turned_by(doubles(x), 2 * pairs, angles, false)));
      }
    }
  }
  MESSAGE("mrope: largest relative error " << largest);
  CHECK(largest <= 4e-7);
}

TEST_CASE("mrope: rotating at a and then at b equals rotating at a + b, section by section") {
  const auto rope = adapted({.head_dim = 256, .rotary_dim = 128, .base = 1e6}, {16, 24, 24, 0});
  const auto x = random_floats(73 * 256, 7);
  std::vector<double> first, second, both;
  for (int i = 0; i < 73; i++) {
    for (int axis = 0; axis < 4; axis++) {
      first.push_back(100 + i + axis), second.push_back(-67 + axis),
          both.push_back(33 + i + 2 * axis);
    }
  }
  const auto twice = turned(rope, turned(rope, x, given(first, 4)), given(second, 4));
  CHECK(testing::largest_error(twice, turned(rope, x, given(both, 4))) <= 1e-6);
}

TEST_CASE("mrope: sections that are not given are Qwen's") {
  const auto sections = [](SectionOrder order, int64_t head_dim) {
    const auto made = make<Mrope>({{.head_dim = head_dim}, {}, order});
    REQUIRE(made.has_value());
    const auto list = made->options().sections.span();
    return std::vector(list.begin(), list.end());
  };
  CHECK(sections(SectionOrder::kChunked, 128) == std::vector<double>{16, 24, 24});
  CHECK(sections(SectionOrder::kInterleaved, 128) == std::vector<double>{24, 20, 20});
  for (int64_t dim = 2; dim < 40; dim += 2)
    CHECK(sections(SectionOrder::kInterleaved, dim).size() == 3);
}

TEST_CASE("mrope: positions of text, images and videos") {
  // An image advances the text by the larger of its rows and columns, not by its tokens.
  CHECK(values(run({2, 0, 0, 1, 2, 3, 1, 0, 0}, 3)) ==
        std::vector<double>{0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 2, 2,
                            4, 2, 3, 2, 2, 3, 3, 2, 3, 4, 5, 5, 5});
  CHECK(values(run({1, 0, 0}, 3, 41)) == std::vector<double>{41, 41, 41});
  CHECK(values(run({3, 1, 1, 2.5, 1, 0, 0, 1}, 4)) ==
        std::vector<double>{0, 0, 0, 2, 0, 0, 5, 0, 0, 6, 6, 6});
  CHECK(run({}, 3).shape == Shape{0, 3});
  const auto mixed =
      reference::multimodal_positions({{3, 0, 0}, {4, 2, 5}, {1, 0, 0}, {1, 7, 3}, {2, 0, 0}}, 10);
  CHECK(values(run({3, 0, 0, 4, 2, 5, 1, 0, 0, 1, 7, 3, 2, 0, 0}, 3, 10)) == flat(mixed));
  const auto slow = reference::multimodal_positions({{5, 2, 2}, {2, 0, 0}}, 0, 1.5);
  CHECK(values(run({5, 2, 2, 1.5, 2, 0, 0, 1}, 4)) == flat(slow));
}

TEST_CASE("mrope: what has to be refused") {
  using enum ErrorCode;
  const auto refused = [](const std::vector<double>& sections, ErrorCode code,
                          const char* parameter, SectionOrder order = SectionOrder::kChunked,
                          int64_t head_dim = 16) {
    const auto made = make<Mrope>({{.head_dim = head_dim}, list_of(sections), order});
    REQUIRE_FALSE(made.has_value());
    testing::check_error(made.error(), code, parameter);
  };
  refused({8}, kShapeMismatch, "sections");
  refused({2, 3, 4}, kShapeMismatch, "sections");
  refused({2.5, 2.5, 3}, kInvalidType, "sections");
  refused({-1, 4, 5}, kOutOfRange, "sections");
  refused({1, 3, 4}, kOutOfRange, "sections", SectionOrder::kInterleaved);
  refused({2, 3, 3}, kOutOfRange, "headDim", SectionOrder::kChunked, 15);
  const auto parts = [](const std::vector<double>& list, int64_t width) {
    const TensorView<const double> input{list, {static_cast<int64_t>(list.size()) / width, width}};
    return multimodal_positions({}, std::span(&input, 1));
  };
  testing::check_error(parts({1, 2}, 2).error(), kShapeMismatch, "parts");
  testing::check_error(parts({1, 0, 3}, 3).error(), kOutOfRange, "parts");
  testing::check_error(parts({1.5, 0, 0}, 3).error(), kOutOfRange, "parts");
  testing::check_error(parts({NAN, 0, 0}, 3).error(), kOutOfRange, "parts");
  testing::check_error(parts({0x1p24, 0, 0, 2, 0, 0}, 3).error(), kOutOfRange, "parts");
  testing::check_error(parts({0x1p24, 0x1p24, 0x1p24}, 3).error(), kTooLarge, "parts");
}

}  // namespace
}  // namespace posenc
