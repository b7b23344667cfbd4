#include "posenc/attention/cache.hpp"

#include <cmath>
#include <numeric>

#include "attention/setup.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::check_error;
using testing::random_floats;
using testing::Setup;

constexpr int64_t kHeads = 4, kKvHeads = 2, kDim = 8, kValueDim = 6, kBatch = 2;

std::size_t size(int64_t count) { return static_cast<std::size_t>(count); }

// Random tokens of `length` for every row, of which calls take parts.
struct Stream {
  explicit Stream(int64_t length)
      : length(length), q(random_floats(size(kBatch * kHeads * length * kDim), 1)),
        k(random_floats(size(kBatch * kKvHeads * length * kDim), 2)),
        v(random_floats(size(kBatch * kKvHeads * length * kValueDim), 3)) {}

  // Inputs that begin at token `first`.
  AttentionInputs part(int64_t first, int64_t count) const {
    AttentionInputs in;
    in.batch = kBatch, in.q_len = count, in.k_len = count;
    in.q = HeadRows<const float>::heads(q.data(), kHeads, length, kDim);
    in.k = HeadRows<const float>::heads(k.data(), kKvHeads, length, kDim);
    in.v = HeadRows<const float>::heads(v.data(), kKvHeads, length, kValueDim);
    in.q.data += first * kDim, in.k.data += first * kDim, in.v.data += first * kValueDim;
    return in;
  }

  int64_t length;
  std::vector<float> q, k, v;
};

struct Result {
  explicit Result(int64_t length)
      : length(length), out(size(kBatch * kHeads * length * kValueDim), NAN) {}
  AttentionOutputs part(int64_t first) {
    auto rows = HeadRows<float>::heads(out.data(), kHeads, length, kValueDim);
    rows.data += first * kValueDim;
    return {rows, nullptr};
  }
  int64_t length;
  std::vector<float> out;
};

struct Encodings {
  explicit Encodings(bool stretch = false)
      : rotary(kDim, kDim, PairLayout::kHalf, false, stretch),
        alibi(std::move(*make<Alibi>({.heads = kHeads}))), list{&rotary, &alibi} {}
  testing::PlainRotary rotary;
  DistanceBiasAdapter<Alibi> alibi;
  std::vector<Encoding*> list;
};

Attention attention_with(std::span<Encoding* const> encodings, AttentionOptions options = {}) {
  options.heads = kHeads, options.kv_heads = kKvHeads, options.head_dim = kDim,
  options.value_dim = kValueDim;
  if (options.causal == Causal::kOff) options.causal = Causal::kBottomRight;
  return std::move(*Attention::make(options, encodings));
}

TEST_CASE(
    "cache: whole = prefix + one by one, rotated and raw, with every kind of encoding and a "
    "window") {
  const Stream stream(150);
  double largest = 0;
  Encodings encodings;
  for (int which = 0; which < 4; which++) {
    const auto list = std::span<Encoding* const>(encodings.list)
                          .subspan(which / 2, which % 2 + (which < 2 ? 1 : 0));
    for (bool windowed : {false, true}) {
      for (CacheKeys keys : {CacheKeys::kRotated, CacheKeys::kRaw}) {
        AttentionOptions options;
        if (windowed) options.window_left = 20;
        const Attention attention = attention_with(list, options);
        Result whole(150), steps(150);
        REQUIRE(attention.forward(stream.part(0, 150), whole.part(0)).has_value());
        KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .keys = keys}));
        int64_t at = 0;
        for (int64_t count : {70, 1, 1, 5, 3, 64, 1, 2, 1, 1, 1}) {
          REQUIRE(attention.forward(stream.part(at, count), steps.part(at), cache).has_value());
          at += count;
          if (windowed) REQUIRE(cache.slide(64).has_value());
        }
        REQUIRE(at == 150);
        const double error = testing::largest_error(steps.out, whole.out);
        CHECK(error <= 1e-6);
        largest = std::max(largest, error);
        CHECK(cache.next_position(1) == 150);
        CHECK(cache.length(0) == (windowed ? 64 : 150));
      }
    }
  }
  MESSAGE("largest difference " << largest);
}

TEST_CASE(
    "cache: raw keys follow angles that depend on the length reached, rotated ones keep theirs") {
  Encodings encodings(true);
  const Attention attention = attention_with(encodings.list);
  const Stream stream(30);
  for (CacheKeys keys : {CacheKeys::kRaw, CacheKeys::kRotated}) {
    KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .keys = keys}));
    for (int64_t i = 0; i < 30; i++) {
      Result step(1), whole(i + 1);
      REQUIRE(attention.forward(stream.part(i, 1), step.part(0), cache).has_value());
      REQUIRE(attention.forward(stream.part(0, i + 1), whole.part(0)).has_value());
      const auto last = [&](const Result& r) {
        return std::vector<float>(r.out.begin() + (r.length - 1) * kValueDim,
                                  r.out.begin() + r.length * kValueDim);
      };
      const double error = testing::largest_error(last(step), last(whole));
      if (keys == CacheKeys::kRaw)
        CHECK(error <= 1e-6);
      else if (i == 29)
        CHECK(error > 1e-4);
    }
  }
}

