#include "posenc/bias/t5.hpp"

#include "attention/bias_case.hpp"
#include "reference/bias/t5.hpp"
#include "support/bias.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::counted;
using testing::taken_back;
using testing::written_out;

T5Options options_of(const testing::GoldenCase& golden) {
  return {.heads = static_cast<int64_t>(golden.number("heads", 1)),
          .num_buckets = static_cast<int64_t>(golden.number("num_buckets")),
          .max_distance = static_cast<int64_t>(golden.number("max_distance")),
          .bidirectional = golden.number("bidirectional") != 0};
}

reference::Buckets buckets_of(const T5Options& options) {
  return {options.num_buckets, options.max_distance, options.bidirectional};
}

// The reference's bias [heads, q, k] from a table [buckets, heads].
std::vector<double> plain_bias(const T5Options& options, const std::vector<float>& table,
                               const std::vector<double>& query, const std::vector<double>& key) {
  std::vector<double> bias;
  for (int64_t h = 0; h < options.heads; h++) {
    std::vector<double> column;
    for (int64_t b = 0; b < options.num_buckets; b++) {
      column.push_back(table[static_cast<std::size_t>(b * options.heads + h)]);
    }
    const auto one = reference::t5_bias(buckets_of(options), column, query, key);
    bias.insert(bias.end(), one.begin(), one.end());
  }
  return bias;
}

int64_t bucket(T5Options options, double relative) {
  return make<T5>(options)->buckets().of(relative);
}

TEST_CASE("t5: buckets of Hugging Face's code, far distances and edges") {
  for (const char* name :
       {"t5-bias--bucket-bi-32-128", "t5-bias--bucket-bi-8-20", "t5-bias--bucket-causal-32-128"}) {
    const auto golden = testing::load_golden(name);
    const T5Options options = options_of(golden);
    const T5 encoding = std::move(*make<T5>(options));
    const auto &relative = golden["relative_position"].ints, &want = golden["bucket"].ints;
    for (std::size_t i = 0; i < relative.size(); i++) {
      CAPTURE(relative[i]);
      CHECK(encoding.buckets().of(relative[i]) == want[i]);
      CHECK(reference::t5_bucket(buckets_of(options), relative[i]) == want[i]);
    }
  }
}

TEST_CASE("t5: the last bucket of each side holds all that is farther") {
  const T5Options both{.heads = 1}, one{.heads = 1, .bidirectional = false};
  CHECK(bucket(both, -200) == 15);
  CHECK(bucket(both, 200) == 31);
  CHECK(bucket(both, -16) == 10);
  CHECK(bucket(both, -64) == 14);
  CHECK(bucket(both, -127) == 15);
  CHECK(bucket(both, 8) == 24);
  CHECK(bucket(both, 12) == 25);
  CHECK(bucket(both, 16) == 26);
  CHECK(bucket(both, -1e15) == 15);
  CHECK(bucket(one, -15) == 15);
  CHECK(bucket(one, -16) == 16);
  CHECK(bucket(one, -18) == 16);
  CHECK(bucket(one, -20) == 17);
  CHECK(bucket(one, -64) == 26);
  CHECK(bucket(one, -128) == 31);
  CHECK(bucket(one, 1) == 0);
  CHECK(bucket(one, 1e15) == 0);
}

