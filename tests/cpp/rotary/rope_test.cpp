#include "posenc/rotary/rope.hpp"

#include <cmath>

#include "posenc/core/adapters.hpp"
#include "posenc/rotary/apply.hpp"
#include "reference/rotary/rope.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::random_floats;
using enum RopeScalingType;

RotaryAdapter<Rope> adapted(RopeOptions options) {
  return RotaryAdapter<Rope>(std::move(*make<Rope>(std::move(options))));
}

// x [heads, positions, head_dim] turned.
std::vector<float> turned(const RotaryEncoding& rope, const std::vector<float>& x,
                          const Positions& positions,
                          RotaryDirection direction = RotaryDirection::kForward,
                          double reached = 0) {
  const auto heads = static_cast<int64_t>(x.size()) / (positions.count * rope.head_dim());
  std::vector<float> out(x.size(), NAN);
  const Status status = rotate(
      rope, {.batch = 1,
             .heads = heads,
             .seq = positions.count,
             .x = HeadRows<const float>::heads(x.data(), heads, positions.count, rope.head_dim()),
             .out = HeadRows<float>::heads(out.data(), heads, positions.count, rope.head_dim()),
             .positions = std::span(&positions, 1),
             .direction = direction,
             .reached = reached});
  CHECK(status.has_value());
  return out;
}

std::vector<float> turned(const RotaryEncoding& rope, const std::vector<float>& x,
                          const std::vector<double>& positions,
                          RotaryDirection direction = RotaryDirection::kForward,
                          double reached = 0) {
  return turned(rope, x, Positions::array(positions.data(), static_cast<int64_t>(positions.size())),
                direction, reached);
}

RopeOptions options_of(const testing::GoldenCase& golden) {
  RopeOptions options;
  options.head_dim = static_cast<int64_t>(golden.number("head_dim"));
  options.rotary_dim = static_cast<int64_t>(golden.number("rotary_dim"));
  options.base = golden.number("theta");
  options.layout = golden.text("layout") == "half" ? PairLayout::kHalf : PairLayout::kInterleaved;
  if (golden.text("rope_type") == "linear")
    options.scaling = {.type = kLinear, .factor = golden.number("factor")};
  if (golden.text("rope_type") == "dynamic") {
    options.scaling = {.type = kDynamic,
                       .factor = golden.number("factor"),
                       .original_length = golden.number("max_position_embeddings")};
  }
  if (golden.text("rope_type") == "llama3") {
    options.scaling = {.type = kLlama3, .factor = 8, .original_length = 8192};
  }
  if (golden.text("rope_type") == "yarn") {
    options.scaling = {.type = kYarn, .factor = golden.number("factor"), .original_length = 4096};
  }
  if (golden.text("rope_type") == "ntk-aware") options.scaling = {.type = kNtk, .factor = 4};
  if (golden.text("rope_type") == "ntk-by-parts") {
    options.scaling = {.type = kNtkByParts, .factor = 8, .original_length = 2048};
  }
  return options;
}

TEST_CASE("rope: rotations and gradients of published implementations") {
  for (const char* name :
       {"half-d6-l9", "half-d20-noncontiguous", "partial-quarter-d24", "interleaved-gptj-d8",
        "interleaved-gptj-partial-d20", "linear-factor4-d8", "dynamic-ntk-d12-short",
        "dynamic-ntk-d8-len100", "llama3-d32", "yarn-factor4-d32", "ntk-aware-d12-alpha4",
        "ntk-by-parts-d32-scale8"}) {
    const auto golden = testing::load_golden(std::string("rope--") + name);
    const double bound = testing::golden_bound(golden.tolerance),
                 reached = golden.number("seq_len");
    const auto rope = adapted(options_of(golden));
    const auto positions = golden["positions"].as_doubles();
    check_close(turned(rope, golden["x"].floats, positions, RotaryDirection::kForward, reached),
                golden["out"].floats, bound, golden.name);
    if (golden.tensors.count("dout") == 0) continue;
    check_close(turned(rope, golden["dout"].floats, positions, RotaryDirection::kGradient, reached),
                golden["dx"].floats, bound, golden.name + " gradient");
  }
}

TEST_CASE("rope: queries and keys of published implementations") {
  for (const char* name :
       {"half-esm-d12-l10", "interleaved-roformer-d12", "interleaved-llama-scaled-gqa-d16"}) {
    const auto golden = testing::load_golden(std::string("rope--") + name);
    const double bound = testing::golden_bound(golden.tolerance);
    const auto rope = adapted(options_of(golden));
    const auto positions = golden["positions"].as_doubles();
    check_close(turned(rope, golden["q"].floats, positions), golden["q_out"].floats, bound,
                golden.name);
    check_close(turned(rope, golden["k"].floats, positions), golden["k_out"].floats, bound,
                golden.name);
  }
}