TEST_CASE("cache: rows of different length") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch}));
  // A prompt of 5 tokens in row 0 and of 9 in row 1, padded to 9 on the right; then 4 tokens one by
  // one.
  AttentionInputs prompt = stream.part(0, 9);
  const int32_t counts[] = {5, 9};
  prompt.key_lengths = counts;
  Result first(9);
  REQUIRE(attention.forward(prompt, first.part(0), cache).has_value());
  CHECK(cache.length(0) == 5);
  CHECK(cache.length(1) == 9);
  CHECK(cache.next_position(0) == 5);
  std::vector<Result> steps;
  for (int64_t i = 0; i < 4; i++) {
    REQUIRE(
        attention.forward(stream.part(9 + i, 1), steps.emplace_back(1).part(0), cache).has_value());
  }
  // Each row alone, without padding.
  for (int64_t b = 0; b < kBatch; b++) {
    CAPTURE(b);
    const int64_t length = counts[b];
    std::vector<float> q, k, v;
    const auto gather = [&](std::vector<float>& to, const std::vector<float>& from, int64_t heads,
                            int64_t dim) {
      for (int64_t h = 0; h < heads; h++) {
        for (int64_t i = 0; i < length + 4; i++) {
          const int64_t token = i < length ? i : 9 + i - length;
          const auto row = from.begin() + ((b * heads + h) * 40 + token) * dim;
          to.insert(to.end(), row, row + dim);
        }
      }
    };
    gather(q, stream.q, kHeads, kDim), gather(k, stream.k, kKvHeads, kDim),
        gather(v, stream.v, kKvHeads, kValueDim);
    AttentionInputs alone;
    alone.batch = 1, alone.q_len = alone.k_len = length + 4;
    alone.q = HeadRows<const float>::heads(q.data(), kHeads, length + 4, kDim);
    alone.k = HeadRows<const float>::heads(k.data(), kKvHeads, length + 4, kDim);
    alone.v = HeadRows<const float>::heads(v.data(), kKvHeads, length + 4, kValueDim);
    std::vector<float> out(size(kHeads * (length + 4) * kValueDim));
    const auto rows = HeadRows<float>::heads(out.data(), kHeads, length + 4, kValueDim);
    REQUIRE(attention.forward(alone, {rows, nullptr}).has_value());
    for (int64_t h = 0; h < kHeads; h++) {
      for (int64_t i = 0; i < length + 4; i++) {
        const Result& from = i < length ? first : steps[size(i - length)];
        const float* got =
            from.out.data() + ((b * kHeads + h) * from.length + (i < length ? i : 0)) * kValueDim;
        check_close(std::vector<float>(got, got + kValueDim),
                    std::vector<float>(rows.row(0, h, i), rows.row(0, h, i) + kValueDim), 1e-6,
                    "row");
      }
    }
  }
}

// What one step over the cache gives, without appending.
std::vector<float> look(const Attention& attention, KvCache& cache, const Stream& stream) {
  AttentionInputs query = stream.part(30, 1);
  query.batch = cache.batch();
  std::vector<float> out(size(cache.batch() * kHeads * kValueDim));
  std::vector<float> q;
  for (int64_t n = 0; n < cache.batch() * kHeads; n++) {
    q.insert(q.end(), stream.q.begin(), stream.q.begin() + kDim);
  }
  query.q = HeadRows<const float>::heads(q.data(), kHeads, 1, kDim);
  REQUIRE(attention
              .forward(cache.inputs(query),
                       {HeadRows<float>::heads(out.data(), kHeads, 1, kValueDim), nullptr})
              .has_value());
  return out;
}

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

TEST_CASE("cache: given positions, also with gaps") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  std::vector<double> positions = {0, 1, 2, 10, 11.5, 12, 13, 3, 4, 40};
  const Positions entry[] = {Positions::array(positions.data(), 10)};
  AttentionInputs in = stream.part(0, 10);
  in.q_positions = in.k_positions = entry;
  Result whole(10), steps(10);
  REQUIRE(attention.forward(in, whole.part(0)).has_value());
  KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch}));
  for (int64_t i = 0; i < 10; i++) {
    const Positions one[] = {entry[0].slice(i, 1)};
    AttentionInputs step = stream.part(i, 1);
    step.k_positions = one;  // queries take those of the keys
    REQUIRE(attention.forward(step, steps.part(i), cache).has_value());
  }
  CHECK(testing::largest_error(steps.out, whole.out) <= 1e-6);
  CHECK(cache.next_position(0) == 41);
}

TEST_CASE("cache: errors change nothing") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  check_error(KvCache::make(attention, {.batch = -1}).error(), ErrorCode::kOutOfRange, "batch");
  check_error(KvCache::make(attention, {.capacity = 9, .max_length = 8}).error(),
              ErrorCode::kOutOfRange, "capacity");
  KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .max_length = 12}));
  Result out(12);
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
