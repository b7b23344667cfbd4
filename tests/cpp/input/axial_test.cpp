#include "posenc/input/axial.hpp"

#include <numeric>

#include "reference/input/axial.hpp"
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
using testing::list_of;
using testing::rows_of;

const std::string kNames[] = {"table0", "table1", "table2", "table3", "table4"};

AxialOptions options_of(const reference::AxialRule& rule) {
  AxialOptions options;
  options.shape = list_of({rule.shape.begin(), rule.shape.end()});
  options.dims = list_of({rule.dims.begin(), rule.dims.end()});
  options.combine = rule.concat ? AxialCombine::kConcat : AxialCombine::kSum;
  options.dim =
      rule.concat ? std::accumulate(rule.dims.begin(), rule.dims.end(), int64_t{0}) : rule.dims[0];
  return options;
}

TEST_CASE("axial: tables of published implementations, and their gradients") {
  for (const char* name : {"axial--lucidrains-sum-3x5", "axial--reformer-4x6-all"}) {
    CAPTURE(name);
    const auto golden = testing::load_golden(name);
    const double bound = testing::golden_bound(golden.tolerance);
    const reference::AxialRule rule{testing::rounded(golden.numbers("shape")),
                                    testing::rounded(golden.numbers("dims")),
                                    golden.text("variant") == "concat"};
    auto encoding = adapted<Axial>(options_of(rule));
    reference::AxialTables tables;
    for (int a = 0; a < 2; a++) {
      const auto& table = golden["w" + std::to_string(a)];
      testing::set_values(encoding, kNames[a], table.floats);
      tables.push_back(table.as_doubles());
    }
    const auto all = Positions::range(0, golden["out"].shape[0]);
    std::vector<double> positions(static_cast<std::size_t>(all.count));
    std::iota(positions.begin(), positions.end(), 0.0);
    check_close(rows_of(encoding, all), golden["out"].floats, bound, "out");
    check_close(reference::axial(rule, tables, positions), golden["out"].floats, bound,
                "reference");
    if (!golden.tensors.contains("dout")) continue;
    auto gradients = gradients_of(encoding, all, golden["dout"].floats);
    const auto want = reference::axial_backward(rule, positions, golden["dout"].as_doubles());
    for (std::size_t a = 0; a < 2; a++) {
      const auto& d_table = golden["dw" + std::to_string(a)].floats;
      check_close(gradients[kNames[a]], d_table, bound, "gradient");
      check_close(want[a], d_table, bound, "reference gradient");
    }
  }
}

TEST_CASE("axial: 2 to 5 axes, summed and side by side, equal the plain loop") {
  for (const auto& shape : std::vector<std::vector<int64_t>>{
           {1, 1}, {3, 4}, {4, 3}, {2, 3, 2}, {1, 3, 1, 4}, {2, 2, 2, 2, 3}}) {
    for (const bool concat : {false, true}) {
      for (int64_t width : testing::awkward_sizes()) {
        reference::AxialRule rule{shape, {}, concat};
        for (std::size_t a = 0; a < shape.size(); a++) {
          rule.dims.push_back(concat ? width + static_cast<int64_t>(a) : width);
        }
        auto encoding = adapted<Axial>(options_of(rule), 7);
        reference::AxialTables tables;
        for (std::size_t a = 0; a < shape.size(); a++)
          tables.push_back(testing::values_of(encoding, kNames[a]));
        const int64_t count =
            std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
        std::vector<double> positions;
        for (int64_t i = 0; i < count + 2; i++)
          positions.push_back(static_cast<double>(i * 5 % count));
        const auto d_out = testing::random_floats(
            positions.size() * static_cast<std::size_t>(encoding.width()), 2);
        check_close(rows_of(encoding, given(positions)), reference::axial(rule, tables, positions),
                    1e-7, "rows");
        auto gradients = gradients_of(encoding, given(positions), d_out);
        const auto want = reference::axial_backward(rule, positions, testing::widened(d_out));
        for (std::size_t a = 0; a < shape.size(); a++)
          check_close(gradients[kNames[a]], want[a], 2e-6, "gradient");
      }
    }
  }
}

TEST_CASE("axial: the reference's gradients are those of finite differences") {
  const reference::AxialRule rule{{2, 3}, {2, 3}, true};
  const std::vector<double> positions = {0, 4, 4, 5};
  reference::AxialTables tables = {testing::widened(testing::random_floats(4, 1)),
                                   testing::widened(testing::random_floats(9, 2))};
  const auto d_out = testing::widened(testing::random_floats(20, 3));
  const auto gradients = reference::axial_backward(rule, positions, d_out);
  for (std::size_t a = 0; a < 2; a++) {
    testing::check_gradient(
        gradients[a], tables[a],
        [&](const std::vector<double>& at) {
          auto moved = tables;
          moved[a] = at;
          return testing::product(reference::axial(rule, moved, positions), d_out);
        },
        kNames[a]);
  }
}

AxialOptions grid(const std::vector<double>& shape, int64_t dim) {
  AxialOptions options;
  options.shape = list_of(shape);
  options.dim = dim;
  return options;
}

TEST_CASE("axial: a length that does not fill the grid is fine, one beyond it is not") {
  const auto encoding = adapted<Axial>(grid({3, 4}, 5));
  CHECK(encoding.check(Positions::range(0, 10), "positions").has_value());
  CHECK(rows_of(encoding, Positions::range(0, 0)).empty());
  const auto past = encoding.check(Positions::range(0, 13), "positions");
  testing::check_error(past.error(), ErrorCode::kOutsideDomain, "positions");
  CHECK(std::string(past.error().received()) == "12 (length 13)");
}

TEST_CASE("axial: rows behind the grid are clamped or repeated where that was asked for") {
  for (const AxialExtend extend : {AxialExtend::kClamp, AxialExtend::kWrap}) {
    for (const double first : {1.0, 3.0}) {
      auto options = grid({first, 4}, 2);
      options.extend = extend;
      const auto encoding = adapted<Axial>(std::move(options), 1);
      const double row = extend == AxialExtend::kClamp ? first - 1 : 0;
      CHECK(rows_of(encoding, Positions::range(4 * first, 4)) ==
            rows_of(encoding, Positions::range(4 * row, 4)));
    }
  }
}

TEST_CASE("axial: refused options") {
  testing::check_error(make<Axial>(grid({4}, 4)).error(), ErrorCode::kOutOfRange, "shape");
  testing::check_error(make<Axial>(grid({4, 2.5}, 4)).error(), ErrorCode::kInvalidType, "shape");
  testing::check_error(make<Axial>(grid({65536, 65536}, 4)).error(), ErrorCode::kTooLarge, "shape");
  auto odd = grid({4, 4}, 5);
  odd.combine = AxialCombine::kConcat;
  testing::check_error(make<Axial>(std::move(odd)).error(), ErrorCode::kMissingOption, "dims");
  auto uneven = grid({4, 4}, 5);
  uneven.combine = AxialCombine::kConcat;
  uneven.dims = list_of({2, 2});
  testing::check_error(make<Axial>(std::move(uneven)).error(), ErrorCode::kShapeMismatch, "dims");
  auto narrow = grid({4, 4}, 5);
  narrow.dims = list_of({5, 4});
  testing::check_error(make<Axial>(std::move(narrow)).error(), ErrorCode::kShapeMismatch, "dims");
  CHECK(make<Axial>({.dim = 4}).has_value());
}

}  // namespace
}  // namespace posenc
