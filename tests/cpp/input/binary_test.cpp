#include "posenc/input/binary.hpp"

#include "posenc/core/adapters.hpp"
#include "reference/input/binary.hpp"
#include "reference/network.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::Values;

InputAdapter<Binary> adapted(const BinaryOptions& options) {
  return InputAdapter<Binary>(std::move(*make<Binary>(BinaryOptions(options), 5)));
}

// Digits of 0, 1, ..., highest place first, by the operation.
std::vector<std::vector<int64_t>> codes_of(const BinaryOptions& options, int64_t count) {
  const Binary binary = std::move(*make<Binary>(BinaryOptions(options)));
  std::vector<double> positions;
  for (int64_t p = 0; p < count; p++) positions.push_back(static_cast<double>(p));
  const TensorView<const double> inputs[] = {{positions, {count}}};
  const auto result = binary_digits(binary, {}, inputs);
  REQUIRE(result.has_value());
  CHECK(result->shape == Shape{count, options.digits});
  std::vector<std::vector<int64_t>> codes;
  for (int64_t i = 0; i < count * options.digits; i++) {
    if (i % options.digits == 0) codes.emplace_back();
    codes.back().push_back(static_cast<int64_t>(result->data[i]));
  }
  return codes;
}

int64_t differing(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); i++) count += a[i] != b[i] ? 1 : 0;
  return count;
}

TEST_CASE("binary: digits in both codes, by the recursive definition") {
  for (const auto& [radix, digits] :
       {std::pair<int64_t, int64_t>{2, 6}, {3, 4}, {4, 3}, {5, 3}, {10, 2}}) {
    for (BinaryCode code : {BinaryCode::kPlain, BinaryCode::kGray}) {
      const auto want = reference::reflected_codes(radix, digits, code == BinaryCode::kGray);
      const BinaryOptions options = {.dim = 1, .radix = radix, .digits = digits, .code = code};
      CHECK(codes_of(options, static_cast<int64_t>(want.size())) == want);
    }
  }
}

TEST_CASE(
    "binary: neighbours differ in one place of the Gray code; 127 and 128 in all eight bits of the "
    "plain one") {
  const auto plain = codes_of({.dim = 1, .digits = 8}, 256);
  CHECK(differing(plain[127], plain[128]) == 8);
  for (int64_t radix : {2, 3, 4}) {
    const auto gray = codes_of({.dim = 1, .radix = radix, .digits = 4, .code = BinaryCode::kGray},
                               radix * radix * radix * radix);
    for (std::size_t p = 1; p < gray.size(); p++) CHECK(differing(gray[p - 1], gray[p]) == 1);
  }
}

testing::InputReference reference_of(const BinaryOptions& options,
                                     const std::vector<int64_t>& positions) {
  const auto codes =
      reference::reflected_codes(options.radix, options.digits, options.code == BinaryCode::kGray);
  const reference::BinaryRule rule = {options.dim, options.radix, options.zero_vector};
  const auto dim = static_cast<std::size_t>(options.dim);
  const auto network_of = [](const Values& values) {
    return reference::Network{{values[1], values[3]}, {values[2], values[4]}, "gelu"};
  };
  const auto sum_of = [=](const Values& values, int64_t position) {
    std::vector<double> sum(dim);
    reference::for_digit_vectors(rule, codes[static_cast<std::size_t>(position)],
                                 [&](std::size_t at) {
                                   for (std::size_t c = 0; c < dim; c++)
                                     sum[c] += values[0][at + c];
                                 });
    return sum;
  };
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    std::vector<double> table;
    for (int64_t p : positions) {
      auto row = sum_of(values, p);
      if (options.ffn) row = reference::network(network_of(values), row);
      table.insert(table.end(), row.begin(), row.end());
    }
    return table;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    Values gradients(values.size());
    gradients[0].resize(values[0].size());
    reference::Network sums;
    for (std::size_t i = 0; i < positions.size(); i++) {
      const auto first = d_rows.begin() + static_cast<std::ptrdiff_t>(i * dim);
      std::vector<double> d_sum(first, first + options.dim);
      if (options.ffn) {
        d_sum = reference::network_backward(network_of(values), sum_of(values, positions[i]), d_sum,
                                            sums);
      }
      reference::for_digit_vectors(rule, codes[static_cast<std::size_t>(positions[i])],
                                   [&](std::size_t at) {
                                     for (std::size_t c = 0; c < dim; c++)
                                       gradients[0][at + c] += d_sum[c];
                                   });
    }
    if (options.ffn)
      gradients = {gradients[0], sums.weights[0], sums.biases[0], sums.weights[1], sums.biases[1]};
    return gradients;
  };
  return result;
}

TEST_CASE("binary: rows and gradients against the plain loops") {
  const std::vector<int64_t> numbers = {0, 1, 2, 3,  7,  8,  15, 15, 5, 9,
                                        0, 4, 6, 10, 11, 12, 13, 14, 3};
  const std::vector<double> positions(numbers.begin(), numbers.end());
  for (int choice = 0; choice < 8; choice++) {
    for (const auto& [radix, digits] : {std::pair<int64_t, int64_t>{2, 4}, {3, 3}, {16, 1}}) {
      for (int64_t dim : testing::awkward_sizes()) {
        const BinaryOptions options = {
            .dim = dim,
            .radix = radix,
            .digits = digits,
            .code = (choice & 1) != 0 ? BinaryCode::kGray : BinaryCode::kPlain,
            .zero_vector = (choice & 2) != 0,
            .ffn = (choice & 4) != 0,
            .hidden = 6};
        testing::check_input(
            adapted(options),
            Positions::array(positions.data(), static_cast<int64_t>(positions.size())),
            reference_of(options, numbers), 5e-6, "binary",
            dim == testing::lanes() - 1 && radix == 3);
      }
    }
  }
}

TEST_CASE("binary: radix^digits positions, no more") {
  const auto encoding = adapted({.dim = 4, .radix = 3, .digits = 2});
  CHECK(encoding.check(Positions::range(0, 9), "positions").has_value());
  const Status past = encoding.check(Positions::range(0, 10), "positions");
  testing::check_error(past.error(), ErrorCode::kOutsideDomain, "positions");
  for (double bad : {-1.0, 1.5, 9.0, static_cast<double>(NAN)}) {
    CAPTURE(bad);
    testing::check_error(encoding.check(Positions::array(&bad, 1), "positions").error(),
                         ErrorCode::kOutsideDomain, "positions");
  }
  const double bad[] = {9};
  const TensorView<const double> inputs[] = {{bad, {1}}};
  const Binary binary = std::move(*make<Binary>({.dim = 4, .radix = 3, .digits = 2}));
  testing::check_error(binary_digits(binary, {}, inputs).error(), ErrorCode::kOutsideDomain,
                       "positions");
}

TEST_CASE("binary: refused options") {
  testing::check_error(make<Binary>({.dim = 0, .digits = 3}).error(), ErrorCode::kOutOfRange,
                       "dim");
  testing::check_error(make<Binary>({.dim = 4, .radix = 1, .digits = 3}).error(),
                       ErrorCode::kOutOfRange, "radix");
  testing::check_error(make<Binary>({.dim = 4, .digits = 0}).error(), ErrorCode::kOutOfRange,
                       "digits");
  testing::check_error(make<Binary>({.dim = 4, .radix = 1000, .digits = 50}).error(),
                       ErrorCode::kTooLarge, "digits");
}

}  // namespace
}  // namespace posenc
