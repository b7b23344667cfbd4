#include "posenc/relative/deberta.hpp"

#include "reference/relative/deberta.hpp"
#include "relative/support.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using reference::RelativeAttention;
using reference::Side;
using testing::check_close;
using testing::Setup;
using testing::values_of;
using Doubles = std::vector<double>;

const DebertaOptions& options_of(const Encoding& encoding) {
  return static_cast<const Deberta*>(encoding.object())->options();
}

Doubles projected(const Encoding& encoding, bool key) {
  const DebertaOptions& options = options_of(encoding);
  if (options.rows == DebertaRows::kProjected)
    return values_of(encoding, key ? "positionQueries" : "positionKeys");
  return reference::deberta_project(values_of(encoding, "relativeEmbeddings"),
                                    values_of(encoding, key ? "queryWeight" : "keyWeight"),
                                    values_of(encoding, key ? "queryBias" : "keyBias"),
                                    options.heads, options.head_dim);
}

void add_terms(const Setup& setup, const RelativeEncoding& encoding, RelativeAttention& plain) {
  const DebertaOptions& options = options_of(encoding);
  const auto query = testing::query_positions(setup), key = testing::key_positions(setup);
  const int64_t span = options.buckets.span;
  const int64_t max =
      options.buckets.rule == DebertaBucketRule::kLog ? options.buckets.max_distance : 0;
  const auto index = reference::deberta_index(query, key, span, max);
  // The scale counts the products unless it is given.
  if (!setup.options.scale)
    plain.attention.scale /= std::sqrt(options.terms == DebertaTerms::kBoth ? 3 : 2);
  const double scale = plain.attention.scale;
  if (options.terms != DebertaTerms::kP2c) {
    plain.terms.push_back(
        {Side::kQuery, 2 * span, projected(encoding, false), {}, index, scale, {}});
  }
  if (options.terms != DebertaTerms::kC2p) {
    auto turned = index;  // the paper's delta(j, i)
    if (options.p2c == DebertaP2c::kPaper) {
      Doubles back_query, back_key;
      for (double i : query) back_query.push_back(-i);
      for (double j : key) back_key.push_back(-j);
      turned = reference::deberta_index(back_query, back_key, span, max);
    }
    plain.terms.push_back({Side::kKey, 2 * span, projected(encoding, true), {}, turned, scale, {}});
  }
}

std::vector<Doubles> tensor_gradients(const Setup&, const RelativeEncoding& encoding,
                                      const RelativeAttention& plain,
                                      const reference::RelativeGradient& d) {
  const DebertaOptions& options = options_of(encoding);
  std::vector<Doubles> tensors;
  for (int t = 0; t < encoding.parameters().count(); t++) {
    tensors.emplace_back(static_cast<std::size_t>(encoding.parameters()[t].values.size()));
  }
  for (std::size_t t = 0; t < plain.terms.size(); t++) {
    const bool key = plain.terms[t].side == Side::kKey;
    if (options.rows == DebertaRows::kProjected) {
      tensors[key ? 1 : 0] = d.d_rows[t];
      continue;
    }
    const auto part =
        reference::deberta_project_backward(values_of(encoding, "relativeEmbeddings"),
                                            values_of(encoding, key ? "queryWeight" : "keyWeight"),
                                            d.d_rows[t], options.heads, options.head_dim);
    for (std::size_t n = 0; n < part.embeddings.size(); n++) tensors[0][n] += part.embeddings[n];
    tensors[key ? 3 : 1] = part.weight;
    tensors[key ? 4 : 2] = part.bias;
  }
  return tensors;
}

// Version 1 cuts the middle out of its table where texts are short; the rows left are the same.
DebertaOptions golden_options(const testing::GoldenCase& golden, DebertaRows rows) {
  DebertaOptions options = {.heads = static_cast<int64_t>(golden.number("heads")),
                            .head_dim = static_cast<int64_t>(golden.number("head_dim")),
                            .rows = rows};
  options.buckets.span = static_cast<int64_t>(golden.number("rel_rows")) / 2;
  if (golden.number("position_buckets") > 0) {
    options.buckets.rule = DebertaBucketRule::kLog;
    options.buckets.max_distance = static_cast<int64_t>(golden.number("max_relative_positions"));
  }
  return options;
}

