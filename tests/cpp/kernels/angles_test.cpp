#include "posenc/kernels/angles.hpp"

#include <cmath>

#include "posenc/kernels/simd.hpp"
#include "support/compare.hpp"
#include "support/numbers.hpp"

namespace posenc {
namespace {

using kernels::Angles;
using testing::counted;

std::vector<double> geometric(int64_t pairs, double base = 10000) {
  std::vector<double> frequencies;
  for (int64_t m = 0; m < pairs; m++) {
    frequencies.push_back(std::pow(base, -static_cast<double>(m) / static_cast<double>(pairs)));
  }
  return frequencies;
}

Angles angles_of(const std::vector<double>& frequencies, const Positions& positions) {
  return {frequencies.data(), static_cast<int64_t>(frequencies.size()), positions};
}

std::vector<float> interleaved(const std::vector<double>& frequencies, const Positions& positions) {
  const auto width = static_cast<int64_t>(2 * frequencies.size());
  std::vector<float> out(static_cast<std::size_t>(positions.count * width), NAN);
  kernels::angles_interleaved(angles_of(frequencies, positions), out.data(), width);
  return out;
}

Positions given(const std::vector<double>& positions) {
  return Positions::array(positions.data(), static_cast<int64_t>(positions.size()));
}

// The largest distance to sine and cosine of the product in double, which is off itself by up to
// half a last place of the product: 1e-9 at 2^23.
double worst(const std::vector<double>& frequencies, const std::vector<double>& positions) {
  const auto out = interleaved(frequencies, given(positions));
  double largest = 0;
  std::size_t at = 0;
  for (double position : positions) {
    for (double frequency : frequencies) {
      const double angle = position * frequency;
      largest = std::max(
          {largest, std::abs(out[at] - std::sin(angle)), std::abs(out[at + 1] - std::cos(angle))});
      at += 2;
    }
  }
  return largest;
}

// Positions of every size up to `limit` and both signs, some of them not whole.
std::vector<double> spread(double limit, int count, uint64_t seed, bool whole) {
  Random random(seed);
  std::vector<double> positions = {0, limit, -limit};
  while (static_cast<int>(positions.size()) < count) {
    const double size = std::exp2(random.uniform() * std::log2(limit));
    const double position = (random.uniform() < 0.5 ? -1 : 1) * size;
    positions.push_back(whole ? std::round(position) : position);
  }
  return positions;
}

TEST_CASE("angles: within 2e-7 of the exact value up to position 2^24, for widths to 4096") {
  double largest = 0;
  for (int64_t pairs : {1, 3, 16, 64, 2048}) {
    const auto frequencies = geometric(pairs);
    for (bool whole : {true, false}) {
      largest = std::max(
          largest, worst(frequencies, spread(0x1p24, 60, static_cast<uint64_t>(pairs), whole)));
    }
    largest = std::max(largest, worst(frequencies, counted(-70, 200)));
    largest = std::max(largest, worst(frequencies, counted(0x1p24 - 150, 150)));
  }
  MESSAGE("angles: largest error up to 2^24: " << largest);
  CHECK(largest <= 3.2e-8);  // half a last place, and what the product in double is off
}

TEST_CASE("angles: half a last place up to position 2^53, where the product is exact in double") {
  std::vector<double> frequencies;
  for (int i = 0; i < 25; i++) frequencies.push_back(std::exp2(-i));
  const double largest = std::max(worst(frequencies, spread(0x1p53, 400, 5, true)),
                                  worst(frequencies, spread(0x1p40, 400, 6, false)));
  MESSAGE("angles: largest error up to 2^53: " << largest);
  CHECK(largest <= 0x1p-25 + 1e-12);
}

TEST_CASE("angles: known values") {
  const auto cos_at = [](double frequency, double position) {
    return interleaved({frequency}, Positions::range(position, 1))[1];
  };
  const auto sin_at = [](double frequency, double position) {
    return interleaved({frequency}, Positions::range(position, 1))[0];
  };
  CHECK(cos_at(1, -4994642.5) == doctest::Approx(0.963972).epsilon(1e-6));
  // Where half-precision and float angles fail: width 32, pair 1, position 1857.
  CHECK(cos_at(std::pow(10000.0, -2.0 / 32), 1857) == doctest::Approx(0.306693).epsilon(1e-5));
  CHECK(sin_at(1, static_cast<double>(96079.33F)) == doctest::Approx(-2.63353e-7).epsilon(1e-4));
  CHECK(cos_at(1, 8191) * cos_at(1, 8190) + sin_at(1, 8191) * sin_at(1, 8190) ==
        doctest::Approx(0.540302).epsilon(1e-6));
  for (double position : {1e6, 1e7}) {
    CHECK(sin_at(1, position) == doctest::Approx(std::sin(position)).epsilon(1e-6));
    CHECK(cos_at(1, position) == doctest::Approx(std::cos(position)).epsilon(1e-6));
  }
}

TEST_CASE("angles: an element depends on its position and frequency alone") {
  for (double start : {0.0, 31.0, -100.0, 16777000.0, 0.25, -77.1}) {
    CAPTURE(start);
    const int64_t count = 2100;  // more than a group of rows
    const auto frequencies = geometric(35);
    const auto whole = interleaved(frequencies, Positions::range(start, count));
    const auto positions = counted(start, count);
    CHECK(interleaved(frequencies, given(positions)) == whole);

    std::vector<float> pieces;
    for (int64_t first = 0, length = 1; first < count; first += length, length = length % 130 + 1) {
      const auto piece =
          interleaved(frequencies,
                      Positions::range(start, count).slice(first, std::min(length, count - first)));
      pieces.insert(pieces.end(), piece.begin(), piece.end());
    }
    CHECK(pieces == whole);

    std::vector<double> backwards(positions.rbegin(), positions.rend());
    const auto reversed = interleaved(frequencies, given(backwards));
    const std::size_t width = 2 * frequencies.size();
    bool same = true;
    for (std::size_t row = 0; row < positions.size(); row++) {
      same = same && std::equal(whole.begin() + static_cast<std::ptrdiff_t>(row * width),
                                whole.begin() + static_cast<std::ptrdiff_t>((row + 1) * width),
                                reversed.end() - static_cast<std::ptrdiff_t>((row + 1) * width));
    }
    CHECK(same);
  }
}

TEST_CASE("angles: positions that come again give the rows that they gave before") {
  const auto frequencies = geometric(35);
  const std::size_t width = 2 * frequencies.size();
  for (double step : {1.0, 0.5}) {
    for (int64_t apart :
         {2, 64, 255, 256, 600}) {  // near enough to be looked back for, and too far
      CAPTURE(apart);
      std::vector<double> positions;
      for (int64_t i = 0; i < 2100; i++)
        positions.push_back(step * static_cast<double>(i / 3 * 37 % apart - 20));
      const auto all = interleaved(frequencies, given(positions));
      std::vector<float> sin(positions.size() * frequencies.size()), cos = sin;
      kernels::angles_apart(angles_of(frequencies, given(positions)), 1, sin.data(), cos.data(),
                            35);
      bool same = true;
      for (std::size_t row = 0; row < positions.size(); row++) {
        const auto alone = interleaved(frequencies, Positions::range(positions[row], 1));
        same = same && std::equal(alone.begin(), alone.end(),
                                  all.begin() + static_cast<std::ptrdiff_t>(row * width));
        for (std::size_t m = 0; m < frequencies.size(); m++) {
          same = same && sin[row * 35 + m] == alone[2 * m] && cos[row * 35 + m] == alone[2 * m + 1];
        }
      }
      CHECK(same);
    }
  }
}

TEST_CASE(
    "angles: tables kept from one call serve the next one only where frequencies are the same") {
  const auto first = geometric(64), second = geometric(64, 500);
  const auto far = interleaved(first, Positions::range(1000, 3)),
             other = interleaved(second, Positions::range(1000, 3));
  for (int again = 0; again < 3; again++) {
    CHECK(interleaved(first, Positions::range(1000, 3)) == far);
    CHECK(interleaved(first, Positions::range(1002, 1)) ==
          std::vector<float>(far.begin() + 2 * 128, far.begin() + 3 * 128));
    CHECK(interleaved(second, Positions::range(1000, 3)) == other);
    CHECK(interleaved(geometric(5), Positions::range(1000, 3)).size() == 30);
  }
  CHECK(far != other);
}

TEST_CASE("angles: any number of frequencies gives the columns that each alone gives") {
  const auto positions = counted(-40, 100);
  std::vector<int64_t> counts = {31, 32, 33, 65, 127, 128, 129, 260};
  for (int64_t pairs = 0; pairs <= 2 * simd::kLanes + 3; pairs++) counts.push_back(pairs);
  for (int64_t pairs : counts) {
    CAPTURE(pairs);
    const auto frequencies = geometric(pairs);
    const auto all = interleaved(frequencies, given(positions));
    bool same = true;
    for (std::size_t m = 0; m < frequencies.size(); m++) {
      const auto one = interleaved({frequencies[m]}, Positions::range(-40, 100));
      for (std::size_t row = 0; row < positions.size(); row++) {
        const std::size_t at = (row * frequencies.size() + m) * 2;
        same = same && all[at] == one[2 * row] && all[at + 1] == one[2 * row + 1];
      }
    }
    CHECK(same);
  }
}

TEST_CASE("angles: tables apart hold the same values, times the amplitude and never beyond it") {
  for (int64_t pairs : {1, 5, 32, 47}) {
    CAPTURE(pairs);
    const auto frequencies = geometric(pairs);
    const auto positions = spread(1e7, 300, 9, pairs % 2 == 0);
    const auto both = interleaved(frequencies, given(positions));
    for (float amplitude : {1.0F, 1.277259F, 0.1F}) {
      const int64_t stride = pairs + 3;
      std::vector<float> sin(positions.size() * static_cast<std::size_t>(stride), -7.0F), cos = sin;
      kernels::angles_apart(angles_of(frequencies, given(positions)), amplitude, sin.data(),
                            cos.data(), stride);
      bool same = true, inside = true, untouched = true;
      for (std::size_t row = 0; row < positions.size(); row++) {
        for (std::size_t m = 0; m < static_cast<std::size_t>(stride); m++) {
          const std::size_t at = row * static_cast<std::size_t>(stride) + m;
          if (m >= frequencies.size()) {
            untouched = untouched && sin[at] == -7 && cos[at] == -7;
            continue;
          }
          const std::size_t pair = (row * frequencies.size() + m) * 2;
          same = same && sin[at] == both[pair] * amplitude && cos[at] == both[pair + 1] * amplitude;
          inside = inside && std::abs(sin[at]) <= amplitude && std::abs(cos[at]) <= amplitude;
        }
      }
      CHECK(same);
      CHECK(inside);
      CHECK(untouched);
    }
  }
}

TEST_CASE("angles: -p has the same cosine and the opposite sine, and position 0 is exact") {
  const auto frequencies = geometric(20);
  const auto ahead = counted(0, 300);
  std::vector<double> behind;
  for (double position : ahead) behind.push_back(-position);
  const auto a = interleaved(frequencies, given(ahead)),
             b = interleaved(frequencies, given(behind));
  bool mirrored = true;
  for (std::size_t i = 0; i < a.size(); i += 2)
    mirrored = mirrored && a[i] == -b[i] && a[i + 1] == b[i + 1];
  CHECK(mirrored);
  for (std::size_t m = 0; m < 20; m++) {
    CHECK(a[2 * m] == 0);
    CHECK(a[2 * m + 1] == 1);
  }
}

TEST_CASE("angles: one axis of positions with several") {
  const std::vector<double> pairs = {3, 100, 4, 200, 5.5, 300};
  const auto frequencies = geometric(6);
  for (int axis : {0, 1}) {
    std::vector<float> out(3 * 12);
    kernels::angles_interleaved({frequencies.data(), 6, Positions::array(pairs.data(), 3, 2), axis},
                                out.data(), 12);
    const std::vector<double> own = {pairs[static_cast<std::size_t>(axis)],
                                     pairs[static_cast<std::size_t>(axis) + 2],
                                     pairs[static_cast<std::size_t>(axis) + 4]};
    CHECK(out == interleaved(frequencies, given(own)));
  }
}

}  // namespace
}  // namespace posenc
