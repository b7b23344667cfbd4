// Sinks, chunks, global tokens and blocks: what they mean in numbers that can be counted by hand.
// attention/random_test.cpp compares all of them with the plain loops.
#include "posenc/attention/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "attention/setup.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::Setup;

Setup square(int64_t length, AttentionOptions options = {}) {
  Setup setup;
  setup.options = options;
  setup.options.heads = options.heads > 0 ? options.heads : 1;
  setup.options.head_dim = 4;
  setup.q_len = setup.k_len = length;
  setup.fill(3);
  return setup;
}

// "1" where a key is seen, row by row.
std::vector<std::string> seen(Setup& setup) {
  const auto scores = testing::run_scores(setup, ScoreStage::kBiased);
  std::vector<std::string> rows;
  for (int64_t i = 0; i < setup.q_len; i++) {
    auto& row = rows.emplace_back();
    for (int64_t j = 0; j < setup.k_len; j++) {
      row += std::isfinite(scores[static_cast<std::size_t>(i * setup.k_len + j)]) ? '1' : '0';
    }
  }
  return rows;
}

TEST_CASE("attention: a sink takes its share and gives nothing") {
  Setup setup = square(2);
  std::fill(setup.q.begin(), setup.q.end(), 0.0F);
  std::fill(setup.v.begin(), setup.v.end(), 3.0F);
  setup.sinks = {0};
  const auto output = testing::run_forward(setup);
  for (const double value : output.out) CHECK(value == doctest::Approx(2));
  for (const float lse : output.lse) CHECK(lse == doctest::Approx(std::log(3.0)));
  for (const float weight : testing::run_scores(setup, ScoreStage::kWeights))
    CHECK(weight == doctest::Approx(1.0 / 3));
  // A row that sees nothing is exactly zero, and its sum is the sink's.
  setup.sinks = {0.5F};
  setup.lengths = {0};
  const auto nothing = testing::run_forward(setup);
  for (const double value : nothing.out) CHECK(value == 0);
  for (const float lse : nothing.lse) CHECK(lse == 0.5F);
  // Minus infinity is no sink at all.
  Setup plain = square(70), none = square(70);
  none.sinks = {-INFINITY};
  CHECK(testing::run_forward(plain).raw_out == testing::run_forward(none).raw_out);
}

TEST_CASE("attention: the gradient of sinks is what finite differences say") {
  Setup setup = square(9, {.heads = 2, .causal = Causal::kBottomRight});
  auto a = setup.reference();
  a.sinks = {0.3, -1.2};
  const std::vector<double> d_out(setup.d_out.begin(), setup.d_out.end());
  const auto loss = [&](const reference::Attention& attention) {
    const auto out = attention_forward(attention).out;
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); i++) sum += out[i] * d_out[i];
    return sum;
  };
  const auto gradient = attention_backward(a, d_out);
  for (std::size_t h = 0; h < 2; h++) {
    auto up = a, down = a;
    up.sinks[h] += 1e-6, down.sinks[h] -= 1e-6;
    CHECK(gradient.d_sinks[h] == doctest::Approx((loss(up) - loss(down)) / 2e-6).epsilon(1e-7));
  }
  setup.sinks = {0.3F, -1.2F};
  const auto got = testing::run_backward(setup, testing::run_forward(setup));
  testing::check_close(got.d_sinks, gradient.d_sinks, 1e-6, "dSinks");
}

TEST_CASE("attention: chunks") {
  Setup setup = square(6, {.causal = Causal::kBottomRight, .chunk = 3});
  CHECK(seen(setup) ==
        std::vector<std::string>{"100000", "110000", "111000", "000100", "000110", "000111"});
  Setup both = square(5, {.chunk = 2});
  CHECK(seen(both) == std::vector<std::string>{"11000", "11000", "00110", "00110", "00001"});
}

TEST_CASE("attention: a window and global tokens") {
  Setup setup = square(6, {.window_left = 1, .window_right = 1});
  setup.query_global = setup.key_global = {0, 0, 0, 1, 0, 0};
  CHECK(seen(setup) ==
        std::vector<std::string>{"110100", "111100", "011100", "111111", "000111", "000111"});
  Setup causal = square(6, {.causal = Causal::kBottomRight, .window_left = 1});
  causal.query_global = causal.key_global = {1, 0, 0, 0, 0, 0};
  CHECK(seen(causal) ==
        std::vector<std::string>{"100000", "110000", "111000", "101100", "100110", "100011"});
}