void check_golden(const std::string& name) {
  const auto golden = testing::load_golden(name);
  const double bound = testing::golden_bound(golden.tolerance);
  for (DebertaRows rows : {DebertaRows::kProjected, DebertaRows::kEmbeddings}) {
    Setup setup = testing::golden_setup(golden);
    setup.options.scale.reset();  // 1 / sqrt(3 headDim) by itself
    testing::set_mask(setup, golden["mask"], false);
    const auto encoding = testing::relative_encoding<Deberta>(golden_options(golden, rows));
    REQUIRE(encoding != nullptr);
    const bool projected = rows == DebertaRows::kProjected;
    std::vector<std::pair<std::string, std::string>> names = {{"positionKeys", "pos_key"},
                                                              {"positionQueries", "pos_query"}};
    if (!projected) {
      for (int t = 0; t < encoding->parameters().count(); t++) {
        std::fill_n(encoding->parameters()[t].values.data(),
                    encoding->parameters()[t].values.size(), 0.0F);
      }
      names = {{"relativeEmbeddings", "rel_embeddings"},
               {"keyWeight", "w_pos_key"},
               {"keyBias", "b_pos_key"},
               {"queryWeight", "w_pos_query"},
               {"queryBias", "b_pos_query"}};
    }
    for (const auto& [own, file] : names) {
      if (!golden.tensors.contains(file)) continue;
      REQUIRE(encoding->parameters().set(own, golden[file].floats).has_value());
    }
    Setup scaled = setup;
    scaled.options.scale = golden.number("scale");
    RelativeAttention plain{scaled.reference(), {}, {}};
    add_terms(scaled, *encoding, plain);
    check_close(relative_forward(plain).out, golden["out"].floats, 1e-6, name + " plain out");
    const auto d_plain = tensor_gradients(setup, *encoding, plain,
                                          relative_backward(plain, golden["dout"].as_doubles()));
    const auto got = testing::run_relative(setup, *encoding);
    check_close(got.out, golden["out"].floats, bound, name + " out");
    check_close(got.weights, golden["probs"].floats, bound, name + " probs");
    check_close(got.dq, golden["dq"].floats, bound, name + " dq");
    check_close(got.dk, golden["dk"].floats, bound, name + " dk");
    check_close(got.dv, golden["dv"].floats, bound, name + " dv");
    for (const auto& [own, file] : names) {
      if (!golden.tensors.contains("d" + file)) continue;
      const auto tensor = static_cast<std::size_t>(encoding->parameters().find(own));
      check_close(got.params[tensor], golden["d" + file].floats, bound, name + " d" + file);
      check_close(d_plain[tensor], golden["d" + file].floats, 1e-6, name + " plain d" + file);
    }
  }
}

TEST_CASE("deberta: published implementations") {
  check_golden("deberta--v1-c2p-p2c-l9");
  check_golden("deberta--v1-clip-l13-max5");
  check_golden("deberta--v2-log-bucket-l15");
  check_golden("deberta--v2-share-key-l10");
}

TEST_CASE("deberta: logarithmic buckets of every distance, rounded up in magnitude") {
  const auto golden = testing::load_golden("deberta--bucket-256-512");
  const DebertaBuckets buckets = {
      .span = 256, .rule = DebertaBucketRule::kLog, .max_distance = 512};
  for (std::size_t n = 0; n < golden["bucket"].ints.size(); n++) {
    CAPTURE(golden["relative_position"].ints[n]);
    CHECK(buckets.bucket(golden["relative_position"].ints[n]) == golden["bucket"].ints[n]);
  }
  for (const auto& [distance, bucket] :
       {std::pair{127, 127}, {128, 128}, {129, 129}, {200, 169}, {511, 255}}) {
    CHECK(buckets.bucket(distance) == bucket);
    CHECK(buckets.bucket(-distance) == -bucket);
    CHECK(reference::deberta_log_bucket(distance, 256, 512) == bucket);
  }
  DebertaBuckets microsoft = buckets;
  microsoft.far = DebertaFar::kClamp;
  CHECK(microsoft.bucket(100000) == 255);
  CHECK(microsoft.bucket(-100000) == -255);
  CHECK(buckets.bucket(512) == 256);
}

