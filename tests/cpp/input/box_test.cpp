#include "posenc/input/box.hpp"

#include "reference/input/box.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::gradients_of;
using testing::rows_of;

constexpr const char* kTables[] = {"x", "y", "h", "w"};

void check_published(const char* name, const BoxOptions& options, const reference::BoxRule& rule) {
  CAPTURE(name);
  const auto golden = testing::load_golden(name);
  const double bound = testing::golden_bound(golden.tolerance);
  auto encoding = adapted<Box>(options);
  reference::BoxTables tables;
  for (std::size_t t = 0; t < 4; t++) {
    const auto& table = golden[std::string("table_") + kTables[t]];
    testing::set_values(encoding, kTables[t], table.floats);
    tables[t] = table.as_doubles();
  }
  const auto boxes = golden["bbox"].as_doubles();
  auto out = rows_of(encoding, given(boxes, 4));
  auto want = reference::box(rule, tables, boxes);
  if (golden.tensors.contains(
          "table_pos")) {  // LayoutLM adds its words and a row per position as well
    for (std::size_t i = 0; i < out.size(); i++) {
      const float rest = golden["x"].floats[i] + golden["table_pos"].floats[i];
      out[i] += rest, want[i] += rest;
    }
  }
  check_close(out, golden["out"].floats, bound, "out");
  check_close(want, golden["out"].floats, bound, "reference");
}

TEST_CASE("box: rows of LayoutLM and LayoutLMv2") {
  check_published("layoutlm--v1-l9-d12", {.dim = 12, .max_position = 64}, {64, 12, 12});
  check_published("layoutlm--v2-spatial-l7",
                  {.dim = 32,
                   .combine = BoxCombine::kConcat,
                   .coordinate_size = 6,
                   .shape_size = 4,
                   .max_position = 50},
                  {50, 6, 4, true});
}

TEST_CASE("box: sums and rows side by side equal the plain loop, forward and backward") {
  const std::vector<double> boxes = {0, 0, 0, 0, 1, 2, 8, 9, 3, 0, 9, 9, 1, 2, 8, 9, 9, 9, 9, 9};
  for (const bool concat : {false, true}) {
    for (int64_t corner : testing::awkward_sizes()) {
      const int64_t size = concat ? corner + 1 : corner;
      const reference::BoxRule rule{10, corner, size, concat};
      BoxOptions options{.dim = concat ? 4 * corner + 2 * size : corner, .max_position = 10};
      if (concat) options.combine = BoxCombine::kConcat, options.coordinate_size = corner;
      const auto encoding = adapted<Box>(options, 8);
      reference::BoxTables tables;
      for (std::size_t t = 0; t < 4; t++) tables[t] = testing::values_of(encoding, kTables[t]);
      const auto d_out = testing::random_floats(5 * static_cast<std::size_t>(encoding.width()), 2);
      check_close(rows_of(encoding, given(boxes, 4)), reference::box(rule, tables, boxes), 1e-7,
                  "rows");
      auto gradients = gradients_of(encoding, given(boxes, 4), d_out);
      const auto want = reference::box_backward(rule, boxes, testing::widened(d_out));
      for (std::size_t t = 0; t < 4; t++)
        check_close(gradients[kTables[t]], want[t], 2e-6, kTables[t]);
    }
  }
  CHECK(rows_of(adapted<Box>({.dim = 4}), Positions::array(boxes.data(), 0, 4)).empty());
}

TEST_CASE("box: the reference's gradients are those of finite differences") {
  const reference::BoxRule rule{4, 2, 1, true};
  const std::vector<double> boxes = {0, 1, 2, 3, 1, 1, 3, 1};
  reference::BoxTables tables;
  for (std::size_t t = 0; t < 4; t++)
    tables[t] = testing::widened(testing::random_floats(t < 2 ? 8 : 4, t));
  const auto d_out = testing::widened(testing::random_floats(20, 9));
  const auto gradients = reference::box_backward(rule, boxes, d_out);
  for (std::size_t t = 0; t < 4; t++) {
    testing::check_gradient(
        gradients[t], tables[t],
        [&](const std::vector<double>& at) {
          auto moved = tables;
          moved[t] = at;
          return testing::product(reference::box(rule, moved, boxes), d_out);
        },
        kTables[t]);
  }
}

Status checked(BoxOutside outside, const std::vector<double>& box) {
  return adapted<Box>({.dim = 2, .max_position = 1024, .outside = outside})
      .check(given(box, 4), "positions");
}

TEST_CASE(
    "box: values outside the tables are an error that names them, or are clamped where that was "
    "asked for") {
  for (const std::vector<double>& bad :
       {std::vector<double>{0, 0, 1091, 5}, {-3, 0, 5, 5}, {0, 0, 5.5, 5}}) {
    testing::check_error(checked(BoxOutside::kError, bad).error(), ErrorCode::kOutsideDomain,
                         "positions");
    testing::check_error(checked(BoxOutside::kClampSize, bad).error(), ErrorCode::kOutsideDomain,
                         "positions");
  }
  CHECK(std::string(checked(BoxOutside::kError, {0, 0, 1091, 5}).error().received()) ==
        "1091 at index 2");
  const auto negative = checked(BoxOutside::kError, {9, 0, 5, 5});
  testing::check_error(negative.error(), ErrorCode::kOutsideDomain, "positions");
  CHECK(std::string(negative.error().received()) == "width -4 of box 0, from 9 to 5");
  CHECK(checked(BoxOutside::kClampSize, {9, 0, 5, 5}).has_value());
  CHECK(checked(BoxOutside::kClamp, {-3, 0, 1091, 5}).has_value());
  testing::check_error(checked(BoxOutside::kClamp, {0.5, 0, 5, 5}).error(),
                       ErrorCode::kOutsideDomain, "positions");

  const auto rows = [](BoxOutside outside, const std::vector<double>& box) {
    return rows_of(adapted<Box>({.dim = 3, .max_position = 8, .outside = outside}, 1),
                   given(box, 4));
  };
  auto encoding = adapted<Box>({.dim = 1, .max_position = 8, .outside = BoxOutside::kClamp});
  for (const char* name : kTables) testing::set_values(encoding, name, {0, 1, 2, 3, 4, 5, 6, 7});
  // Corners clamp to 0, 1, 7, 2; height 1 and width 12, which clamps to 7.
  CHECK(rows_of(encoding, given(std::vector<double>{-3, 1, 9, 2}, 4)) ==
        std::vector<float>{0 + 1 + 7 + 2 + 1 + 7});
  CHECK(rows(BoxOutside::kClampSize, {5, 1, 2, 2}).size() == 3);
}

TEST_CASE("box: refused options") {
  testing::check_error(make<Box>({.dim = 12, .coordinate_size = 6}).error(),
                       ErrorCode::kShapeMismatch, "coordinateSize");
  testing::check_error(make<Box>({.dim = 13, .combine = BoxCombine::kConcat}).error(),
                       ErrorCode::kShapeMismatch, "dim");
  testing::check_error(make<Box>({.dim = 12, .max_position = 0}).error(), ErrorCode::kOutOfRange,
                       "maxPosition");
  CHECK(make<Box>({.dim = 768, .combine = BoxCombine::kConcat})->options().coordinate_size == 128);
}

}  // namespace
}  // namespace posenc
