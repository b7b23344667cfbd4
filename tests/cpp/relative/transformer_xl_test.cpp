#include "posenc/relative/transformer_xl.hpp"

#include "reference/relative/transformer_xl.hpp"
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

const TransformerXl& xl_of(const Encoding& encoding) {
  return *static_cast<const TransformerXl*>(encoding.object());
}
std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

// One coordinate of positions.
Doubles coordinate(const Doubles& positions, int axes, int axis) {
  Doubles values;
  for (std::size_t i = at(axis); i < positions.size(); i += at(axes))
    values.push_back(positions[i]);
  return values;
}
struct Places {
  Doubles query, key, query_segments, key_segments;
};
Places places_of(const Setup& setup) {
  const Doubles query = testing::query_positions(setup), key = testing::key_positions(setup);
  if (setup.position_axes == 1) return {query, key, {}, {}};
  return {coordinate(query, 2, 0), coordinate(key, 2, 0), coordinate(query, 2, 1),
          coordinate(key, 2, 1)};
}

reference::XlRows rows_of(const TransformerXlOptions& options, const Places& places) {
  const auto [least_q, most_q] = std::minmax_element(places.query.begin(), places.query.end());
  const auto [least_k, most_k] = std::minmax_element(places.key.begin(), places.key.end());
  return {.heads = options.heads,
          .width = options.head_dim,
          .dim = options.dim.value_or(2),
          .base = options.base,
          .interleaved = options.layout == TransformerXlLayout::kInterleaved,
          .clamp = static_cast<double>(options.clamp_length.value_or(0)),
          .most = *most_q - *least_k,
          .least = *least_q - *most_k};
}

// [count, heads, width] → [heads, count, width], and back.
Doubles by_heads(const Doubles& x, int64_t count, int64_t heads, int64_t width) {
  Doubles out(x.size());
  for (int64_t n = 0; n < count; n++) {
    for (int64_t h = 0; h < heads; h++) {
      for (int64_t c = 0; c < width; c++)
        out[at((h * count + n) * width + c)] = x[at((n * heads + h) * width + c)];
    }
  }
  return out;
}
Doubles by_rows(const Doubles& x, int64_t count, int64_t heads, int64_t width) {
  return by_heads(x, heads, count, width);
}

// Row maxLength - 1 - (i - j), farther keys the first row, keys ahead the last.
std::vector<int64_t> table_index(const Places& places, int64_t max_length) {
  std::vector<int64_t> index;
  for (double i : places.query) {
    for (double j : places.key) {
      index.push_back(max_length - 1 -
                      std::clamp<int64_t>(static_cast<int64_t>(i - j), 0, max_length - 1));
    }
  }
  return index;
}

void add_terms(const Setup& setup, const RelativeEncoding& encoding, RelativeAttention& plain) {
  const TransformerXlOptions& options = xl_of(encoding).options();
  const Places places = places_of(setup);
  const double scale = plain.attention.scale;
  const int64_t heads = options.heads, width = options.head_dim;
  plain.offset = values_of(encoding, "contentBias");
  if (options.rows == TransformerXlRows::kSinusoidal) {
    const auto rows = rows_of(options, places);
    plain.terms.push_back({Side::kQuery,
                           rows.count(),
                           rows.project(values_of(encoding, "projection")),
                           {},
                           reference::xl_index(places.query, places.key, rows.most),
                           scale,
                           values_of(encoding, "positionBias")});
  } else {
    const int64_t count = options.max_length;
    plain.terms.push_back({Side::kQuery, count,
                           by_heads(values_of(encoding, "table"), count, heads, width),
                           by_heads(values_of(encoding, "tableBias"), count, heads, 1),
                           table_index(places, count), scale, Doubles(at(heads * width))});
  }
  if (!options.segments) return;
  std::vector<int64_t> index;
  for (double i : places.query_segments) {
    for (double j : places.key_segments) index.push_back(i == j ? 0 : 1);
  }
  plain.terms.push_back({Side::kQuery,
                         2,
                         by_heads(values_of(encoding, "segmentTable"), 2, heads, width),
                         {},
                         index,
                         scale,
                         values_of(encoding, "segmentBias")});
}

