#include "posenc/relative/shaw.hpp"

#include "reference/relative/shaw.hpp"
#include "relative/support.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using reference::RelativeAttention;
using reference::Side;
using reference::Term;
using testing::check_close;
using testing::Setup;

const Shaw& shaw_of(const Encoding& encoding) {
  return *static_cast<const Shaw*>(encoding.object());
}

// One table for all heads, as many times as there are heads.
std::vector<double> for_heads(const std::vector<double>& table, int64_t heads) {
  std::vector<double> rows;
  for (int64_t h = 0; h < heads; h++) rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}
std::vector<double> over_heads(const std::vector<double>& rows, int64_t heads) {
  std::vector<double> table(rows.size() / static_cast<std::size_t>(heads));
  for (std::size_t n = 0; n < rows.size(); n++) table[n % table.size()] += rows[n];
  return table;
}

// The terms of the plain loops, from the encoding's options and tables.
void add_terms(const Setup& setup, const RelativeEncoding& encoding, RelativeAttention& plain) {
  const ShawOptions& options = shaw_of(encoding).options();
  const auto query = testing::query_positions(setup), key = testing::key_positions(setup);
  const auto index = options.order == ShawOrder::kQueryMinusKey
                         ? reference::bert_index(query, key, options.left + 1)
                         : reference::shaw_index(query, key, options.left, *options.right);
  const int64_t count = options.left + *options.right + 1, heads = setup.heads();
  const auto keys = for_heads(testing::values_of(encoding, "keyTable"), heads);
  const double scale = plain.attention.scale;
  plain.terms.push_back({Side::kQuery, count, keys, {}, index, scale, {}});
  if (options.queries) plain.terms.push_back({Side::kKey, count, keys, {}, index, scale, {}});
  if (options.values == ShawValues::kNone) return;
  const bool shared = options.values == ShawValues::kShared;
  const auto values = shared ? keys : for_heads(testing::values_of(encoding, "valueTable"), heads);
  plain.terms.push_back({Side::kValue, count, values, {}, index, 1, {}});
}

std::vector<std::vector<double>> table_gradients(const Setup& setup,
                                                 const RelativeEncoding& encoding,
                                                 const RelativeAttention& plain,
                                                 const reference::RelativeGradient& d) {
  std::vector<std::vector<double>> tables(static_cast<std::size_t>(encoding.parameters().count()));
  for (std::size_t t = 0; t < plain.terms.size(); t++) {
    const bool own = plain.terms[t].side == Side::kValue && tables.size() == 2;
    auto& table = tables[own ? 1 : 0];
    const auto part = over_heads(d.d_rows[t], setup.heads());
    table.resize(part.size());
    for (std::size_t n = 0; n < part.size(); n++) table[n] += part[n];
  }
  return tables;
}

void check_golden(const std::string& name, ShawOptions options, bool causal) {
  const auto golden = testing::load_golden(name);
  const double bound = testing::golden_bound(golden.tolerance);
  Setup setup = testing::golden_setup(golden);
  // The last query stands at the last key.
  setup.offsets = {static_cast<int32_t>(setup.k_len - setup.q_len)};
  if (causal) setup.options.causal = Causal::kBottomRight;
  options.head_dim = setup.options.head_dim;
  const auto encoding = testing::relative_encoding<Shaw>(std::move(options));
  REQUIRE(encoding != nullptr);
  const bool two = golden.tensors.contains("table_k");
  REQUIRE(
      encoding->parameters().set("keyTable", golden[two ? "table_k" : "table"].floats).has_value());
  if (two) REQUIRE(encoding->parameters().set("valueTable", golden["table_v"].floats).has_value());

  RelativeAttention plain{setup.reference(), {}, {}};
  add_terms(setup, *encoding, plain);
  const auto want = relative_forward(plain);
  check_close(want.out, golden["out"].floats, 1e-6, name + " plain out");
  const auto got = testing::run_relative(setup, *encoding);
  check_close(got.out, golden["out"].floats, bound, name + " out");
  if (golden.tensors.contains("probs"))
    check_close(got.weights, golden["probs"].floats, bound, name + " probs");
  if (golden.tensors.contains("scores"))
    check_close(got.raw, golden["scores"].floats, bound, name + " scores");
  if (!golden.tensors.contains("dout")) return;
  const auto d = relative_backward(plain, golden["dout"].as_doubles());
  check_close(d.dk, golden["dk"].floats, 1e-6, name + " plain dk");
  check_close(got.dq, golden["dq"].floats, bound, name + " dq");
  check_close(got.dk, golden["dk"].floats, bound, name + " dk");
  check_close(got.dv, golden["dv"].floats, bound, name + " dv");
  check_close(got.params[0], golden[two ? "dtable_k" : "dtable"].floats, bound, name + " dtable");
  check_close(table_gradients(setup, *encoding, plain, d)[0],
              golden[two ? "dtable_k" : "dtable"].floats, 1e-6, name + " plain dtable");
  if (two) check_close(got.params[1], golden["dtable_v"].floats, bound, name + " dtable_v");
}

