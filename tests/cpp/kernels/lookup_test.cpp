#include "posenc/kernels/lookup.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::random_floats;
using Floats = std::vector<float>;

TEST_CASE("lookup: by index, and added up by index, at awkward lengths") {
  for (const auto& [values, count] : testing::awkward_pairs({{3, 0}})) {
    const Floats table = random_floats(static_cast<std::size_t>(values), 1),
                 x = random_floats(static_cast<std::size_t>(count), 2);
    std::vector<int32_t> index;
    for (int64_t i = 0; i < count; i++)
      index.push_back(static_cast<int32_t>((i * i + 2 * i) % values));
    Floats out(x.size(), NAN), want;
    kernels::gather(table.data(), index.data(), count, out.data());
    for (int32_t at : index) want.push_back(table[static_cast<std::size_t>(at)]);
    CHECK(out == want);
    Floats sums = table;
    kernels::scatter_add(x.data(), index.data(), count, sums.data());
    std::vector<double> added(table.begin(), table.end());
    for (std::size_t i = 0; i < x.size(); i++) added[static_cast<std::size_t>(index[i])] += x[i];
    testing::check_close(sums, added, 2e-6, "sums");
  }
}

TEST_CASE("lookup: columns of a table") {
  for (const auto& [rows, width] : testing::awkward_pairs({{0, 3}})) {
    const Floats table = random_floats(static_cast<std::size_t>(rows * width), 3),
                 x = random_floats(static_cast<std::size_t>(rows), 4);
    for (int64_t column : {int64_t{0}, width / 2, width - 1}) {
      Floats out(x.size(), NAN), sums = table;
      kernels::take_column(table.data(), rows, width, column, out.data());
      kernels::add_to_column(x.data(), rows, width, column, sums.data());
      for (int64_t n = 0; n < rows * width; n++) {
        const auto at = static_cast<std::size_t>(n), row = static_cast<std::size_t>(n / width);
        const bool own = n % width == column;
        if (own) CHECK(out[row] == table[at]);
        CHECK(sums[at] == (own ? table[at] + x[row] : table[at]));
      }
    }
  }
}

}  // namespace
}  // namespace posenc