TEST_CASE("deberta: the released code's index and the paper's differ off the diagonal only") {
  const auto scores = [](DebertaP2c p2c) {
    DebertaOptions options = {
        .heads = 1, .head_dim = 2, .p2c = p2c, .rows = DebertaRows::kProjected};
    options.buckets.span = 4;
    const auto encoding = testing::relative_encoding<Deberta>(std::move(options));
    Setup setup;
    setup.options = {.heads = 1, .head_dim = 2};
    setup.q_len = 3, setup.k_len = 5;
    setup.fill(2);
    return testing::run_relative(setup, *encoding).raw;
  };
  const auto code = scores(DebertaP2c::kCode), paper = scores(DebertaP2c::kPaper);
  for (std::size_t i = 0; i < 3; i++) {
    for (std::size_t j = 0; j < 5; j++) CHECK((code[i * 5 + j] == paper[i * 5 + j]) == (i == j));
  }
}

TEST_CASE("deberta: random calls against the plain loops, all forms") {
  testing::RelativeChecks checks;
  checks.terms = add_terms;
  checks.gradients = tensor_gradients;
  checks.make = [](const Setup& setup, uint64_t seed) {
    DebertaOptions options = {.heads = setup.heads(), .head_dim = setup.options.head_dim};
    options.terms = static_cast<DebertaTerms>(seed % 3);
    options.rows = static_cast<DebertaRows>(seed / 2 % 2);
    options.p2c = static_cast<DebertaP2c>(seed / 4 % 2);
    options.buckets.span = seed % 5 == 0 ? 100 : 6;
    if (seed % 2 == 0)
      options.buckets.rule = DebertaBucketRule::kLog, options.buckets.max_distance = 70;
    if (options.rows == DebertaRows::kEmbeddings && seed % 3 == 0) options.dim = 5;
    return testing::relative_encoding<Deberta>(std::move(options), seed);
  };
  testing::check_relative(checks, "deberta");
}

TEST_CASE("deberta: the projection's plain gradient against finite differences") {
  constexpr int64_t kHeads = 2, kWidth = 3;
  const auto random = [](std::size_t count, uint64_t seed) {
    return testing::widened(testing::random_floats(count, seed));
  };
  Doubles embeddings = random(20, 1), weight = random(30, 2), bias = random(6, 3);
  const Doubles d_rows = random(24, 4);
  const auto g = reference::deberta_project_backward(embeddings, weight, d_rows, kHeads, kWidth);
  const auto loss = [&] {
    return testing::product(reference::deberta_project(embeddings, weight, bias, kHeads, kWidth),
                            d_rows);
  };
  testing::check_differences(embeddings, g.embeddings, loss, "embeddings");
  testing::check_differences(weight, g.weight, loss, "weight");
  testing::check_differences(bias, g.bias, loss, "bias");
}

TEST_CASE("deberta: what is refused") {
  const auto error = [](DebertaBuckets buckets) {
    return make<Deberta>({.heads = 1, .head_dim = 2, .buckets = buckets}).error();
  };
  testing::check_error(error({}), ErrorCode::kOutOfRange, "span");
  testing::check_error(error({.span = 8, .rule = DebertaBucketRule::kLog}), ErrorCode::kOutOfRange,
                       "maxRelativePositions");
  testing::check_error(error({.span = 8, .rule = DebertaBucketRule::kLog, .max_distance = 5}),
                       ErrorCode::kOutOfRange, "maxRelativePositions");
  const double wrong[] = {1, 0.5};
  const TensorView<const double> input{wrong, {2}};
  testing::check_error(
      deberta_buckets({.buckets = {.span = 8, .max_distance = 20}}, std::span(&input, 1)).error(),
      ErrorCode::kOutOfRange, "distances");
}

}  // namespace
}  // namespace posenc