ShawOptions bert(int64_t positions, bool queries) {
  return {.left = positions - 1,
          .values = ShawValues::kNone,
          .queries = queries,
          .order = ShawOrder::kQueryMinusKey,
          .beyond = ShawBeyond::kError};
}

TEST_CASE("shaw: published implementations") {
  check_golden("shaw--bert-relative-key-l13", bert(16, false), false);
  check_golden("shaw--bert-relative-key-query-l9", bert(9, true), false);
  check_golden("shaw--onmt-kv-clip-l11", {.left = 3}, false);
  check_golden("shaw--onmt-kv-incremental-l9", {.left = 3}, false);
  check_golden("shaw--t2t-kv-causal-l12", {.left = 3}, true);
  check_golden("shaw--t2t-kv-l10", {.left = 4}, false);
  check_golden("shaw--w2vbert-asymmetric-clip-l15",
               {.left = 4, .right = 2, .values = ShawValues::kNone}, false);
}

TEST_CASE("shaw: random calls against the plain loops, all forms") {
  int64_t form = 0;
  testing::RelativeChecks checks;
  checks.terms = add_terms;
  checks.gradients = table_gradients;
  checks.make = [&](const Setup& setup, uint64_t seed) {
    form = static_cast<int64_t>(seed % 4);
    ShawOptions options = {.head_dim = setup.options.head_dim, .value_dim = setup.value_dim()};
    options.left = form == 1 ? 200 : 5;  // beyond one block of rows, or clipped
    options.right = form == 2 ? 0 : 9;
    options.queries = form >= 2;
    if (form == 3) options.values = ShawValues::kNone;
    return testing::relative_encoding<Shaw>(std::move(options), seed);
  };
  testing::check_relative(checks, "shaw");
}

TEST_CASE("shaw: BERT's order of rows, and one table for keys and values") {
  testing::RelativeChecks checks;
  checks.terms = add_terms;
  checks.gradients = table_gradients;
  checks.make = [](const Setup& setup, uint64_t seed) {
    ShawOptions options = bert(1200, seed % 2 == 0);
    options.head_dim = setup.options.head_dim;
    options.beyond = ShawBeyond::kClip;
    if (setup.value_dim() == setup.options.head_dim) options.values = ShawValues::kShared;
    return testing::relative_encoding<Shaw>(std::move(options), seed);
  };
  testing::check_relative(checks, "shaw, BERT's order");
}

TEST_CASE("shaw: the plain gradients of both tables against finite differences") {
  Setup setup;
  setup.options = {.heads = 2, .kv_heads = 1, .head_dim = 2, .value_dim = 3};
  setup.q_len = 3, setup.k_len = 5;
  setup.fill(4);
  const auto encoding = testing::relative_encoding<Shaw>(
      {.head_dim = 2, .value_dim = 3, .left = 1, .right = 2, .queries = true});
  RelativeAttention plain{setup.reference(), {}, {}};
  add_terms(setup, *encoding, plain);
  const auto d_out = testing::widened(setup.d_out);
  const auto gradients =
      table_gradients(setup, *encoding, plain, reference::relative_backward(plain, d_out));
  auto keys = testing::values_of(*encoding, "keyTable"),
       values = testing::values_of(*encoding, "valueTable");
  const auto loss = [&] {
    plain.terms[0].rows = plain.terms[1].rows = for_heads(keys, 2);
    plain.terms[2].rows = for_heads(values, 2);
    return testing::product(reference::relative_forward(plain).out, d_out);
  };
  testing::check_differences(keys, gradients[0], loss, "keyTable");
  testing::check_differences(values, gradients[1], loss, "valueTable");
}

