#include "posenc/input/sinusoidal.hpp"

#include <cmath>
#include <numbers>

#include "posenc/core/adapters.hpp"
#include "reference/input/sinusoidal.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::GoldenCase;

InputAdapter<Sinusoidal> adapted(SinusoidalOptions options) {
  return InputAdapter<Sinusoidal>(std::move(*make<Sinusoidal>(std::move(options))));
}

std::vector<float> rows(const SinusoidalOptions& options, const Positions& positions) {
  const Sinusoidal encoding = std::move(*make<Sinusoidal>(SinusoidalOptions(options)));
  std::vector<float> out(static_cast<std::size_t>(positions.count * encoding.width()), NAN);
  encoding.encode(positions, out.data());
  return out;
}

std::vector<float> rows(const SinusoidalOptions& options, const std::vector<double>& positions) {
  return rows(options, Positions::array(positions.data(), static_cast<int64_t>(positions.size())));
}

SinusoidalOptions options_of(const GoldenCase& golden) {
  const std::string frequency = golden.text("frequency");
  const bool paper = frequency == "10000^(-2i/dim)";
  return {.dim = static_cast<int64_t>(golden.number("dim")),
          .layout = golden.text("layout") == "concat" ? SinusoidalLayout::kConcat
                                                      : SinusoidalLayout::kInterleaved,
          .exponent = paper ? SinusoidalExponent::kPaper : SinusoidalExponent::kTensor2Tensor,
          .odd = paper ? SinusoidalOdd::kSine : SinusoidalOdd::kZero,
          .scale_input = golden.has("scale_input")};
}

TEST_CASE("sinusoidal: tables of published implementations") {
  for (const char* name :
       {"sinusoidal--concat-d12-onmt", "sinusoidal--concat-marian-d8",
        "sinusoidal--concat-t2t-d9-odd", "sinusoidal--interleaved-d16-l20",
        "sinusoidal--interleaved-distilbert-d10", "sinusoidal--interleaved-distilbert-odd-d7",
        "sinusoidal--interleaved-far-d8"}) {
    const auto golden = testing::load_golden(name);
    const auto options = options_of(golden);
    const auto positions = golden["positions"].as_doubles();
    check_close(rows(options, positions), golden["table"].floats,
                testing::golden_bound(golden.tolerance), golden.name);
  }
}

TEST_CASE("sinusoidal: embeddings scaled and added as OpenNMT does") {
  for (const char* name : {"sinusoidal--concat-d12-onmt", "sinusoidal--interleaved-d16-l20"}) {
    const auto golden = testing::load_golden(name);
    const auto encoding = adapted(options_of(golden));
    const auto positions = golden["positions"].as_doubles();
    const auto given = Positions::array(positions.data(), static_cast<int64_t>(positions.size()));
    auto x = golden["x"].floats;
    std::vector<float> scratch(static_cast<std::size_t>(encoding.scratch_floats(given.count)));
    encoding.add(given, x.data(), x.data(), scratch.data());
    check_close(x, golden["out"].floats, testing::golden_bound(golden.tolerance), golden.name);
  }
}

TEST_CASE("sinusoidal: fairseq's padded rows") {
  const auto golden = testing::load_golden("sinusoidal--concat-fairseq-d10-pad1");
  auto options = options_of(golden);
  options.padding_index = 1;
  check_close(rows(options, golden["positions"].as_doubles()), golden["out"].floats,
              testing::golden_bound(golden.tolerance), golden.name);
}

TEST_CASE("sinusoidal: every layout, exponent and width equals the plain loop") {
  double largest = 0;
  std::vector<double> positions = {0, 1, -3, 0.5, 1e5, 16777216};
  for (int i = 0; i < 40; i++) positions.push_back(i - 20);
  for (int64_t dim = 1; dim <= 70; dim++) {
    for (int choice = 0; choice < 8; choice++) {
      const reference::SinusoidalRule rule = {dim, 10000, (choice & 1) != 0, (choice & 2) != 0,
                                              (choice & 4) != 0};
      const SinusoidalOptions options = {
          .dim = dim,
          .layout = rule.concat ? SinusoidalLayout::kConcat : SinusoidalLayout::kInterleaved,
          .exponent =
              rule.tensor2tensor ? SinusoidalExponent::kTensor2Tensor : SinusoidalExponent::kPaper,
          .odd = rule.zero_column ? SinusoidalOdd::kZero : SinusoidalOdd::kSine};
      largest = std::max(largest, testing::largest_error(rows(options, positions),
                                                         reference::sinusoidal(rule, positions)));
    }
  }
  MESSAGE("sinusoidal: largest relative error " << largest);
  CHECK(largest <= 1e-7);
}

