#include "posenc/bias/relation.hpp"

#include "attention/setup.hpp"
#include "posenc/bias/t5.hpp"
#include "reference/bias/relation.hpp"
#include "support/bias.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::taken_back;
using testing::widened;
using testing::written_out;

std::vector<int32_t> random_ids(std::size_t count, int64_t relations, uint64_t seed) {
  Random random(seed);
  std::vector<int32_t> ids(count);
  for (int32_t& id : ids)
    id = static_cast<int32_t>(random.uniform() * static_cast<double>(relations));
  return ids;
}

std::vector<double> table_of(const BiasEncoding& bias) {
  const auto values = bias.parameters()[0].values.span();
  return {values.begin(), values.end()};
}

std::vector<int64_t> wide(const std::vector<int32_t>& ids) { return {ids.begin(), ids.end()}; }

TEST_CASE("relation: tiles match the plain loop, forward and gradient") {
  for (std::optional<int64_t> padding : {std::optional<int64_t>(), std::optional<int64_t>(3)}) {
    const RelationOptions options{.heads = 3, .relations = 9, .padding_index = padding};
    const auto bias = adapted<Relation>(options, 2);
    for (const auto& [queries, keys] :
         testing::awkward_pairs({{0, 3}, {1, 9}, {7, 3}, {13, 13}, {66, 130}, {5, 300}})) {
      CAPTURE(queries);
      const auto ids = random_ids(static_cast<std::size_t>(queries * keys), 9, 4);
      const Relations relations{ids.data(), keys};
      const Positions q = Positions::range(0, queries), k = Positions::range(0, keys);
      const auto out = written_out(bias, q, k, 64, relations);
      check_close(out, reference::relation_bias(table_of(bias), 3, padding.value_or(-1), wide(ids)),
                  0, "bias");
      CHECK(written_out(bias, q, k, 7, relations) == out);
      const auto d_bias = testing::random_floats(out.size(), 5);
      testing::check_sums(
          taken_back(bias, q, k, d_bias, 16, relations)[0],
          reference::relation_backward(9, 3, padding.value_or(-1), wide(ids), widened(d_bias)),
          2e-6, "gradient");
    }
  }
}

TEST_CASE("relation: the plain gradient against finite differences") {
  const auto ids = wide(random_ids(35, 6, 1));
  auto table = widened(testing::random_floats(12, 2));
  const auto d_bias = widened(testing::random_floats(70, 3));
  testing::check_differences(
      table, reference::relation_backward(6, 2, 4, ids, d_bias),
      [&] { return testing::product(reference::relation_bias(table, 2, 4, ids), d_bias); },
      "table");
}

TEST_CASE("relation: distances as ids are T5 with a bucket per distance") {
  // One-sided buckets 0 to 4 are exact; ids beyond are shared by both.
  auto t5 =
      adapted<T5>({.heads = 2, .num_buckets = 10, .max_distance = 6, .bidirectional = false}, 3);
  auto relation = adapted<Relation>({.heads = 2, .relations = 10}, 8);
  const auto values = t5.parameters()[0].values.span();
  REQUIRE(
      relation.parameters().set("table", std::vector(values.begin(), values.end())).has_value());
  std::vector<int32_t> ids;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) ids.push_back(std::max(i - j, 0));
  }
  const Positions all = Positions::range(0, 5);
  CHECK(written_out(relation, all, all, 2, {ids.data(), 5}) == written_out(t5, all, all));
}

