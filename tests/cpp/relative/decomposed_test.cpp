#include "posenc/relative/decomposed.hpp"

#include "reference/relative/decomposed.hpp"
#include "relative/support.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using reference::RelativeAttention;
using reference::Side;
using testing::check_close;
using testing::Setup;
using testing::values_of;
using Doubles = std::vector<double>;

struct Grids {
  int64_t q_rows, q_cols, k_rows, k_cols;  // one of each pair divides the other
  int64_t table_height, table_width;
};

Doubles grid_positions(int64_t rows, int64_t cols, int64_t full_rows, int64_t full_cols,
                       bool keys) {
  const auto made = decomposed_positions({.rows = rows,
                                          .cols = cols,
                                          .row_step = full_rows / rows,
                                          .col_step = full_cols / cols,
                                          .keys = keys},
                                         {});
  REQUIRE(made.has_value());
  return {made->data.data(), made->data.data() + made->data.size()};
}

// The plain terms of one axis: the rows of all pairs of places, shared by all heads.
void add_axis(const Grids& g, bool vertical, const Encoding& encoding, double scale, int64_t heads,
              int64_t width, RelativeAttention& plain) {
  const reference::RelPos pos{vertical ? g.q_rows : g.q_cols, vertical ? g.k_rows : g.k_cols,
                              2 * (vertical ? g.table_height : g.table_width) - 1, width};
  const auto rows = pos.rows(values_of(encoding, vertical ? "heightTable" : "widthTable"));
  Doubles all;
  for (int64_t h = 0; h < heads; h++) all.insert(all.end(), rows.begin(), rows.end());
  std::vector<int64_t> index;
  for (int64_t i = 0; i < g.q_rows * g.q_cols; i++) {
    for (int64_t j = 0; j < g.k_rows * g.k_cols; j++) {
      const int64_t q = vertical ? i / g.q_cols : i % g.q_cols,
                    k = vertical ? j / g.k_cols : j % g.k_cols;
      index.push_back(q * pos.k_size + k);
    }
  }
  plain.terms.push_back({Side::kQuery, pos.q_size * pos.k_size, all, {}, index, scale, {}});
}

void check_grids(const Grids& g, bool scaled, int64_t dim = 6) {
  Setup setup;
  setup.options = {.heads = 3, .head_dim = dim};
  setup.q_len = g.q_rows * g.q_cols, setup.k_len = g.k_rows * g.k_cols;
  setup.fill(7);
  const int64_t height = std::max(g.q_rows, g.k_rows), width = std::max(g.q_cols, g.k_cols);
  setup.position_axes = 2;
  setup.q_positions = {grid_positions(g.q_rows, g.q_cols, height, width, false)};
  setup.k_positions = {grid_positions(g.k_rows, g.k_cols, height, width, true)};
  const auto encoding = testing::relative_encoding<Decomposed>({.head_dim = dim,
                                                                .height = g.table_height,
                                                                .width = g.table_width,
                                                                .grid_height = height,
                                                                .grid_width = width,
                                                                .scaled = scaled});
  REQUIRE(encoding != nullptr);
  RelativeAttention plain{setup.reference(), {}, {}};
  const double scale = scaled ? plain.attention.scale : 1;
  add_axis(g, true, *encoding, scale, 3, dim, plain);
  add_axis(g, false, *encoding, scale, 3, dim, plain);
  const auto want = relative_forward(plain);
  const auto d = relative_backward(plain, setup.by_heads(setup.d_out, 3, setup.q_len, dim));
  const auto got = testing::run_relative(setup, *encoding);
  check_close(got.out, want.out, 5e-6, "out");
  check_close(got.raw, want.raw, 5e-6, "scores");
  check_close(got.dq, d.dq, 5e-6, "dq");
  check_close(got.dk, d.dk, 5e-6, "dk");
  check_close(got.dv, d.dv, 5e-6, "dv");
  for (std::size_t t = 0; t < 2; t++) {
    const bool vertical = t == 0;
    const reference::RelPos pos{vertical ? g.q_rows : g.q_cols, vertical ? g.k_rows : g.k_cols,
                                2 * (vertical ? g.table_height : g.table_width) - 1, dim};
    Doubles sum(d.d_rows[t].size() / 3);
    for (std::size_t n = 0; n < d.d_rows[t].size(); n++) sum[n % sum.size()] += d.d_rows[t][n];
    const auto table = pos.table_gradient(sum);
    CHECK(testing::error_of_sums({got.params[t].begin(), got.params[t].end()}, table) <= 5e-6);
  }
}

