// Rotating whole tensors: layouts in memory, batches, tables from elsewhere, what is refused.
#include "posenc/rotary/apply.hpp"

#include <cmath>

#include "posenc/core/adapters.hpp"
#include "posenc/rotary/rope.hpp"
#include "reference/rotary/rope.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::check_error;
using testing::random_floats;

constexpr int64_t kBatch = 2, kHeads = 3, kSeq = 70, kDim = 20, kRotary = 12, kPairs = kRotary / 2;
constexpr std::size_t kSize = kBatch * kHeads * kSeq * kDim;

RotaryAdapter<Rope> rope_with(PairLayout layout) {
  return RotaryAdapter<Rope>(
      std::move(*make<Rope>({.head_dim = kDim, .rotary_dim = kRotary, .layout = layout})));
}

RotaryTask task_of(const std::vector<float>& x, std::vector<float>& out, bool packed) {
  RotaryTask task;
  task.batch = kBatch;
  task.heads = kHeads;
  task.seq = kSeq;
  if (packed) {
    task.x = HeadRows<const float>::packed(x.data(), kHeads, kSeq, kDim);
    task.out = HeadRows<float>::packed(out.data(), kHeads, kSeq, kDim);
  } else {
    task.x = HeadRows<const float>::heads(x.data(), kHeads, kSeq, kDim);
    task.out = HeadRows<float>::heads(out.data(), kHeads, kSeq, kDim);
  }
  return task;
}

// Row by row in double, where `position(batch, token)` says the position.
template <typename PositionOf>
std::vector<double> plain(const RotaryTask& task, PairLayout layout, PositionOf position_of) {
  std::vector<double> out(kSize);
  const auto frequencies = reference::rope_frequencies(kRotary, 10000);
  for (int64_t b = 0; b < kBatch; b++) {
    for (int64_t h = 0; h < kHeads; h++) {
      for (int64_t i = 0; i < kSeq; i++) {
        const float* row = task.x.row(b, h, i);
        const auto turned = reference::rotated({row, row + kDim}, kDim, {position_of(b, i)},
                                               frequencies, layout == PairLayout::kInterleaved);
        std::copy(turned.begin(), turned.end(), out.begin() + (row - task.x.data));
      }
    }
  }
  return out;
}

TEST_CASE("rotate: layouts in memory, positions shared or per batch row, in place or not") {
  const auto x = random_floats(kSize, 1);
  for (PairLayout layout : {PairLayout::kHalf, PairLayout::kInterleaved}) {
    const auto rope = rope_with(layout);
    for (bool packed : {false, true}) {
      CAPTURE(packed);
      const Positions rows[] = {Positions::range(7, kSeq), Positions::range(-30, kSeq)};
      for (std::size_t given : {0U, 1U, 2U}) {
        CAPTURE(given);
        std::vector<float> out(kSize, NAN);
        RotaryTask task = task_of(x, out, packed);
        task.positions = std::span(rows).first(given);
        const auto want = plain(task, layout, [&](int64_t b, int64_t i) {
          if (given == 0) return static_cast<double>(i);
          return rows[given == 1 ? 0 : b].at(i);
        });
        REQUIRE(rotate(rope, task).has_value());
        testing::check_close(out, want, 3e-7, "rotated");

        std::vector<float> same = x;
        RotaryTask in_place = task_of(same, same, packed);
        in_place.positions = task.positions;
        REQUIRE(rotate(rope, in_place).has_value());
        CHECK(same == out);
      }
    }
  }
}

// Factors are made for a stretch of tokens at a time; a lone token is turned for all heads at once.
TEST_CASE("rotate: more tokens than a stretch, and one, as token by token") {
  constexpr int64_t kWide = 256, kWideHeads = 2;
  const RotaryAdapter<Rope> rope(std::move(*make<Rope>({.head_dim = kWide})));
  for (int64_t seq : {1, 2, 255, 256, 257, 520}) {
    CAPTURE(seq);
    const auto x = random_floats(static_cast<std::size_t>(kWideHeads * seq * kWide), 3);
    for (bool packed : {false, true}) {
      std::vector<float> all(x.size(), NAN), each(x.size(), NAN);
      const auto in = packed ? HeadRows<const float>::packed(x.data(), kWideHeads, seq, kWide)
                             : HeadRows<const float>::heads(x.data(), kWideHeads, seq, kWide);
      const auto to = [&](std::vector<float>& out) {
        return packed ? HeadRows<float>::packed(out.data(), kWideHeads, seq, kWide)
                      : HeadRows<float>::heads(out.data(), kWideHeads, seq, kWide);
      };
      const Positions positions = Positions::range(11, seq);
      REQUIRE(rotate(rope, {.batch = 1,
                            .heads = kWideHeads,
                            .seq = seq,
                            .x = in,
                            .out = to(all),
                            .positions = {&positions, 1}})
                  .has_value());
      for (int64_t i = 0; i < seq; i++) {
        const Positions one = Positions::range(static_cast<double>(11 + i), 1);
        for (int64_t h = 0; h < kWideHeads; h++) {
          const auto row = HeadRows<const float>::heads(in.row(0, h, i), 1, 1, kWide);
          const auto out = HeadRows<float>::heads(to(each).row(0, h, i), 1, 1, kWide);
          REQUIRE(
              rotate(
                  rope,
                  {.batch = 1, .heads = 1, .seq = 1, .x = row, .out = out, .positions = {&one, 1}})
                  .has_value());
        }
      }
      CHECK(all == each);
    }
  }
}