std::vector<Doubles> tensor_gradients(const Setup& setup, const RelativeEncoding& encoding,
                                      const RelativeAttention& plain,
                                      const reference::RelativeGradient& d) {
  const TransformerXlOptions& options = xl_of(encoding).options();
  std::vector<Doubles> tensors = {d.d_offset};
  const int64_t heads = options.heads, width = options.head_dim;
  if (options.rows == TransformerXlRows::kSinusoidal) {
    tensors.push_back(d.d_term_offset[0]);
    tensors.push_back(rows_of(options, places_of(setup)).weight_gradient(d.d_rows[0]));
  } else {
    tensors.push_back(by_rows(d.d_rows[0], plain.terms[0].count, heads, width));
    tensors.push_back(by_rows(d.d_bias[0], plain.terms[0].count, heads, 1));
  }
  if (!options.segments) return tensors;
  tensors.push_back(d.d_term_offset[1]);
  tensors.push_back(by_rows(d.d_rows[1], 2, heads, width));
  return tensors;
}

using Names =
    std::vector<std::pair<std::string, std::string>>;  // of tensors: the encoding's, the file's

// XLNet's w_r [in, heads, dim] as [heads · dim, in], and back.
Doubles transposed(const Doubles& x, int64_t rows, int64_t columns) {
  Doubles out;
  for (int64_t c = 0; c < columns; c++) {
    for (int64_t r = 0; r < rows; r++) out.push_back(x[at(r * columns + c)]);
  }
  return out;
}

struct Source {
  Names names = {};
  bool transpose = false;
};

void check_golden(const std::string& name, TransformerXlOptions options, const Source& source) {
  const auto golden = testing::load_golden(name);
  const double bound = testing::golden_bound(golden.tolerance);
  Setup setup = testing::golden_setup(golden);
  setup.offsets = {static_cast<int32_t>(golden.number("mem_len"))};
  if (golden.tensors.contains("mask")) testing::set_mask(setup, golden["mask"], true);
  if (options.segments) {
    setup.position_axes = 2;
    Doubles positions;
    for (int32_t i = 0; i < setup.q_len; i++) {
      positions.push_back(i);
      positions.push_back(golden["segment_ids"].ints[at(i)]);
    }
    setup.q_positions = setup.k_positions = {positions};
  }
  options.heads = setup.options.heads, options.head_dim = setup.options.head_dim;
  const auto encoding = testing::relative_encoding<TransformerXl>(std::move(options));
  REQUIRE(encoding != nullptr);
  const int64_t dim = setup.options.heads * setup.options.head_dim;
  for (const auto& [own, file] : source.names) {
    Doubles values = golden[file].as_doubles();
    if (source.transpose && own == "projection") values = transposed(values, dim, dim);
    REQUIRE(encoding->parameters()
                .set(own, std::vector<float>(values.begin(), values.end()))
                .has_value());
  }
  RelativeAttention plain{setup.reference(), {}, {}};
  add_terms(setup, *encoding, plain);
  check_close(relative_forward(plain).out, golden["out"].floats, 1e-6, name + " plain out");
  const auto d = relative_backward(plain, golden["dout"].as_doubles());
  const auto d_plain = tensor_gradients(setup, *encoding, plain, d);
  const auto got = testing::run_relative(setup, *encoding);
  check_close(got.out, golden["out"].floats, bound, name + " out");
  if (golden.tensors.contains("probs"))
    check_close(got.weights, golden["probs"].floats, bound, name + " probs");
  check_close(got.dq, golden["dq"].floats, bound, name + " dq");
  check_close(got.dk, golden["dk"].floats, bound, name + " dk");
  check_close(got.dv, golden["dv"].floats, bound, name + " dv");
  for (const auto& [own, file] : source.names) {
    const auto tensor = at(encoding->parameters().find(own));
    Doubles want = golden["d" + file].as_doubles();
    if (source.transpose && own == "projection") want = transposed(want, dim, dim);
    check_close(got.params[tensor], want, bound, name + " d" + file);
    check_close(d_plain[tensor], want, 1e-6, name + " plain d" + file);
  }
}

TEST_CASE("transformerXL: published implementations") {
  const Source xl{{{"contentBias", "u"}, {"positionBias", "v_bias"}, {"projection", "w_r"}}};
  check_golden("transformer-xl--attn-l7-mem5-clamp6", {.clamp_length = 6}, xl);
  check_golden("transformer-xl--attn-l9-mem0", {}, xl);
  check_golden("transformer-xl--conformer-l8", {.layout = TransformerXlLayout::kInterleaved}, xl);
  check_golden("transformer-xl--learnable-l6-mem4-short-table",
               {.rows = TransformerXlRows::kTable, .max_length = 5},
               {{{"contentBias", "u"}, {"table", "r_emb"}, {"tableBias", "r_bias"}}});
  const Names xlnet = {
      {"contentBias", "r_w_bias"}, {"positionBias", "r_r_bias"}, {"projection", "w_r"}};
  check_golden("xlnet--uni-l6-mem4-clamp5", {.clamp_length = 5},
               {.names = xlnet, .transpose = true});
  Names segments = xlnet;
  segments.emplace_back("segmentBias", "r_s_bias");
  segments.emplace_back("segmentTable", "seg_embed");
  check_golden("xlnet--bi-l7-mem0-seg", {.segments = true}, {.names = segments, .transpose = true});
}