TEST_CASE("t5: every distance against exact whole-number arithmetic") {
  for (bool both : {true, false}) {
    for (const auto& [count, most] : {std::pair{4, 5},
                                      {5, 100},
                                      {8, 20},
                                      {12, 24},
                                      {16, 64},
                                      {32, 128},
                                      {32, 256},
                                      {33, 129},
                                      {48, 1000},
                                      {64, 128},
                                      {64, 800},
                                      {128, 800},
                                      {320, 800}}) {
      CAPTURE(count);
      CAPTURE(most);
      if (both && count / 4 >= most) continue;
      if (!both && count / 2 >= most) continue;
      const T5Options options{
          .heads = 1, .num_buckets = count, .max_distance = most, .bidirectional = both};
      const T5 encoding = std::move(*make<T5>(options));
      int wrong = 0;
      for (int64_t relative = -1024; relative <= 1024; relative += count > 100 ? 13 : 1) {
        wrong += encoding.buckets().of(static_cast<double>(relative)) !=
                 reference::t5_bucket(buckets_of(options), relative);
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("t5: biases of Hugging Face's code") {
  for (const char* name : {"t5-bias--bias-bi-h6-l13x17", "t5-bias--bias-causal-h3-l40",
                           "t5-bias--bias-causal-last3of20"}) {
    const auto golden = testing::load_golden(name);
    const T5Options options = options_of(golden);
    auto bias = adapted<T5>(options);
    REQUIRE(bias.parameters().set("table", golden["table"].floats).has_value());
    const int64_t queries = golden["bias"].shape[1], keys = golden["bias"].shape[2];
    const double offset = golden.number("query_offset");
    const double bound = testing::golden_bound(golden.tolerance);
    check_close(written_out(bias, Positions::range(offset, queries), Positions::range(0, keys)),
                golden["bias"].floats, bound, name);
    check_close(
        plain_bias(options, golden["table"].floats, counted(offset, queries), counted(0, keys)),
        golden["bias"].floats, bound, name);
  }
}

TEST_CASE("t5: attention with Hugging Face's bias, scale 1, table trained") {
  for (const char* name : {"t5-bias--attn-grad-bi-l11", "t5-bias--attn-grad-causal-l14"}) {
    const auto golden = testing::load_golden(name);
    const T5Options options = options_of(golden);
    auto bias = adapted<T5>(options);
    REQUIRE(bias.parameters().set("table", golden["table"].floats).has_value());
    testing::Setup setup = testing::bias_setup(golden, bias);
    if (golden.number("causal_mask") != 0) setup.options.causal = Causal::kTopLeft;
    const auto query = counted(0, setup.q_len), key = counted(0, setup.k_len);
    const auto plain = plain_bias(options, golden["table"].floats, query, key);
    check_close(plain, golden["bias"].floats, testing::golden_bound(golden.tolerance), name);
    const auto gradient = testing::check_bias_case(setup, golden, plain);
    check_close(gradient.params[0], golden["dtable"].floats,
                testing::golden_bound(golden.tolerance), "dtable");
  }
}

TEST_CASE(
    "t5: tiles, contiguous and given positions give the same bits, and match the plain loop") {
  for (bool both : {true, false}) {
    const T5Options options{
        .heads = 3, .num_buckets = 9, .max_distance = 30, .bidirectional = both};
    const auto bias = adapted<T5>(options, 5);
    const auto table = bias.parameters()[0].values.span();
    for (const auto& [queries, keys] :
         testing::awkward_pairs({{0, 4}, {1, 9}, {7, 3}, {13, 13}, {66, 130}, {5, 300}})) {
      const auto query = counted(17, queries), key = counted(-3, keys);
      const auto contiguous =
          written_out(bias, Positions::range(17, queries), Positions::range(-3, keys));
      const auto given = written_out(bias, Positions::array(query.data(), queries),
                                     Positions::array(key.data(), keys));
      CHECK(given == contiguous);
      CHECK(written_out(bias, Positions::range(17, queries), Positions::range(-3, keys), 7) ==
            contiguous);
      check_close(contiguous, plain_bias(options, {table.begin(), table.end()}, query, key), 0,
                  "bias");
    }
  }
}

TEST_CASE("t5: gradient of the table through tiles") {
  constexpr int64_t kHeads = 2;
  for (const auto& [queries, keys] : testing::awkward_pairs({{21, 70}})) {
    CAPTURE(queries);
    CAPTURE(keys);
    const auto size = static_cast<std::ptrdiff_t>(queries * keys);
    const auto d_bias = testing::random_floats(static_cast<std::size_t>(kHeads * size), 7);
    const auto query = counted(5, queries), key = counted(0, keys);
    for (bool both : {true, false}) {
      const T5Options options{
          .heads = kHeads, .num_buckets = 10, .max_distance = 40, .bidirectional = both};
      const auto bias = adapted<T5>(options);
      std::vector<double> want(static_cast<std::size_t>(options.num_buckets * kHeads));
      for (std::size_t h = 0; h < kHeads; h++) {
        const auto first = d_bias.begin() + static_cast<std::ptrdiff_t>(h) * size;
        const auto one =
            reference::t5_backward(buckets_of(options), {first, first + size}, query, key);
        for (std::size_t b = 0; b < one.size(); b++) want[b * kHeads + h] = one[b];
      }
      testing::check_sums(
          taken_back(bias, Positions::range(5, queries), Positions::range(0, keys), d_bias)[0],
          want, 2e-6, "contiguous");
      testing::check_sums(taken_back(bias, Positions::array(query.data(), queries),
                                     Positions::array(key.data(), keys), d_bias, 16)[0],
                          want, 2e-6, "given");
    }
  }
}

TEST_CASE("t5: the plain gradient against finite differences") {
  const reference::Buckets buckets{6, 9, true};
  const auto query = counted(2, 5), key = counted(0, 8);
  auto column = testing::widened(testing::random_floats(6, 1));
  const auto d_bias = testing::widened(testing::random_floats(40, 2));
  testing::check_differences(
      column, reference::t5_backward(buckets, d_bias, query, key),
      [&] { return testing::product(reference::t5_bias(buckets, column, query, key), d_bias); },
      "table");
}

TEST_CASE("t5: the operation `buckets`, and what it refuses") {
  const T5 encoding = std::move(*make<T5>({.heads = 1}));
  const std::vector<double> relative{-200, 0, 8, 200};
  const TensorView<const double> view{relative, {2, 2}};
  const auto result = t5_buckets(encoding, {}, {&view, 1});
  REQUIRE(result.has_value());
  CHECK(result->shape == Shape{2, 2});
  check_close(std::vector<float>(result->data.span().begin(), result->data.span().end()),
              std::vector{15, 0, 24, 31}, 0, "buckets");
  const std::vector<double> wrong{0.5};
  const TensorView<const double> half{wrong, {1}};
  testing::check_error(t5_buckets(encoding, {}, {&half, 1}).error(), ErrorCode::kOutOfRange,
                       "relativePositions");
}

TEST_CASE("t5: refused options and positions") {
  testing::check_error(make<T5>({.heads = 0}).error(), ErrorCode::kOutOfRange, "heads");
  testing::check_error(make<T5>({.heads = 1, .num_buckets = 3}).error(), ErrorCode::kOutOfRange,
                       "numBuckets");
  testing::check_error(make<T5>({.heads = 1, .num_buckets = 32, .max_distance = 8}).error(),
                       ErrorCode::kOutOfRange, "maxDistance");
  testing::check_error(
      check_positions(Positions::range(0.5, 3), T5::info.domain, "positions.q").error(),
      ErrorCode::kOutsideDomain, "positions.q");
}

}  // namespace
}  // namespace posenc