TEST_CASE("rotate: from one layout in memory into the other") {
  const auto rope = rope_with(PairLayout::kHalf);
  const auto x = random_floats(kSize, 2);
  std::vector<float> straight(kSize), across(kSize);
  RotaryTask task = task_of(x, straight, false);
  REQUIRE(rotate(rope, task).has_value());
  task.out = HeadRows<float>::packed(across.data(), kHeads, kSeq, kDim);
  REQUIRE(rotate(rope, task).has_value());
  const auto rows = HeadRows<const float>::heads(straight.data(), kHeads, kSeq, kDim);
  const HeadRows<const float> others = task.out;
  for (int64_t b = 0; b < kBatch; b++) {
    for (int64_t h = 0; h < kHeads; h++) {
      for (int64_t i = 0; i < kSeq; i++) {
        CHECK(std::equal(rows.row(b, h, i), rows.row(b, h, i) + kDim, others.row(b, h, i)));
      }
    }
  }
}

struct Table {
  std::vector<float> cos, sin;
  RotaryTable view(int64_t rows) const { return {cos.data(), sin.data(), rows}; }
};

Table table_at(const Rope& rope, const Positions& positions) {
  Table table{std::vector<float>(static_cast<std::size_t>(positions.count * kPairs)), {}};
  table.sin = table.cos;
  rope.table(positions, {}, table.cos.data(), table.sin.data());
  return table;
}

TEST_CASE("rotate: tables from elsewhere, their rows chosen by positions or in order") {
  const auto rope = rope_with(PairLayout::kInterleaved);
  const auto own = std::move(*make<Rope>({.head_dim = kDim, .rotary_dim = kRotary}));
  const auto x = random_floats(kSize, 3);
  std::vector<float> want(kSize), out(kSize);

  std::vector<double> places;
  for (int64_t i = 0; i < kSeq; i++) places.push_back(static_cast<double>(i * 37 % 100));
  const Positions chosen = Positions::array(places.data(), kSeq);
  RotaryTask task = task_of(x, want, false);
  task.positions = std::span(&chosen, 1);
  REQUIRE(rotate(rope, task).has_value());
  const Table rows = table_at(own, Positions::range(0, 100));
  task.out = HeadRows<float>::heads(out.data(), kHeads, kSeq, kDim);
  task.table = rows.view(100);
  REQUIRE(rotate(rope, task).has_value());
  CHECK(out == want);

  const Positions each[] = {Positions::range(4, kSeq), Positions::range(50, kSeq)};
  RotaryTask second = task_of(x, want, false);
  second.positions = each;
  REQUIRE(rotate(rope, second).has_value());
  Table both = table_at(own, each[0]);
  const Table next = table_at(own, each[1]);
  both.cos.insert(both.cos.end(), next.cos.begin(), next.cos.end());
  both.sin.insert(both.sin.end(), next.sin.begin(), next.sin.end());
  second.out = task.out;
  second.positions = {};
  second.table = both.view(kBatch * kSeq);
  REQUIRE(rotate(rope, second).has_value());
  CHECK(out == want);
}

TEST_CASE(
    "rotate: dynamic frequencies follow the longest position of each batch row, or the length "
    "told") {
  const RotaryAdapter<Rope> rope(std::move(*make<Rope>(
      {.head_dim = kDim,
       .scaling = {.type = RopeScalingType::kDynamic, .factor = 2, .original_length = 80}})));
  const auto x = random_floats(kSize, 4);
  const Positions rows[] = {Positions::range(0, kSeq), Positions::range(900, kSeq)};
  std::vector<float> together(kSize), told(kSize);
  RotaryTask task = task_of(x, together, false);
  task.positions = rows;
  REQUIRE(rotate(rope, task).has_value());
  task.out = HeadRows<float>::heads(told.data(), kHeads, kSeq, kDim);
  task.reached = 970;
  REQUIRE(rotate(rope, task).has_value());
  const auto half = static_cast<std::ptrdiff_t>(kSize / 2);
  CHECK_FALSE(
      std::equal(told.begin(), told.begin() + half, together.begin()));  // row 0 reaches 70 alone
  CHECK(std::equal(told.begin() + half, told.end(), together.begin() + half));
}

TEST_CASE("rotate: refused positions and tables, with nothing written") {
  const auto rope = rope_with(PairLayout::kHalf);
  const auto x = random_floats(kSize, 5);
  std::vector<float> out(kSize, -3.0F);
  RotaryTask task = task_of(x, out, false);
  const Positions few = Positions::range(0, kSeq - 1), far = Positions::range(NAN, kSeq);
  task.positions = std::span(&few, 1);
  check_error(rotate(rope, task).error(), ErrorCode::kShapeMismatch, "positions");
  task.positions = std::span(&far, 1);
  check_error(rotate(rope, task).error(), ErrorCode::kOutsideDomain, "positions");

  const Table table{std::vector<float>(8 * kPairs), std::vector<float>(8 * kPairs)};
  task.table = table.view(8);
  task.positions = {};
  check_error(rotate(rope, task).error(), ErrorCode::kShapeMismatch, "table");
  std::vector<double> places(kSeq, 3);
  for (double bad : {8.0, -1.0, 1.5, 2147483648.0}) {
    places[kSeq - 1] = bad;
    const Positions wrong = Positions::array(places.data(), kSeq);
    task.positions = std::span(&wrong, 1);
    check_error(rotate(rope, task).error(), ErrorCode::kOutsideDomain, "positions");
  }
  CHECK(out == std::vector<float>(kSize, -3.0F));
}

}  // namespace
}  // namespace posenc