TEST_CASE("attention: blocks near, at both ends, and drawn") {
  Setup setup = square(12, {.blocks = {.size = 2, .window = 1, .global = 1, .random = 0}});
  CHECK(seen(setup)[5] == "111111110011");  // block 2: 0, 1 to 3, 5
  CHECK(seen(setup)[0] == "111111111111");
  setup.options.blocks.random = 1;
  CHECK(seen(setup)[5] == "111111111111");  // only block 4 is left
  setup.options.blocks = {.size = 2, .window = 0, .global = 0, .random = 2, .seed = 5};
  for (const auto& row : seen(setup)) CHECK(std::count(row.begin(), row.end(), '1') == 6);
}

TEST_CASE("attention: with causal the first blocks alone are global, as in a text that goes on") {
  Setup setup = square(12, {.causal = Causal::kBottomRight,
                            .blocks = {.size = 2, .window = 1, .global = 1, .random = 0}});
  const auto rows = seen(setup);
  CHECK(rows[11] == "110000001111");
  Setup longer = square(40, setup.options);
  CHECK(seen(longer)[11] == "110000001111" + std::string(28, '0'));
}

TEST_CASE("attention: a query before the keys or behind them is in none of their blocks") {
  Setup setup = square(6, {.blocks = {.size = 2, .window = 0, .global = 0, .random = 0}});
  setup.offsets = {-2};
  CHECK(seen(setup) ==
        std::vector<std::string>{"000000", "000000", "110000", "110000", "001100", "001100"});
  setup.offsets = {3};
  CHECK(seen(setup) ==
        std::vector<std::string>{"001100", "000011", "000011", "000000", "000000", "000000"});
}

TEST_CASE("attention: drawn blocks are free ones, each once, and every one comes up") {
  for (const bool causal : {false, true}) {
    std::set<int64_t> ever;
    for (int64_t head = 0; head < 200; head++) {
      const attn::KeyBlocks blocks{.size = 64,
                                   .window = 1,
                                   .global = 1,
                                   .random = 3,
                                   .seed = 7,
                                   .causal = causal,
                                   .head = head,
                                   .count = 20};
      int64_t list[attn::kMostRandomBlocks];
      const int64_t count = blocks.draw(10, list);
      CHECK(count == 3);
      for (int64_t i = 0; i < count; i++) {
        ever.insert(list[i]);
        CHECK((list[i] >= 1 && list[i] < 19 && std::abs(list[i] - 10) > 1));
        if (causal) CHECK(list[i] < 9);
        if (i > 0) CHECK(list[i] > list[i - 1]);
      }
    }
    CHECK(ever.size() == (causal ? 8 : 15));
  }
  int64_t list[attn::kMostRandomBlocks];
  const attn::KeyBlocks few{.size = 1, .window = 1, .global = 0, .random = 9, .count = 4};
  CHECK(few.draw(0, list) == 2);
  CHECK(list[0] == 2);
  CHECK(list[1] == 3);
}

TEST_CASE("attention: tiles that nothing is seen of are skipped") {
  const attn::SparseRule far{
      .blocks = {.size = 64, .window = 1, .global = 1, .random = 0, .count = 40}};
  CHECK(far.classify({0, 64, 64 * 20, 64, 64}, 64 * 10) == attn::TileKind::kHidden);
  CHECK(far.classify({0, 64, 64 * 11, 64, 64}, 64 * 10) == attn::TileKind::kWhole);
  CHECK(far.classify({0, 64, 64 * 11 + 32, 64, 64}, 64 * 10) == attn::TileKind::kPart);
  // Values of what is skipped are never read: NaN there leaves no trace.
  Setup setup = square(400, {.window_left = 10, .window_right = 10});
  setup.key_global.assign(400, 0), setup.query_global.assign(400, 0);
  setup.key_global[0] = setup.query_global[0] = 1;
  std::fill(setup.v.begin() + 200 * 4, setup.v.begin() + 260 * 4, NAN);
  const auto out = testing::run_forward(setup).out;
  for (std::size_t i = 4; i < 180 * 4; i++) CHECK(std::isfinite(out[i]));
}

TEST_CASE("attention: sinks and temperatures that have no value") {
  Setup setup = square(3);
  setup.sinks = {NAN};
  std::vector<float> out(12);
  const Status status =
      setup.make().forward(setup.inputs(), {setup.rows<float>(out.data(), 1, 3, 4), nullptr});
  testing::check_error(status.error(), ErrorCode::kOutOfRange, "sinks");
  const auto made = Attention::make(
      {.heads = 1, .head_dim = 4, .temperature = {.type = QueryTemperature::kLogN}}, {});
  testing::check_error(made.error(), ErrorCode::kOutOfRange, "temperature.length");
}

}  // namespace
}  // namespace posenc
