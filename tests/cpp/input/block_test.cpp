#include "posenc/input/block.hpp"

#include "reference/input/block.hpp"
#include "support/compare.hpp"
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

TEST_CASE("block: equal and unequal blocks, summed and side by side, equal the plain loop") {
  for (const std::vector<double>& boundaries : {std::vector<double>{}, {0}, {0, 3, 4, 9}}) {
    for (const bool concat : {false, true}) {
      for (int64_t width : testing::awkward_sizes()) {
        BlockOptions options{.dim = concat ? 2 * width + 1 : width, .block_size = 5};
        options.boundaries = list_of(boundaries);
        if (boundaries.empty()) options.blocks = 3;
        if (concat) options.combine = BlockCombine::kConcat, options.block_dim = width;
        const auto encoding = adapted<Block>(std::move(options), 3);
        const reference::BlockRule rule{
            boundaries.empty() ? std::vector<double>{0, 5, 10} : boundaries, 5, width,
            concat ? width + 1 : width, concat};
        const reference::BlockTables tables{testing::values_of(encoding, "blockTable"),
                                            testing::values_of(encoding, "innerTable")};
        const double length = rule.starts.back() + 5;
        std::vector<double> positions = {length - 1, 0};
        for (double p = 0; p < length; p++) positions.push_back(p);
        const auto d_out = testing::random_floats(
            positions.size() * static_cast<std::size_t>(encoding.width()), 2);
        check_close(rows_of(encoding, given(positions)), reference::block(rule, tables, positions),
                    1e-7, "rows");
        auto gradients = gradients_of(encoding, given(positions), d_out);
        const auto want = reference::block_backward(rule, positions, testing::widened(d_out));
        check_close(gradients["blockTable"], want.block, 2e-6, "block gradient");
        check_close(gradients["innerTable"], want.inner, 2e-6, "inner gradient");
        const std::vector<double> past = {length};
        testing::check_error(encoding.check(given(past), "positions").error(),
                             ErrorCode::kOutsideDomain, "positions");
      }
    }
  }
}

TEST_CASE("block: the reference's gradients are those of finite differences") {
  const reference::BlockRule rule{{0, 2, 3}, 2, 2, 1, true};
  const std::vector<double> positions = {0, 1, 2, 3, 4, 4};
  const reference::BlockTables tables{testing::widened(testing::random_floats(6, 1)),
                                      testing::widened(testing::random_floats(2, 2))};
  const auto d_out = testing::widened(testing::random_floats(18, 3));
  const auto gradients = reference::block_backward(rule, positions, d_out);
  testing::check_gradient(
      gradients.block, tables.block,
      [&](const std::vector<double>& at) {
        return testing::product(reference::block(rule, {at, tables.inner}, positions), d_out);
      },
      "block");
  testing::check_gradient(
      gradients.inner, tables.inner,
      [&](const std::vector<double>& at) {
        return testing::product(reference::block(rule, {tables.block, at}, positions), d_out);
      },
      "inner");
}

TEST_CASE("block: positions of blocks of given lengths") {
  const auto encoding = std::move(*make<Block>({.dim = 2, .block_size = 4, .blocks = 4}));
  const std::vector<double> lengths = {3, 0, 4, 1}, long_one = {5}, many = {1, 1, 1, 1, 1},
                            broken = {1.5};
  const auto run = [&](const std::vector<double>& list) {
    const TensorView<const double> input[] = {{list, {static_cast<int64_t>(list.size())}}};
    return block_positions(encoding, {}, input);
  };
  check_close(run(lengths)->data.span(), std::vector<float>{0, 1, 2, 8, 9, 10, 11, 12}, 0,
              "positions");
  testing::check_error(run(long_one).error(), ErrorCode::kOutOfRange, "lengths");
  testing::check_error(run(broken).error(), ErrorCode::kOutOfRange, "lengths");
  testing::check_error(run(many).error(), ErrorCode::kShapeMismatch, "lengths");
}

TEST_CASE("block: refused options") {
  const auto with = [](const std::vector<double>& boundaries) {
    BlockOptions options{.dim = 4, .block_size = 5};
    options.boundaries = list_of(boundaries);
    return make<Block>(std::move(options)).error();
  };
  testing::check_error(with({1, 3}), ErrorCode::kOutOfRange, "boundaries");
  testing::check_error(with({0, 6}), ErrorCode::kOutOfRange, "boundaries");
  testing::check_error(with({0, 3, 3}), ErrorCode::kOutOfRange, "boundaries");
  testing::check_error(with({0, 2.5}), ErrorCode::kInvalidType, "boundaries");
  testing::check_error(make<Block>({.dim = 4, .block_size = 0}).error(), ErrorCode::kOutOfRange,
                       "blockSize");
  testing::check_error(make<Block>({.dim = 4, .block_size = 2, .block_dim = 3}).error(),
                       ErrorCode::kShapeMismatch, "blockDim");
  testing::check_error(
      make<Block>({.dim = 4, .block_size = 2, .combine = BlockCombine::kConcat, .block_dim = 4})
          .error(),
      ErrorCode::kShapeMismatch, "blockDim");
}

}  // namespace
}  // namespace posenc