TEST_CASE("rope: widths and layouts equal the plain loop, in all three directions") {
  double largest = 0;
  const std::vector<double> positions = {0, 1, 2, -7, 1000, 0.5, 131071};
  for (int64_t rotary_dim = 2; rotary_dim <= 70; rotary_dim += 2) {
    for (int64_t extra : {0, 3}) {
      for (PairLayout layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
        const auto rope =
            adapted({.head_dim = rotary_dim + extra, .rotary_dim = rotary_dim, .layout = layout});
        const auto x =
            random_floats(positions.size() * static_cast<std::size_t>(rope.head_dim()), 11);
        const auto want = reference::rotated({x.begin(), x.end()}, rope.head_dim(), positions,
                                             reference::rope_frequencies(rotary_dim, 10000),
                                             layout == PairLayout::kInterleaved);
        const auto out = turned(rope, x, positions);
        largest = std::max(
            {largest, testing::largest_error(out, want),
             testing::largest_error(turned(rope, out, positions, RotaryDirection::kInvert), x),
             testing::largest_error(turned(rope, out, positions, RotaryDirection::kGradient), x)});
      }
    }
  }
  MESSAGE("rope: largest relative error " << largest);
  CHECK(largest <= 4e-7);
}

TEST_CASE("rope: adjacent and half layouts") {
  const std::vector<float> x = {1, 2, 3, 4};
  const auto one = Positions::range(1, 1);
  const auto half = adapted({.head_dim = 4}),
             adjacent = adapted({.head_dim = 4, .layout = PairLayout::kInterleaved});
  check_close(turned(adjacent, x, one), std::vector{-1.142640, 1.922076, 2.959851, 4.029800}, 1e-6,
              "adjacent");
  check_close(turned(half, x, one), std::vector{-1.984111, 1.959901, 2.462378, 4.019800}, 1e-6,
              "half");
  CHECK(turned(half, x, Positions::range(0, 1)) == x);
}

TEST_CASE("rope: the amplitude turns up in the rotation once, and only the inverse takes it out") {
  const auto rope =
      adapted({.head_dim = 32, .scaling = {.type = kYarn, .factor = 16, .original_length = 4096}});
  const double amplitude = 1.2772588722239781;
  const auto x = random_floats(3 * 32, 12);
  const auto positions = Positions::range(500, 3);
  const auto out = turned(rope, x, positions);
  check_close(turned(rope, out, positions, RotaryDirection::kInvert), x, 4e-7, "inverse");
  std::vector<double> twice(x.begin(), x.end());
  for (double& value : twice) value *= amplitude * amplitude;
  check_close(turned(rope, out, positions, RotaryDirection::kGradient), twice, 4e-7, "gradient");
}

TEST_CASE("rope: factors are never outside the amplitude") {
  const auto rope = std::move(*make<Rope>(
      {.head_dim = 64, .scaling = {.type = kYarn, .factor = 16, .original_length = 4096}}));
  std::vector<float> cos(5000 * 32), sin = cos;
  rope.table(Positions::range(-100, 5000), {}, cos.data(), sin.data());
  const auto amplitude = static_cast<float>(1.2772588722239781);
  float largest = 0;
  for (std::size_t i = 0; i < cos.size(); i++)
    largest = std::max({largest, std::abs(cos[i]), std::abs(sin[i])});
  CHECK(largest <= amplitude);
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

TEST_CASE("rope: scores depend on the difference of positions alone") {
  for (PairLayout layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
    const auto rope = adapted({.head_dim = 64, .layout = layout});
    const auto q = random_floats(64, 13), k = random_floats(64, 14);
    const double score =
        dot(turned(rope, q, Positions::range(10, 1)), turned(rope, k, Positions::range(3, 1)));
    for (double shift : {1.0, 1000.0, 1e6, -50.0}) {
      const auto moved_q = turned(rope, q, Positions::range(10 + shift, 1));
      const auto moved_k = turned(rope, k, Positions::range(3 + shift, 1));
      CHECK(dot(moved_q, moved_k) == doctest::Approx(score).epsilon(1e-6));
    }
  }
  // The pair of ones that bfloat16 angles call equal.
  const auto one = adapted({.head_dim = 2});
  const std::vector<float> unit = {1, 0};
  CHECK(dot(turned(one, unit, Positions::range(8190, 1)),
            turned(one, unit, Positions::range(8191, 1))) ==
        doctest::Approx(0.540302).epsilon(1e-6));
}

TEST_CASE("rope: rotating at a and then at b is rotating at a + b") {
  constexpr int64_t kHeads = 32, kTokens = 73, kDim = 256;
  for (PairLayout layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
    const auto rope = adapted({.head_dim = kDim, .rotary_dim = 128, .layout = layout});
    const auto x = random_floats(kHeads * kTokens * kDim, 15);
    const std::vector<double> back(kTokens, -67);
    const auto twice = turned(rope, turned(rope, x, Positions::range(100, kTokens)), back);
    const auto once = turned(rope, x, Positions::range(33, kTokens));
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
      difference += std::abs(static_cast<double>(once[i]) - twice[i]);
      size += std::abs(static_cast<double>(once[i]));
    }
    CHECK(difference / size < 1e-6);
  }
}