// Attention over two relation encodings and T5, batch rows with matrices of their own, against the
// plain loops.
TEST_CASE("relation: in attention, forward, scores and gradients") {
  for (int64_t queries : {2, 70}) {
    auto syntax = adapted<Relation>({.heads = 2, .relations = 5, .deviation = 1}, 1);
    auto graph =
        adapted<Relation>({.heads = 2, .relations = 7, .padding_index = 0, .deviation = 1}, 2);
    auto t5 = adapted<T5>({.heads = 2}, 3);
    testing::Setup setup;
    setup.batch = 2, setup.q_len = queries, setup.k_len = 67;
    setup.options = {.heads = 2, .head_dim = 5, .causal = Causal::kOff, .scale = 0.3};
    setup.fill(9);
    setup.encodings = {&syntax, &t5, &graph};
    const auto pairs = static_cast<std::size_t>(queries * 67);
    const auto shared = random_ids(pairs, 5, 4), each = random_ids(2 * pairs, 7, 5);
    setup.relations = {{shared.data(), false}, {}, {each.data(), true}};

    reference::Attention plain = setup.reference();
    plain.bias.clear();
    const Positions q = Positions::range(0, queries), k = Positions::range(0, 67);
    const auto t5_bias = written_out(t5, q, k);
    const auto syntax_bias = reference::relation_bias(table_of(syntax), 2, -1, wide(shared));
    for (std::size_t b = 0; b < 2; b++) {
      const auto first = each.begin() + static_cast<std::ptrdiff_t>(b * pairs);
      const auto graph_bias = reference::relation_bias(
          table_of(graph), 2, 0, {first, first + static_cast<std::ptrdiff_t>(pairs)});
      for (std::size_t i = 0; i < 2 * pairs; i++)
        plain.bias.push_back(t5_bias[i] + syntax_bias[i] + graph_bias[i]);
    }
    const auto output = testing::run_forward(setup);
    check_close(output.out, attention_forward(plain).out, 1e-6, "out");
    check_close(testing::run_scores(setup, ScoreStage::kBiased), attention_scores(plain).biased,
                2e-6, "scores");
    const auto g = attention_backward(plain, setup.by_heads(setup.d_out, 2, queries, 5));
    const auto gradient = testing::run_backward(setup, output);
    check_close(gradient.dq, g.dq, 2e-6, "dq");
    check_close(gradient.dk, g.dk, 2e-6, "dk");
    const auto half = static_cast<std::ptrdiff_t>(2 * pairs);
    const std::vector<double> first(g.d_bias.begin(), g.d_bias.begin() + half),
        second(g.d_bias.begin() + half, g.d_bias.end());
    std::vector<double> d_graph =
        reference::relation_backward(7, 2, 0, {each.begin(), each.begin() + half / 2}, first);
    const auto rest =
        reference::relation_backward(7, 2, 0, {each.begin() + half / 2, each.end()}, second);
    for (std::size_t i = 0; i < d_graph.size(); i++) d_graph[i] += rest[i];
    testing::check_sums(gradient.params[2], d_graph, 2e-6, "graph.table");
  }
}

TEST_CASE("relation: what is refused") {
  testing::check_error(make<Relation>({.heads = 1, .relations = 0}).error(), ErrorCode::kOutOfRange,
                       "relations");
  testing::check_error(make<Relation>({.heads = 1, .relations = 4, .padding_index = 4}).error(),
                       ErrorCode::kOutOfRange, "paddingIndex");
  const std::vector<int32_t> ids{0, 3, 4, -1};
  testing::check_error(check_relations(ids.data(), 4, 4, "relations").error(),
                       ErrorCode::kOutOfRange, "relations");
  CHECK(check_relations(ids.data(), 4, 4, "relations").error().received() == "4 at index 2");

  auto relation = adapted<Relation>({.heads = 1, .relations = 4});
  auto t5 = adapted<T5>({.heads = 1});
  testing::Setup setup;
  setup.q_len = 2, setup.k_len = 2;
  setup.options = {.heads = 1, .head_dim = 3};
  setup.fill(1);
  setup.encodings = {&relation, &t5};
  std::vector<float> out(6, 7);
  const auto run = [&] {
    const AttentionOutputs outputs{HeadRows<float>::heads(out.data(), 1, 2, 3), nullptr};
    return setup.make().forward(setup.inputs(), outputs).error();
  };
  testing::check_error(run(), ErrorCode::kMissingOption, "relations");
  setup.relations = {{ids.data(), false}};
  testing::check_error(run(), ErrorCode::kShapeMismatch, "relations");
  setup.relations = {{ids.data(), false}, {}};
  testing::check_error(run(), ErrorCode::kOutOfRange, "relations");
  const std::vector<int32_t> good{0, 1, 2, 3};
  setup.relations = {{good.data(), false}, {good.data(), false}};
  testing::check_error(run(), ErrorCode::kUnsupported, "relations");
  CHECK(out == std::vector<float>(6, 7));
}

}  // namespace
}  // namespace posenc
