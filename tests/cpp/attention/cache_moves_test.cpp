// Caches cut back, put in another order, copied and slid; and what they refuse.
#include "attention/cache_setup.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc {
namespace {

using namespace testing::cache;
using testing::check_error;

TEST_CASE("cache: truncate, reorder and clone") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  const auto filled = [&](int64_t count) {
    KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .capacity = 8}));
    const AttentionInputs in = stream.part(0, count);
    REQUIRE(cache.append({count, in.k, in.v, nullptr, {}}).has_value());
    return cache;
  };
  KvCache cache = filled(25), shorter = filled(17);
  const auto before = look(attention, cache, stream);

  KvCache copy = std::move(*cache.clone());
  REQUIRE(copy.truncate(17).has_value());
  CHECK(look(attention, copy, stream) == look(attention, shorter, stream));
  CHECK(copy.next_position(0) == 17);
  CHECK(look(attention, cache, stream) == before);  // a clone is independent

  // What was dropped can be appended again.
  const AttentionInputs rest = stream.part(17, 8);
  REQUIRE(copy.append({8, rest.k, rest.v, nullptr, {}}).has_value());
  CHECK(look(attention, copy, stream) == before);

  const int32_t lengths[] = {25, 17};
  REQUIRE(copy.truncate(lengths).has_value());
  const auto mixed = look(attention, copy, stream), short_out = look(attention, shorter, stream);
  const auto half = static_cast<int64_t>(mixed.size() / 2);
  CHECK(std::vector<float>(mixed.begin(), mixed.begin() + half) ==
        std::vector<float>(before.begin(), before.begin() + half));
  CHECK(std::vector<float>(mixed.begin() + half, mixed.end()) ==
        std::vector<float>(short_out.begin() + half, short_out.end()));

  const int32_t beams[] = {1, 1, 0};
  REQUIRE(cache.reorder(beams).has_value());
  CHECK(cache.batch() == 3);
  const auto ordered = look(attention, cache, stream);
  for (int64_t b = 0; b < 3; b++) {
    CHECK(std::vector<float>(ordered.begin() + b * half, ordered.begin() + (b + 1) * half) ==
          std::vector<float>(before.begin() + beams[b] * half,
                             before.begin() + (beams[b] + 1) * half));
  }
  REQUIRE(cache.truncate(0).has_value());
  CHECK(cache.longest() == 0);
  CHECK(cache.next_position(2) == 0);
  const auto nothing = look(attention, cache, stream);
  for (float value : nothing) CHECK(value == 0);
}

TEST_CASE("cache: sliding drops the oldest, keeps positions, and its memory stays bounded") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .capacity = 10}));
  int64_t bytes = 0;
  for (int64_t i = 0; i < 1000; i++) {
    const AttentionInputs in = stream.part(i % 40, 1);
    REQUIRE(cache.append({1, in.k, in.v, nullptr, {}}).has_value());
    REQUIRE(cache.slide(10).has_value());
    if (i == 100) bytes = cache.bytes();
  }
  CHECK(cache.bytes() == bytes);
  CHECK(cache.capacity() <= 20);
  CHECK(cache.positions(0).at(0) == 990);
  CHECK(cache.next_position(1) == 1000);
  // The same ten tokens put in at once.
  KvCache fresh = std::move(*KvCache::make(attention, {.batch = kBatch}));
  const AttentionInputs last = stream.part(30, 10);
  const Positions at[] = {Positions::range(990, 10)};
  REQUIRE(fresh.append({10, last.k, last.v, nullptr, at}).has_value());
  CHECK(look(attention, cache, stream) == look(attention, fresh, stream));

  // Rows of different length: only the longer one loses tokens.
  const int32_t counts[] = {2, 6};
  KvCache uneven = std::move(*KvCache::make(attention, {.batch = kBatch}));
  const AttentionInputs six = stream.part(0, 6);
  REQUIRE(uneven.append({6, six.k, six.v, counts, {}}).has_value());
  REQUIRE(uneven.slide(4).has_value());
  CHECK(uneven.length(0) == 2);
  CHECK(uneven.length(1) == 4);
  CHECK(uneven.positions(0).at(0) == 0);
  CHECK(uneven.positions(1).at(0) == 2);
}

TEST_CASE("cache: errors change nothing") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  check_error(KvCache::make(attention, {.batch = -1}).error(), ErrorCode::kOutOfRange, "batch");
  check_error(KvCache::make(attention, {.capacity = 9, .max_length = 8}).error(),
              ErrorCode::kOutOfRange, "capacity");
  KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .max_length = 12}));
  Rows out(12);
  REQUIRE(attention.forward(stream.part(0, 10), out.part(0), cache).has_value());
  const auto before = look(attention, cache, stream);
  const auto unchanged = [&] {
    CHECK(cache.length(0) == 10);
    CHECK(cache.next_position(0) == 10);
    CHECK(look(attention, cache, stream) == before);
  };
  check_error(attention.forward(stream.part(10, 3), out.part(0), cache).error(),
              ErrorCode::kOutOfRange, "k");
  unchanged();
  AttentionInputs bad = stream.part(10, 1);
  bad.mask = {AttentionMask::Kind::kBoolean, before.data(), Shape{12}};  // 11 keys
  check_error(attention.forward(bad, out.part(0), cache).error(), ErrorCode::kShapeMismatch,
              "mask");
  unchanged();
  const Positions nan[] = {Positions::range(NAN, 1)};
  bad = stream.part(10, 1);
  bad.k_positions = nan;
  check_error(attention.forward(bad, out.part(0), cache).error(), ErrorCode::kOutsideDomain,
              "positions.k");
  bad = stream.part(10, 1);
  bad.batch = 1;
  check_error(attention.forward(bad, out.part(0), cache).error(), ErrorCode::kShapeMismatch,
              "cache");
  unchanged();
  check_error(cache.truncate(-1).error(), ErrorCode::kOutOfRange, "length");
  const int32_t lengths[] = {3, 11}, rows[] = {0, 2};
  check_error(cache.truncate(lengths).error(), ErrorCode::kOutOfRange, "length");
  check_error(cache.truncate(std::span(lengths).first(1)).error(), ErrorCode::kShapeMismatch,
              "length");
  check_error(cache.reorder(rows).error(), ErrorCode::kOutOfRange, "rows");
  check_error(cache.slide(-1).error(), ErrorCode::kOutOfRange, "length");
  unchanged();
  const Attention other = attention_with({});
  check_error(other.forward(stream.part(10, 1), out.part(0), cache).error(),
              ErrorCode::kUnsupported, "cache");
  unchanged();
}

}  // namespace
}  // namespace posenc