TEST_CASE("shaw: whole = prefix and one by one") {
  Setup setup;
  setup.options = {.heads = 2, .head_dim = 5, .causal = Causal::kBottomRight};
  setup.q_len = setup.k_len = 20;
  setup.fill(3);
  const auto encoding = testing::relative_encoding<Shaw>({.head_dim = 5, .left = 4});
  setup.encodings = {encoding.get()};
  const auto want = testing::run_forward(setup).out;
  for (CacheKeys keys : {CacheKeys::kRotated, CacheKeys::kRaw})
    check_close(testing::run_cached(setup, keys, 1), want, 1e-6, "cached");
}

TEST_CASE("shaw: a hidden key's NaN does not leak into outputs or gradients") {
  Setup setup;
  setup.options = {.heads = 1, .head_dim = 3};
  setup.q_len = 4, setup.k_len = 6;
  setup.fill(5);
  for (std::size_t c = 0; c < 3; c++) setup.k[2 * 3 + c] = setup.v[2 * 3 + c] = NAN;
  setup.mask_kind = AttentionMask::Kind::kBoolean;
  setup.mask_shape = {6};
  setup.boolean = {1, 1, 0, 1, 1, 1};
  const auto encoding =
      testing::relative_encoding<Shaw>({.head_dim = 3, .left = 2, .queries = true});
  const auto got = testing::run_relative(setup, *encoding);
  for (const auto& values : {got.out, got.dq, got.dk, got.dv}) {
    for (double value : values) CHECK(std::isfinite(value));
  }
  for (const auto& values : got.params) {
    for (float value : values) CHECK(std::isfinite(value));
  }
}

TEST_CASE("shaw: what is refused") {
  testing::check_error(make<Shaw>({.left = 3}).error(), ErrorCode::kOutOfRange, "headDim");
  testing::check_error(make<Shaw>({.head_dim = 4, .left = -1}).error(), ErrorCode::kOutOfRange,
                       "left");
  testing::check_error(
      make<Shaw>({.head_dim = 4, .value_dim = 3, .left = 2, .values = ShawValues::kShared}).error(),
      ErrorCode::kOutOfRange, "valueDim");
  // A table for 10 positions, length 11: an error that says so, and no row read beyond the table.
  auto options = bert(10, false);
  options.head_dim = 2;
  const auto encoding = testing::relative_encoding<Shaw>(std::move(options));
  Setup setup;
  setup.options = {.heads = 1, .head_dim = 2};
  setup.q_len = setup.k_len = 11;
  setup.fill(1);
  setup.encodings = {encoding.get()};
  std::vector<float> out(22);
  const Status status =
      setup.make().forward(setup.inputs(), {setup.rows(out.data(), 1, 11, 2), nullptr});
  REQUIRE_FALSE(status.has_value());
  testing::check_error(status.error(), ErrorCode::kOutsideDomain, "positions.q");
  CHECK(status.error().allowed().starts_with("whole numbers from 0 to 9"));

  Encoding* twice[] = {encoding.get(), encoding.get()};
  testing::check_error(Attention::make(setup.options, twice).error(), ErrorCode::kUnsupported,
                       "encodings[1]");
  testing::check_error(Attention::make({.heads = 1, .head_dim = 3}, std::span(twice, 1)).error(),
                       ErrorCode::kShapeMismatch, "encodings[0]");
  const auto values = testing::relative_encoding<Shaw>({.head_dim = 3, .left = 1});
  Encoding* one[] = {values.get()};
  testing::check_error(Attention::make({.heads = 1, .head_dim = 3, .value_dim = 2}, one).error(),
                       ErrorCode::kShapeMismatch, "encodings[0]");
}

}  // namespace
}  // namespace posenc
