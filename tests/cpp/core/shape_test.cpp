#include "posenc/core/shape.hpp"

#include "posenc/core/memory.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

TEST_CASE("shape: element counts are checked against overflow") {
  CHECK(*element_count({2, 3, 4}, "x") == 24);
  CHECK(*element_count({}, "x") == 1);
  CHECK(*element_count({0, 1LL << 40}, "x") == 0);
  CHECK(*element_count({(1LL << 31) - 1}, "x") == (1LL << 31) - 1);
  testing::check_error(element_count({65536, 65536}, "x").error(), ErrorCode::kTooLarge, "x");
  testing::check_error(element_count({1LL << 62, 4}, "x").error(), ErrorCode::kTooLarge, "x");
  testing::check_error(element_count({2, -1}, "x").error(), ErrorCode::kOutOfRange, "x");
  CHECK(*checked_product(0, 1LL << 62, "x") == 0);
  testing::check_error(checked_product(1LL << 32, 1LL << 32, "x").error(), ErrorCode::kTooLarge,
                       "x");
}

TEST_CASE("memory: requests that cannot be met are errors, and bytes are counted") {
  const int64_t before = allocated_bytes();
  {
    Buffer<float> buffer;
    REQUIRE(buffer.allocate_zeros(1000, "x").has_value());
    CHECK(reinterpret_cast<uintptr_t>(buffer.data()) % kAlignment == 0);
    CHECK(buffer[999] == 0);
    CHECK(allocated_bytes() >= before + 4000);
    Buffer<float> moved = std::move(buffer);
    CHECK(moved.size() == 1000);
    CHECK(buffer.size() == 0);
  }
  CHECK(allocated_bytes() == before);
  CHECK(Buffer<float>::make(0, "x").has_value());
  testing::check_error(Buffer<float>::make(-1, "x").error(), ErrorCode::kTooLarge, "x");
  testing::check_error(Buffer<double>::make(1LL << 40, "x").error(), ErrorCode::kTooLarge, "x");
  CHECK(allocate_bytes(INT64_MAX) == nullptr);
  CHECK(allocate_bytes(-1) == nullptr);
}

}  // namespace
}  // namespace posenc