TEST_CASE("transformerXL: random calls against the plain loops, all forms") {
  testing::RelativeChecks checks;
  checks.terms = add_terms;
  checks.gradients = tensor_gradients;
  checks.head_dims = {1, 2, 4, 10};
  checks.make = [](const Setup& setup, uint64_t seed) {
    TransformerXlOptions options = {.heads = setup.heads(), .head_dim = setup.options.head_dim};
    if (options.heads * options.head_dim % 2 != 0) options.dim = options.head_dim + 1;
    if (seed % 4 == 0) options.layout = TransformerXlLayout::kInterleaved, options.dim = 6;
    if (seed % 4 == 1) options.clamp_length = 7;
    if (seed % 4 == 2) options.rows = TransformerXlRows::kTable, options.max_length = 11;
    return testing::relative_encoding<TransformerXl>(std::move(options), seed);
  };
  testing::check_relative(checks, "transformerXL");
}

TEST_CASE("transformerXL: the projection's plain gradient against finite differences") {
  for (bool interleaved : {false, true}) {
    const reference::XlRows rows{.heads = 2,
                                 .width = 3,
                                 .dim = 4,
                                 .interleaved = interleaved,
                                 .clamp = 2,
                                 .most = 3,
                                 .least = -2};
    const Doubles d_rows = testing::widened(testing::random_floats(36, 5));
    const auto loss = [&](const Doubles& at) { return testing::product(rows.project(at), d_rows); };
    testing::check_gradient(rows.weight_gradient(d_rows),
                            testing::widened(testing::random_floats(24, 6)), loss, "projection");
  }
}

TEST_CASE("transformerXL: distances of both signs, and rows of any distance") {
  const auto encoding =
      testing::relative_encoding<TransformerXl>({.heads = 1, .head_dim = 4, .dim = 8});
  std::vector<float> out(3 * 4), bias(3), scratch(at(encoding->scratch_floats()));
  for (int64_t first : {-1, -100000, 16777216}) {
    encoding->write({0, first, 3}, out.data(), bias.data(), scratch.data());
    reference::XlRows rows{.heads = 1,
                           .width = 4,
                           .dim = 8,
                           .most = -static_cast<double>(first),
                           .least = -static_cast<double>(first) - 2};
    check_close(out, rows.project(values_of(*encoding, "projection")), 1e-6, "rows");
  }
}

TEST_CASE("transformerXL: what is refused") {
  testing::check_error(make<TransformerXl>({.heads = 1, .head_dim = 3}).error(),
                       ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<TransformerXl>({.heads = 1, .head_dim = 3, .dim = 7}).error(),
                       ErrorCode::kOutOfRange, "dim");
  testing::check_error(
      make<TransformerXl>({.heads = 1, .head_dim = 2, .rows = TransformerXlRows::kTable}).error(),
      ErrorCode::kOutOfRange, "maxLength");
  const auto encoding = testing::relative_encoding<TransformerXl>({.heads = 2, .head_dim = 4});
  Encoding* one[] = {encoding.get()};
  testing::check_error(Attention::make({.heads = 4, .head_dim = 4}, one).error(),
                       ErrorCode::kShapeMismatch, "encodings[0]");
  // Segments come as a second coordinate.
  const auto segments =
      testing::relative_encoding<TransformerXl>({.heads = 1, .head_dim = 2, .segments = true});
  Setup setup;
  setup.options = {.heads = 1, .head_dim = 2};
  setup.q_len = setup.k_len = 3;
  setup.fill(1);
  setup.encodings = {segments.get()};
  std::vector<float> out(6);
  const Status status =
      setup.make().forward(setup.inputs(), {setup.rows(out.data(), 1, 3, 2), nullptr});
  REQUIRE_FALSE(status.has_value());
  testing::check_error(status.error(), ErrorCode::kShapeMismatch, "positions.q");
}

}  // namespace
}  // namespace posenc
