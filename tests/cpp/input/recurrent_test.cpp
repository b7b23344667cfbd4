#include "posenc/input/recurrent.hpp"

#include "posenc/core/adapters.hpp"
#include "reference/input/recurrent.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::Values;

InputAdapter<Recurrent> adapted(const RecurrentOptions& options) {
  return InputAdapter<Recurrent>(std::move(*make<Recurrent>(RecurrentOptions(options), 5)));
}

testing::InputReference reference_of(const std::vector<double>& positions) {
  const auto last = static_cast<int64_t>(*std::max_element(positions.begin(), positions.end()));
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    const auto states = reference::cell_states({values}, last);
    std::vector<double> table;
    for (double p : positions) {
      const auto& row = states[static_cast<std::size_t>(p)];
      table.insert(table.end(), row.begin(), row.end());
    }
    return table;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    const auto states = reference::cell_states({values}, last);
    const std::size_t dim = values[0].size();
    std::vector<reference::Vector> d_states(states.size(), reference::Vector(dim));
    for (std::size_t i = 0; i < positions.size(); i++) {
      for (std::size_t c = 0; c < dim; c++)
        d_states[static_cast<std::size_t>(positions[i])][c] += d_rows[i * dim + c];
    }
    Values gradients;
    for (const auto& tensor : values) gradients.emplace_back(tensor.size());
    for (std::size_t n = states.size() - 1; n > 0; n--) {
      const auto d = reference::cell_back({values}, states[n - 1], d_states[n], gradients);
      for (std::size_t c = 0; c < dim; c++) d_states[n - 1][c] += d[c];
    }
    gradients[0] = d_states[0];
    return gradients;
  };
  return result;
}

TEST_CASE("recurrent: states and backpropagation through time against the plain loops") {
  const std::vector<std::vector<double>> lists = {
      {0}, {1}, {5, 0, 2, 2, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  for (RecurrentCell cell : {RecurrentCell::kGru, RecurrentCell::kRnn}) {
    for (int64_t dim : testing::awkward_sizes()) {
      for (const auto& positions : lists) {
        const auto encoding = adapted({.dim = dim, .max_length = 16, .cell = cell});
        testing::check_input(
            encoding, Positions::array(positions.data(), static_cast<int64_t>(positions.size())),
            reference_of(positions), 5e-6, kRecurrentCellNames[static_cast<std::size_t>(cell)],
            dim < testing::lanes());
      }
    }
  }
}

TEST_CASE("recurrent: rows do not depend on the order of calls, and follow the parameters") {
  auto encoding = adapted({.dim = 6, .max_length = 64});
  const auto late = testing::rows_of(encoding, Positions::range(40, 3));
  const auto whole = testing::rows_of(encoding, Positions::range(0, 64));
  CHECK(std::equal(late.begin(), late.end(), whole.begin() + 40 * 6));
  CHECK(testing::rows_of(adapted({.dim = 6, .max_length = 64}), Positions::range(0, 64)) == whole);
  CHECK(testing::rows_of(encoding, Positions::range(0, 0)).empty());
  std::vector<float> start(6, 0.25F);
  REQUIRE(encoding.parameters().set("start", start).has_value());
  const auto changed = testing::rows_of(encoding, Positions::range(0, 2));
  CHECK(std::equal(start.begin(), start.end(), changed.begin()));
  encoding.parameters()[1].values[0] += 1;  // also where someone writes to a tensor himself
  CHECK(testing::rows_of(encoding, Positions::range(1, 1)) !=
        std::vector<float>(changed.begin() + 6, changed.end()));
}

TEST_CASE("recurrent: positions below maxLength, no others") {
  const auto encoding = adapted({.dim = 4, .max_length = 8});
  CHECK(encoding.check(Positions::range(0, 8), "positions").has_value());
  for (double bad : {-1.0, 8.0, 0.5, static_cast<double>(NAN)}) {
    CAPTURE(bad);
    testing::check_error(encoding.check(Positions::array(&bad, 1), "positions").error(),
                         ErrorCode::kOutsideDomain, "positions");
  }
  testing::check_error(make<Recurrent>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<Recurrent>({.dim = 4, .max_length = 0}).error(), ErrorCode::kOutOfRange,
                       "maxLength");
  testing::check_error(make<Recurrent>({.dim = 4096, .max_length = 1 << 24}).error(),
                       ErrorCode::kTooLarge, "maxLength");
}

}  // namespace
}  // namespace posenc
