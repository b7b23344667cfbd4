#include "posenc/input/padding.hpp"

#include <cmath>

#include "support/compare.hpp"
#include "support/golden.hpp"

namespace posenc {
namespace {

Result<OperationResult> positions_of(const std::vector<double>& tokens, const Shape& shape,
                                     const TokenPositionsArguments& arguments = {}) {
  const TensorView<const double> view{tokens, shape};
  return token_positions(arguments, std::span(&view, 1));
}

std::vector<float> values_of(const Result<OperationResult>& result) {
  return {result->data.span().begin(), result->data.span().end()};
}

TEST_CASE("positions: padding is not counted, wherever it stands") {
  CHECK(values_of(positions_of({0, 0, 1, 1, 1}, {5})) == std::vector<float>{-1, -1, 0, 1, 2});
  CHECK(values_of(positions_of({1, 1, 0, 0, 0, 0, 1, 1}, {2, 4})) ==
        std::vector<float>{0, 1, -1, -1, -1, -1, 0, 1});
  CHECK(values_of(positions_of({0, 1, 1}, {3}, {.start = 7})) == std::vector<float>{-1, 7, 8});
  CHECK(values_of(positions_of({}, {2, 0})).empty());
}

TEST_CASE("positions: as published implementations count them") {
  const auto opt = testing::load_golden("learned-1d--opt-left-padding");
  const auto& mask = opt["attention_mask"];
  testing::check_close(values_of(positions_of(mask.as_doubles(), mask.shape)),
                       opt["positions"].as_doubles(), 0, opt.name);
  for (const char* name : {"learned-1d--roberta-pad1", "sinusoidal--concat-fairseq-d10-pad1"}) {
    const auto golden = testing::load_golden(name);
    const auto& ids = golden["input_ids"];
    const auto result = positions_of(ids.as_doubles(), ids.shape, {.padding_index = 1});
    CHECK(result->shape == ids.shape);
    testing::check_close(values_of(result), golden["positions"].as_doubles(), 0, golden.name);
  }
}

TEST_CASE("positions: refused tokens") {
  testing::check_error(positions_of({0, 2}, {2}).error(), ErrorCode::kOutOfRange, "tokens");
  testing::check_error(positions_of({0, NAN}, {2}).error(), ErrorCode::kOutOfRange, "tokens");
  testing::check_error(positions_of({5, 1.5}, {2}, {.padding_index = 1}).error(),
                       ErrorCode::kOutOfRange, "tokens");
  testing::check_error(positions_of({1}, {}).error(), ErrorCode::kShapeMismatch, "tokens");
}

}  // namespace
}  // namespace posenc
