#include "posenc/input/segment.hpp"

#include "reference/input/learned.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::list_of;

TEST_CASE("segment: rows are copies and gradients add up") {
  for (int64_t dim : testing::awkward_sizes()) {
    const auto encoding = adapted<Segment>({.dim = dim, .types = 3}, 2);
    const std::vector<double> types = {0, 0, 2, 1, 2, 2};
    const auto rows = testing::rounded(types);
    const auto d_out = testing::random_floats(6 * static_cast<std::size_t>(dim), 1);
    check_close(testing::rows_of(encoding, given(types)),
                reference::lookup(testing::values_of(encoding, "table"), dim, rows), 0, "rows");
    check_close(testing::gradients_of(encoding, given(types), d_out)["table"],
                reference::lookup_backward(3, dim, rows, testing::widened(d_out)), 1e-6,
                "gradient");
  }
  const std::vector<double> unknown = {0, 2};
  testing::check_error(adapted<Segment>({.dim = 4}).check(given(unknown), "positions").error(),
                       ErrorCode::kOutsideDomain, "positions");
}

TEST_CASE("segment: the reference's gradient is that of finite differences") {
  const std::vector<int64_t> types = {0, 2, 2, 1, 0, 2};
  auto table = testing::widened(testing::random_floats(9, 3));
  const auto d_out = testing::widened(testing::random_floats(18, 4));
  testing::check_differences(
      table, reference::lookup_backward(3, 3, types, d_out),
      [&] { return testing::product(reference::lookup(table, 3, types), d_out); }, "table");
}

Result<OperationResult> ranges(const std::vector<double>& types, Shape shape,
                               const std::vector<double>& first, const std::vector<double>& last) {
  const TensorView<const double> input[] = {{types, shape}};
  return range_positions({list_of(first), list_of(last)}, input);
}

TEST_CASE("segment: each modality counts in its own range, row by row") {
  const std::vector<double> types = {0, 1, 1, 0, 1, 1, 0, 0};
  check_close(ranges(types, {2, 4}, {0, 128}, {127, 255})->data.span(),
              std::vector<float>{0, 128, 129, 1, 128, 129, 0, 1}, 0, "positions");
  CHECK(ranges({}, {0}, {0, 128}, {127, 255})->shape == Shape{0});
}

TEST_CASE("segment: ranges that overlap are refused by both their names, full ones by theirs") {
  const auto overlap = ranges({0}, {1}, {0, 100}, {127, 255});
  testing::check_error(overlap.error(), ErrorCode::kOutOfRange, "first");
  CHECK(std::string(overlap.error().received()) == "range 1 (100 to 255)");
  CHECK(std::string(overlap.error().allowed()) == "ranges apart from range 0 (0 to 127)");
  testing::check_error(ranges({0}, {1}, {5}, {4}).error(), ErrorCode::kOutOfRange, "last");
  testing::check_error(ranges({0}, {1}, {5, 9}, {7}).error(), ErrorCode::kShapeMismatch, "last");
  testing::check_error(ranges({0, 0, 0}, {3}, {0}, {1}).error(), ErrorCode::kOutsideDomain,
                       "types");
  for (double bad : {1.0, -1.0, 0.5, static_cast<double>(NAN)}) {
    testing::check_error(ranges({bad}, {1}, {0}, {9}).error(), ErrorCode::kOutsideDomain, "types");
  }
}

}  // namespace
}  // namespace posenc
