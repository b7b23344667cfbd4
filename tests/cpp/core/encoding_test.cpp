#include "posenc/core/encoding.hpp"

#include "posenc/input/learned.hpp"
#include "posenc/input/sinusoidal.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

// x times the encoding's factor + rows, and [x | rows], from the rows themselves.
void check_beside_x(const InputEncoding& encoding, int64_t count, int64_t x_width) {
  CAPTURE(encoding.width());
  CAPTURE(count);
  CAPTURE(x_width);
  const auto positions = Positions::range(1, count);
  const auto width = static_cast<std::size_t>(encoding.width()),
             wide = static_cast<std::size_t>(x_width), rows = static_cast<std::size_t>(count);
  const auto table = testing::rows_of(encoding, positions);
  const auto x = testing::random_floats(rows * width, 1),
             other = testing::random_floats(rows * wide, 2);
  std::vector<float> scratch(static_cast<std::size_t>(encoding.scratch_floats(count))),
      sum(x.size(), NAN), in_place = x, beside(rows * (width + wide), NAN);
  encoding.add(positions, x.data(), sum.data(), scratch.data());
  encoding.add(positions, in_place.data(), in_place.data(), scratch.data());
  encoding.concat(positions, other.data(), x_width, beside.data(), scratch.data());
  std::vector<double> want;
  for (std::size_t i = 0; i < x.size(); i++)
    want.push_back(static_cast<double>(encoding.input_scale()) * x[i] + table[i]);
  testing::check_close(sum, want, 1.2e-7, "sum");
  CHECK(in_place == sum);
  std::vector<float> in_turn;
  for (std::size_t i = 0; i < rows; i++) {
    for (std::size_t c = 0; c < wide; c++) in_turn.push_back(other[i * wide + c]);
    for (std::size_t c = 0; c < width; c++) in_turn.push_back(table[i * width + c]);
  }
  CHECK(beside == in_turn);
}

TEST_CASE(
    "input: rows added to x and laid beside it, at awkward widths, also in several stretches") {
  for (const auto& [dim, x_width] : testing::awkward_pairs({{3, 0}})) {
    const auto learned = testing::adapted<Learned>({.dim = dim, .max_length = 6000}, 1);
    const auto scaled = testing::adapted<Sinusoidal>({.dim = dim, .scale_input = true});
    for (int64_t count : {int64_t{0}, testing::lanes() + 1, int64_t{5000}}) {
      check_beside_x(learned, count, x_width);
      check_beside_x(scaled, count, x_width);
    }
  }
}

}  // namespace
}  // namespace posenc
