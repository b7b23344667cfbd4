#include "posenc/bias/layout_bias.hpp"

#include "reference/bias/layout_bias.hpp"
#include "support/bias.hpp"
#include "support/golden.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::widened;
using testing::written_out;

// Tokens [n, 5] as the encoding with both parts reads them.
using Tokens = std::vector<double>;

std::vector<double> column(const Tokens& tokens, std::size_t axis) {
  std::vector<double> values;
  for (std::size_t i = axis; i < tokens.size(); i += 5) values.push_back(tokens[i]);
  return values;
}

Positions positions_of(const Tokens& tokens) {
  return Positions::array(tokens.data(), static_cast<int64_t>(tokens.size()) / 5, 5);
}

Tokens random_tokens(std::size_t count, uint64_t seed) {
  Random random(seed);
  Tokens tokens;
  for (std::size_t i = 0; i < count; i++) {
    tokens.push_back(static_cast<double>(i));
    for (int c = 0; c < 4; c++) tokens.push_back(std::floor(random.uniform() * 1001));
  }
  return tokens;
}

std::vector<reference::LayoutPart> plain_of(const LayoutBiasOptions& options,
                                            const ParameterSet& parameters, const Tokens& query,
                                            const Tokens& key) {
  const auto tensor = [&](const char* name) {
    const auto values = parameters[parameters.find(name)].values.span();
    return std::vector<double>(values.begin(), values.end());
  };
  const std::size_t vertical = options.edge == LayoutEdge::kLower ? 4 : 2;
  return {{options.num_buckets, options.max_distance, tensor("relPos"), column(query, 0),
           column(key, 0)},
          {options.num_buckets_2d, options.max_distance_2d, tensor("relPosX"), column(query, 1),
           column(key, 1)},
          {options.num_buckets_2d, options.max_distance_2d, tensor("relPosY"),
           column(query, vertical), column(key, vertical)}};
}

TEST_CASE("layoutBias: LayoutLMv2's code, text and page apart and together") {
  const auto golden = testing::load_golden("layoutlm--v2-relative-l10");
  LayoutBiasOptions options{
      .heads = static_cast<int64_t>(golden.number("heads")),
      .num_buckets = static_cast<int64_t>(golden.number("rel_pos_bins")),
      .max_distance = static_cast<int64_t>(golden.number("max_rel_pos")),
      .num_buckets_2d = static_cast<int64_t>(golden.number("rel_2d_pos_bins")),
      .max_distance_2d = static_cast<int64_t>(golden.number("max_rel_2d_pos"))};
  const double bound = testing::golden_bound(golden.tolerance);
  std::vector<double> text = golden["position_ids"].as_doubles(),
                      boxes = golden["bbox"].as_doubles(), sum;
  Tokens tokens;
  for (std::size_t i = 0; i < text.size(); i++) {
    tokens.push_back(text[i]);
    tokens.insert(tokens.end(), boxes.begin() + static_cast<std::ptrdiff_t>(4 * i),
                  boxes.begin() + static_cast<std::ptrdiff_t>(4 * i + 4));
  }
  for (std::size_t i = 0; i < golden["bias_1d"].floats.size(); i++) {
    sum.push_back(static_cast<double>(golden["bias_1d"].floats[i]) + golden["bias_2d"].floats[i]);
  }
  auto both = adapted<LayoutBias>(options);
  REQUIRE(both.parameters().set("relPos", golden["w_1d"].floats).has_value());
  REQUIRE(both.parameters().set("relPosX", golden["w_x"].floats).has_value());
  REQUIRE(both.parameters().set("relPosY", golden["w_y"].floats).has_value());
  check_close(written_out(both, positions_of(tokens), positions_of(tokens)), sum, bound, "both");
  check_close(reference::layout_bias(plain_of(options, both.parameters(), tokens, tokens),
                                     options.heads, 1),
              sum, 2e-7, "plain");

  LayoutBiasOptions text_options = options, page_options = options;
  text_options.parts = LayoutParts::kText, page_options.parts = LayoutParts::kPage;
  auto of_text = adapted<LayoutBias>(text_options), of_page = adapted<LayoutBias>(page_options);
  REQUIRE(of_text.parameters().set("relPos", golden["w_1d"].floats).has_value());
  REQUIRE(of_page.parameters().set("relPosX", golden["w_x"].floats).has_value());
  REQUIRE(of_page.parameters().set("relPosY", golden["w_y"].floats).has_value());
  const Positions in_text = Positions::array(text.data(), 10),
                  on_page = Positions::array(boxes.data(), 10, 4);
  check_close(written_out(of_text, in_text, in_text), golden["bias_1d"].floats, bound, "text");
  check_close(written_out(of_page, on_page, on_page), golden["bias_2d"].floats, bound, "page");
}

