#include "posenc/input/learned.hpp"

#include "reference/input/learned.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/input_rows.hpp"

namespace posenc {
namespace {

using testing::adapted;
using testing::check_close;
using testing::given;
using testing::gradients_of;
using testing::rows_of;

// The published table in an encoding of those options; rows and gradient as the file has them.
void check_published(const char* name, const LearnedOptions& options) {
  CAPTURE(name);
  const auto golden = testing::load_golden(name);
  auto encoding = adapted<Learned>(options);
  testing::set_values(encoding, "table", golden["table"].floats);
  const auto positions = golden["positions"].as_doubles();
  std::vector<float> scratch(
      static_cast<std::size_t>(encoding.scratch_floats(given(positions).count)));
  auto out = golden.tensors.contains("x")
                 ? golden["x"].floats
                 : std::vector<float>(positions.size() * static_cast<std::size_t>(options.dim));
  encoding.add(given(positions), out.data(), out.data(), scratch.data());
  const double bound = testing::golden_bound(golden.tolerance);
  check_close(out, golden["out"].floats, bound, "out");
  check_close(gradients_of(encoding, given(positions), golden["dout"].floats)["table"],
              golden["dtable"].floats, bound, "dtable");

  std::vector<int64_t> rows = testing::rounded(positions);
  for (int64_t& row : rows) row += options.offset;
  const auto table = golden["table"].as_doubles(), d_out = golden["dout"].as_doubles();
  if (!golden.tensors.contains("x")) {
    check_close(reference::lookup(table, options.dim, rows), golden["out"].floats, bound,
                "reference");
  }
  check_close(reference::lookup_backward(options.max_length + options.offset, options.dim, rows,
                                         d_out, options.padding_index.value_or(-1)),
              golden["dtable"].floats, bound, "reference gradient");
}

TEST_CASE("learned: rows and gradients of published implementations") {
  check_published("learned-1d--lookup-grad", {.dim = 6, .max_length = 9});
  check_published("learned-1d--opt-left-padding", {.dim = 6, .max_length = 10, .offset = 2});
  check_published("learned-1d--roberta-pad1", {.dim = 5, .max_length = 10, .padding_index = 1});
}

TEST_CASE("learned: positions counted from a mask and from token ids") {
  const auto opt = testing::load_golden("learned-1d--opt-left-padding");
  const auto roberta = testing::load_golden("learned-1d--roberta-pad1");
  const auto mask = opt["attention_mask"].as_doubles(), ids = roberta["input_ids"].as_doubles();
  const TensorView<const double> masks[] = {{mask, opt["attention_mask"].shape}};
  const TensorView<const double> tokens[] = {{ids, roberta["input_ids"].shape}};
  check_close(token_positions({}, masks)->data.span(), opt["positions"].as_doubles(), 0, "mask");
  check_close(token_positions({.padding_index = 1}, tokens)->data.span(),
              roberta["positions"].as_doubles(), 0, "ids");
}

TEST_CASE("learned: rows are copies, and gradients add up, at every width and count") {
  for (int64_t dim = 1; dim <= 35; dim++) {
    for (int64_t count : {0, 1, 2, 9, 40}) {
      const auto encoding = adapted<Learned>({.dim = dim, .max_length = 11}, 5);
      std::vector<double> positions;
      for (int64_t i = 0; i < count; i++) positions.push_back(static_cast<double>(i * i % 11));
      const auto rows = testing::rounded(positions);
      const auto d_out = testing::random_floats(static_cast<std::size_t>(count * dim), 3);
      const auto table = testing::values_of(encoding, "table");
      check_close(rows_of(encoding, given(positions)), reference::lookup(table, dim, rows), 0,
                  "rows");
      check_close(gradients_of(encoding, given(positions), d_out)["table"],
                  reference::lookup_backward(11, dim, rows, testing::widened(d_out)), 1e-6,
                  "gradient");
    }
  }
}

TEST_CASE("learned: the reference's gradient is that of finite differences") {
  const std::vector<int64_t> rows = {0, 3, 3, 1};
  const auto d_out = testing::widened(testing::random_floats(8, 1)),
             table = testing::widened(testing::random_floats(8, 2));
  testing::check_gradient(
      reference::lookup_backward(4, 2, rows, d_out), table,
      [&](const std::vector<double>& at) {
        return testing::product(reference::lookup(at, 2, rows), d_out);
      },
      "table");
}

TEST_CASE("learned: contiguous and given positions give the same rows") {
  const auto encoding = adapted<Learned>({.dim = 7, .max_length = 20, .offset = 2}, 1);
  const std::vector<double> positions = {-2, -1, 0, 1, 2};
  CHECK(rows_of(encoding, Positions::range(-2, 5)) == rows_of(encoding, given(positions)));
  CHECK(rows_of(encoding, Positions::range(0, 0)).empty());
}

TEST_CASE("learned: past the end is an error that names both lengths") {
  const auto encoding = adapted<Learned>({.dim = 4, .max_length = 8});
  const auto past = encoding.check(Positions::range(6, 3), "positions");
  testing::check_error(past.error(), ErrorCode::kOutsideDomain, "positions");
  CHECK(std::string(past.error().received()) == "8 (length 9)");
  CHECK(std::string(past.error().allowed()) == "whole numbers from 0 to 7 (length 8)");
  for (double bad :
       {-1.0, 8.0, 2147483648.0, 1.5, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CAPTURE(bad);
    const std::vector<double> positions = {0, bad};
    testing::check_error(encoding.check(given(positions), "positions").error(),
                         ErrorCode::kOutsideDomain, "positions");
  }
}

TEST_CASE("learned: clamp and wrap are what they say, and reserved rows stay reserved") {
  const std::vector<double> beyond = {-5, -1, 7, 8, 9, 16, 17, 1e15};
  const auto rows = [&](LearnedExtend extend) {
    const auto encoding =
        adapted<Learned>({.dim = 1, .max_length = 8, .offset = 1, .extend = extend}, 2);
    std::vector<float> table(9);
    for (std::size_t i = 0; i < 9; i++) table[i] = static_cast<float>(i);
    testing::set_values(const_cast<InputAdapter<Learned>&>(encoding), "table", table);
    return rows_of(encoding, given(beyond));
  };
  CHECK(rows(LearnedExtend::kClamp) == std::vector<float>{0, 0, 8, 8, 8, 8, 8, 8});
  CHECK(rows(LearnedExtend::kWrap) == std::vector<float>{4, 0, 8, 1, 2, 1, 2, 1});
}

TEST_CASE("learned: the first table is normal numbers of deviation 0.02, zeros for padding") {
  const auto encoding = adapted<Learned>({.dim = 100, .max_length = 100, .padding_index = 1}, 11);
  const auto table = testing::values_of(encoding, "table");
  double squares = 0;
  for (double value : table) squares += value * value;
  CHECK(std::sqrt(squares / 9900) == doctest::Approx(0.02).epsilon(0.05));
  for (std::size_t c = 0; c < 100; c++) CHECK(table[100 + c] == 0);
  CHECK(testing::values_of(
            adapted<Learned>({.dim = 100, .max_length = 100, .padding_index = 1}, 11), "table") ==
        table);
}

TEST_CASE("learned: refused options") {
  testing::check_error(make<Learned>({.dim = 0, .max_length = 4}).error(), ErrorCode::kOutOfRange,
                       "dim");
  testing::check_error(make<Learned>({.dim = 4, .max_length = 0}).error(), ErrorCode::kOutOfRange,
                       "maxLength");
  testing::check_error(make<Learned>({.dim = 4, .max_length = 4, .padding_index = 4}).error(),
                       ErrorCode::kOutOfRange, "paddingIndex");
  testing::check_error(make<Learned>({.dim = 1 << 20, .max_length = 1 << 20}).error(),
                       ErrorCode::kTooLarge, "table");
}

}  // namespace
}  // namespace posenc