TEST_CASE(
    "decomposed: grids, pooled grids and resampled tables against the code of Segment Anything") {
  for (bool scaled : {false, true}) {
    check_grids({1, 1, 1, 1, 1, 1}, scaled);
    check_grids({3, 4, 3, 4, 3, 4}, scaled);
    check_grids({5, 2, 5, 2, 3, 7}, scaled);
    check_grids({4, 6, 2, 3, 4, 6}, scaled);  // pooled keys
    check_grids({2, 3, 4, 9, 4, 9}, scaled);  // pooled queries
    check_grids({9, 11, 9, 11, 14, 14}, scaled);
    for (int64_t size : testing::awkward_sizes()) {
      check_grids({3, 4, 3, 4, 3, 4}, scaled, size);
      check_grids({1, size, 1, size, 2, size}, scaled);
      check_grids({size, 2, size, 2, size, 3}, scaled, size);
    }
  }
}

TEST_CASE("decomposed: the plain table gradient against finite differences") {
  const reference::RelPos pos{4, 4, 5, 2};
  const auto floats = testing::random_floats(10, 1), d_floats = testing::random_floats(32, 2);
  Doubles table(floats.begin(), floats.end());
  const Doubles d_rows(d_floats.begin(), d_floats.end());
  const auto gradient = pos.table_gradient(d_rows);
  for (std::size_t n = 0; n < table.size(); n++) {
    const auto loss = [&](double step) {
      Doubles moved = table;
      moved[n] += step;
      const auto rows = pos.rows(moved);
      double sum = 0;
      for (std::size_t i = 0; i < rows.size(); i++) sum += rows[i] * d_rows[i];
      return sum;
    };
    CHECK(std::abs((loss(1e-4) - loss(-1e-4)) / 2e-4 - gradient[n]) <= 1e-9);
  }
}

TEST_CASE("decomposed: a class token in front has no term") {
  Setup setup;
  setup.options = {.heads = 1, .head_dim = 4};
  setup.q_len = setup.k_len = 7;
  setup.fill(3);
  setup.position_axes = 2;
  for (bool keys : {false, true}) {
    const auto made = decomposed_positions({.rows = 2, .cols = 3, .prefix = 1, .keys = keys}, {});
    auto& positions = keys ? setup.k_positions : setup.q_positions;
    positions.emplace_back(made->data.data(), made->data.data() + 14);
  }
  const auto encoding =
      testing::relative_encoding<Decomposed>({.head_dim = 4, .height = 2, .width = 3});
  const auto with = testing::run_relative(setup, *encoding).raw;
  setup.encodings.clear();
  setup.q_positions.clear(), setup.k_positions.clear();
  const auto without = testing::run_scores(setup, ScoreStage::kRaw);
  for (std::size_t n = 0; n < 49; n++) CHECK((with[n] == without[n]) == (n < 7 || n % 7 == 0));
}

TEST_CASE("decomposed: what is refused") {
  testing::check_error(make<Decomposed>({.head_dim = 4, .width = 3}).error(),
                       ErrorCode::kOutOfRange, "height");
  testing::check_error(
      make<Decomposed>({.head_dim = 4, .height = 3, .width = 3, .grid_width = 0}).error(),
      ErrorCode::kOutOfRange, "gridWidth");
  const auto encoding =
      testing::relative_encoding<Decomposed>({.head_dim = 4, .height = 2, .width = 2});
  Encoding* one[] = {encoding.get()};
  testing::check_error(Attention::make({.heads = 1, .head_dim = 4, .scale = 0}, one).error(),
                       ErrorCode::kUnsupported, "encodings[0]");
}

}  // namespace
}  // namespace posenc