TEST_CASE("layoutBias: tiles match the plain loop, forward and gradients") {
  for (LayoutEdge edge : {LayoutEdge::kLower, LayoutEdge::kUpper}) {
    const LayoutBiasOptions options{
        .heads = 2, .num_buckets = 9, .edge = edge, .factor = 0.3, .deviation = 1};
    const auto bias = adapted<LayoutBias>(options, 3);
    for (const auto& [queries, keys] : testing::awkward_pairs({{1, 9}, {13, 13}, {66, 130}})) {
      const Tokens query = random_tokens(static_cast<std::size_t>(queries), 4),
                   key = random_tokens(static_cast<std::size_t>(keys), 5);
      const auto parts = plain_of(options, bias.parameters(), query, key);
      const auto out = written_out(bias, positions_of(query), positions_of(key));
      check_close(out, reference::layout_bias(parts, 2, 0.3), 2e-7, "bias");
      CHECK(written_out(bias, positions_of(query), positions_of(key), 7) == out);
      const auto d_bias = testing::random_floats(out.size(), 6);
      const auto got =
          testing::taken_back(bias, positions_of(query), positions_of(key), d_bias, 16);
      const auto want = reference::layout_backward(parts, 2, 0.3, widened(d_bias));
      for (std::size_t t = 0; t < 3; t++) testing::check_sums(got[t], want[t], 2e-6, "gradient");
    }
  }
}

TEST_CASE("layoutBias: the plain gradient against finite differences") {
  const Tokens tokens = random_tokens(5, 1);
  reference::LayoutPart part{8, 300, widened(testing::random_floats(16, 2)), column(tokens, 1),
                             column(tokens, 2)};
  const auto d_bias = widened(testing::random_floats(50, 3));
  testing::check_differences(
      part.table, reference::layout_backward({part}, 2, 0.7, d_bias)[0],
      [&] { return testing::product(reference::layout_bias({part}, 2, 0.7), d_bias); }, "table");
}

TEST_CASE("layoutBias: positions from boxes") {
  const LayoutBias both = std::move(*make<LayoutBias>({.heads = 1}));
  const LayoutBias page = std::move(*make<LayoutBias>({.heads = 1, .parts = LayoutParts::kPage}));
  const std::vector<double> boxes{1, 2, 3, 4, 5, 6, 7, 8}, places{9, 4};
  const TensorView<const double> box{boxes, {2, 4}}, text{places, {2}}, none{};
  const TensorView<const double> given[] = {box, text}, left_out[] = {box, none},
                                 wrong[] = {text, none};
  const auto values = [](const Result<OperationResult>& result) {
    return std::vector<float>(result->data.span().begin(), result->data.span().end());
  };
  CHECK(values(layout_positions(both, {}, given)) ==
        std::vector<float>{9, 1, 2, 3, 4, 4, 5, 6, 7, 8});
  CHECK(values(layout_positions(both, {}, left_out)) ==
        std::vector<float>{0, 1, 2, 3, 4, 1, 5, 6, 7, 8});
  CHECK(layout_positions(page, {}, left_out)->shape == Shape{2, 4});
  testing::check_error(layout_positions(both, {}, wrong).error(), ErrorCode::kShapeMismatch,
                       "boxes");
}

TEST_CASE("layoutBias: refused options and positions") {
  testing::check_error(make<LayoutBias>({.heads = 1, .num_buckets = 3}).error(),
                       ErrorCode::kOutOfRange, "numBuckets");
  testing::check_error(make<LayoutBias>({.heads = 1, .max_distance_2d = 16}).error(),
                       ErrorCode::kOutOfRange, "maxDistance2d");
  const auto bias = adapted<LayoutBias>({.heads = 1});
  testing::check_error(
      check_positions(Positions::range(0, 3), bias.domain(), "positions.q").error(),
      ErrorCode::kShapeMismatch, "positions.q");
}

}  // namespace
}  // namespace posenc