TEST_CASE("sinusoidal: odd and even widths at position 1") {
  const auto at_one = [](int64_t dim) { return rows({.dim = dim}, Positions::range(1, 1)); };
  check_close(at_one(5), std::vector{0.841471, 0.540302, 0.025116, 0.999685, 0.000631}, 1e-6,
              "width 5");
  check_close(at_one(3), std::vector{0.841471, 0.540302, 0.002154}, 1e-6, "width 3");
  check_close(at_one(1), std::vector{0.841471}, 1e-6, "width 1");
  check_close(
      at_one(8),
      std::vector{0.841471, 0.540302, 0.099833, 0.995004, 0.010000, 0.999950, 0.001000, 1.000000},
      1e-6, "width 8");
  for (int64_t dim : {29, 127, 169}) CHECK(at_one(dim).size() == static_cast<std::size_t>(dim));
}

TEST_CASE("sinusoidal: the slowest pair's period is 2 pi base^((d - 2) / d)") {
  for (int64_t dim : {4, 64, 128}) {
    CAPTURE(dim);
    const double d = static_cast<double>(dim);
    const double period = 2 * std::numbers::pi * std::pow(10000.0, (d - 2) / d);
    const auto slowest = [&](double position) {
      const auto row = rows({.dim = dim}, Positions::range(position, 1));
      return std::vector<float>(row.end() - 2, row.end());
    };
    check_close(slowest(period), std::vector{0.0, 1.0}, 1e-7, "one period");
    check_close(slowest(period / 4), std::vector{1.0, 0.0}, 1e-7, "a quarter");
    check_close(slowest(period / 2), std::vector{0.0, -1.0}, 1e-7, "a half");
  }
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

TEST_CASE("sinusoidal: PE(p)·PE(q) depends on p - q only, and PE(p + k) is a rotation of PE(p)") {
  const SinusoidalOptions options = {.dim = 64};
  const auto at = [&](double position) { return rows(options, Positions::range(position, 1)); };
  for (double distance : {1.0, 5.0, 100.0}) {
    const double near = dot(at(3), at(3 + distance));
    for (double shift : {10.0, 1000.0, 1e6}) {
      CHECK(dot(at(3 + shift), at(3 + distance + shift)) == doctest::Approx(near).epsilon(1e-6));
    }
  }
  const double k = 17;
  for (double position : {0.0, 1.0, 250.0, 65536.0}) {
    const auto row = at(position), moved = at(position + k), turn = at(k);
    for (std::size_t i = 0; i < row.size(); i += 2) {
      CHECK(moved[i] ==
            doctest::Approx(row[i] * turn[i + 1] + row[i + 1] * turn[i]).epsilon(1e-6).scale(1));
      CHECK(moved[i + 1] ==
            doctest::Approx(row[i + 1] * turn[i + 1] - row[i] * turn[i]).epsilon(1e-6).scale(1));
    }
  }
}

TEST_CASE("sinusoidal: rows do not depend on how a call is cut") {
  for (double start : {0.0, -5.0, 0.1}) {
    for (SinusoidalLayout layout : {SinusoidalLayout::kInterleaved, SinusoidalLayout::kConcat}) {
      const SinusoidalOptions options = {.dim = 67, .layout = layout};
      const auto range = Positions::range(start, 700);
      const auto whole = rows(options, range);
      std::vector<float> pieces;
      for (int64_t first = 0; first < 700; first += 33) {
        const auto piece = rows(options, range.slice(first, std::min<int64_t>(33, 700 - first)));
        pieces.insert(pieces.end(), piece.begin(), piece.end());
      }
      CHECK(pieces == whole);
    }
  }
}

TEST_CASE("sinusoidal: no row and the padding's row") {
  CHECK(rows({.dim = 6}, Positions::range(0, 0)).empty());
  const auto padded = rows({.dim = 6, .padding_index = 2}, Positions::range(1, 3));
  for (std::size_t c = 0; c < 6; c++) CHECK(padded[6 + c] == 0);
  CHECK(padded[0] != 0);
  CHECK(padded[12] != 0);
}

TEST_CASE("sinusoidal: refused options") {
  testing::check_error(make<Sinusoidal>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  for (double base :
       {0.0, -10000.0, 0.5, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CAPTURE(base);
    testing::check_error(make<Sinusoidal>({.dim = 4, .base = base}).error(), ErrorCode::kOutOfRange,
                         "base");
  }
  for (double base : {1.0, 10000.0, 5e5, 1e7, 1e9})
    CHECK(make<Sinusoidal>({.dim = 4, .base = base}).has_value());
}

}  // namespace
}  // namespace posenc
