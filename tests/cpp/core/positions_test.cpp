#include "posenc/core/positions.hpp"

#include "support/compare.hpp"

namespace posenc {
namespace {

TEST_CASE("positions: both modes say the same, and so do their slices") {
  const double given[] = {5, 6, 7, 8};
  const Positions array = Positions::array(given, 4), range = Positions::range(5, 4);
  for (int64_t i = 0; i < 4; i++) CHECK(array.at(i) == range.at(i));
  CHECK(array.slice(2, 2).at(1) == 8);
  CHECK(range.slice(2, 2).at(1) == 8);
  // 0.1 + 1000 + 24 and 0.1 + 1024 differ in the last bit.
  const Positions fractional = Positions::range(0.1, 2000);
  for (int64_t i = 0; i < 900; i++) {
    CHECK(fractional.slice(1000, 1000).at(i) == fractional.at(1000 + i));
    CHECK(fractional.slice(500, 1500).slice(500, 1000).at(i) == fractional.at(1000 + i));
  }
  const double pairs[] = {1, 2, 3, 4};
  CHECK(Positions::array(pairs, 2, 2).slice(1, 1).at(0, 1) == 4);
}

TEST_CASE("positions: outside the domain is an error that names the position") {
  const PositionDomain rows{DomainKind::kNaturals, 8, 1};
  CHECK(check_positions(Positions::range(0, 8), rows, "positions").has_value());
  CHECK(check_positions(Positions::range(8, 0), {DomainKind::kReals, 1e9, 1}, "positions")
            .has_value());
  const Status past = check_positions(Positions::range(6, 3), rows, "positions");
  testing::check_error(past.error(), ErrorCode::kOutsideDomain, "positions");
  CHECK(std::string(past.error().received()) == "8 (length 9)");
  CHECK(std::string(past.error().allowed()) == "whole numbers from 0 to 7 (length 8)");
  for (double bad :
       {-1.0, 8.0, 1.5, 2147483648.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CAPTURE(bad);
    const double given[] = {0, bad};
    testing::check_error(check_positions(Positions::array(given, 2), rows, "positions").error(),
                         ErrorCode::kOutsideDomain, "positions");
  }
  const AxisRange ranges[] = {{0, 2}, {-1, 4}};
  const PositionDomain grid{DomainKind::kIntegers, 0x1p53, 2, ranges};
  const double inside[] = {0, -1, 2, 4}, beyond[] = {0, 0, 3, 0};
  CHECK(check_positions(Positions::array(inside, 2, 2), grid, "positions").has_value());
  const Status off = check_positions(Positions::array(beyond, 2, 2), grid, "positions");
  testing::check_error(off.error(), ErrorCode::kOutsideDomain, "positions");
  CHECK(std::string(off.error().allowed()) == "whole numbers from 0 to 2 on axis 0");
  const double one[] = {1};
  testing::check_error(
      check_positions(Positions::array(one, 1), {DomainKind::kReals, 9, 2}, "positions").error(),
      ErrorCode::kShapeMismatch, "positions");
}

}  // namespace
}  // namespace posenc