std::vector<float> permuted(const std::vector<double>& weights, const Shape& shape,
                            const PermuteArguments& arguments) {
  const TensorView<const double> view{weights, shape};
  const auto result = permute_weights(arguments, std::span(&view, 1));
  REQUIRE(result.has_value());
  CHECK(result->shape == shape);
  return {result->data.span().begin(), result->data.span().end()};
}

TEST_CASE("rope: weights move between layouts: permute, rotate, move back is the other layout") {
  for (int64_t rotary_dim : {12, 8}) {
    CAPTURE(rotary_dim);
    constexpr int64_t kHeads = 3, kDim = 12;
    const auto x = random_floats(kHeads * kDim, 16);  // one token, [heads, 1, dim]
    const std::vector<double> wide(x.begin(), x.end());
    const auto position = Positions::range(5, 1);
    const auto half = adapted({.head_dim = kDim, .rotary_dim = rotary_dim});
    const auto adjacent =
        adapted({.head_dim = kDim, .rotary_dim = rotary_dim, .layout = PairLayout::kInterleaved});
    const auto moved =
        permuted(wide, {kHeads * kDim},
                 {.heads = kHeads, .to = PairLayout::kHalf, .rotary_dim = rotary_dim});
    const auto out = turned(half, moved, position);
    const auto back =
        permuted({out.begin(), out.end()}, {kHeads * kDim},
                 {.heads = kHeads, .to = PairLayout::kInterleaved, .rotary_dim = rotary_dim});
    CHECK(back == turned(adjacent, x, position));
  }
  const auto rows = permuted({0, 1, 10, 11, 20, 21, 30, 31}, {4, 2}, {.heads = 1});
  CHECK(rows == std::vector<float>{0, 1, 20, 21, 10, 11, 30, 31});
}

TEST_CASE("rope: operations give frequencies and amplitude") {
  const auto rope = std::move(*make<Rope>(
      {.head_dim = 128, .scaling = {.type = kDynamic, .factor = 2, .original_length = 2048}}));
  const auto trained = rope_frequencies(rope, {}, {}),
             stretched = rope_frequencies(rope, {.reached = 4096}, {});
  CHECK(trained->shape == Shape{64});
  CHECK(trained->data[63] == doctest::Approx(std::pow(10000.0, -126.0 / 128)).epsilon(1e-7));
  CHECK(stretched->data[63] == doctest::Approx(std::pow(30527.74, -126.0 / 128)).epsilon(1e-5));
  CHECK(rope_attention_factor(rope, {}, {})->data[0] == 1);
}

TEST_CASE("rope: bases that work, and refused options") {
  using testing::check_error;
  for (double base : {1.0, 10000.0, 5e5, 1e7, 1e9}) {
    const auto rope = std::move(*make<Rope>({.head_dim = 64, .base = base}));
    const auto frequencies = rope_frequencies(rope, {}, {});
    CHECK(frequencies->data[31] == doctest::Approx(std::pow(base, -62.0 / 64)).epsilon(1e-7));
  }
  for (double base : {0.0, -1.0, 0.5, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    check_error(make<Rope>({.head_dim = 64, .base = base}).error(), ErrorCode::kOutOfRange, "base");
  }
  check_error(make<Rope>({.head_dim = 9}).error(), ErrorCode::kOutOfRange, "headDim");
  check_error(make<Rope>({.head_dim = 8, .rotary_dim = 5}).error(), ErrorCode::kOutOfRange,
              "rotaryDim");
  check_error(make<Rope>({.head_dim = 8, .rotary_dim = 10}).error(), ErrorCode::kOutOfRange,
              "rotaryDim");
  CHECK(make<Rope>({.head_dim = 9, .rotary_dim = 8}).has_value());
}

}  // namespace
}  // namespace posenc
