#include "posenc/attention/cache.hpp"

#include "attention/cache_setup.hpp"
#include "posenc/relative/shaw.hpp"
#include "relative/support.hpp"
#include "support/adapted.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using namespace testing::cache;
using testing::check_close;

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
        Rows whole(150), steps(150);
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

TEST_CASE("cache: whole = prefix + one by one at widths and lengths around that of a vector") {
  for (const auto& [dim, value_dim] : testing::awkward_pairs()) {
    for (int64_t length : testing::awkward_sizes()) {
      CAPTURE(dim);
      CAPTURE(value_dim);
      CAPTURE(length);
      const testing::PlainRotary rotary(dim, dim / 2 * 2, PairLayout::kInterleaved);
      auto alibi = testing::adapted<Alibi>({.heads = 2});
      auto shaw = testing::relative_encoding<Shaw>(
          {.head_dim = dim, .value_dim = value_dim, .left = 3, .queries = true});
      testing::Setup setup;
      setup.options = {.heads = 2,
                       .kv_heads = 1,
                       .head_dim = dim,
                       .value_dim = value_dim,
                       .causal = Causal::kBottomRight};
      setup.batch = 2, setup.q_len = setup.k_len = length;
      setup.packed = dim < value_dim;
      setup.fill(static_cast<uint64_t>(dim + length));
      setup.encodings = {&alibi, shaw.get()};
      if (dim > 1) setup.encodings.push_back(const_cast<testing::PlainRotary*>(&rotary));
      const auto whole = testing::run_forward(setup).out;
      for (CacheKeys keys : {CacheKeys::kRotated, CacheKeys::kRaw}) {
        const auto cached = testing::run_cached(setup, keys, std::min(length, testing::lanes()));
        CHECK(testing::largest_error(cached, whole) <= 1e-6);
      }
    }
  }
}

TEST_CASE(
    "cache: raw keys follow angles that depend on the length reached, rotated ones keep theirs") {
  Encodings encodings(true);
  const Attention attention = attention_with(encodings.list);
  const Stream stream(30);
  for (CacheKeys keys : {CacheKeys::kRaw, CacheKeys::kRotated}) {
    KvCache cache = std::move(*KvCache::make(attention, {.batch = kBatch, .keys = keys}));
    for (int64_t i = 0; i < 30; i++) {
      Rows step(1), whole(i + 1);
      REQUIRE(attention.forward(stream.part(i, 1), step.part(0), cache).has_value());
      REQUIRE(attention.forward(stream.part(0, i + 1), whole.part(0)).has_value());
      const auto last = [&](const Rows& r) {
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
  Rows first(9);
  REQUIRE(attention.forward(prompt, first.part(0), cache).has_value());
  CHECK(cache.length(0) == 5);
  CHECK(cache.length(1) == 9);
  CHECK(cache.next_position(0) == 5);
  std::vector<Rows> steps;
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
        const Rows& from = i < length ? first : steps[size(i - length)];
        const float* got =
            from.out.data() + ((b * kHeads + h) * from.length + (i < length ? i : 0)) * kValueDim;
        check_close(std::vector<float>(got, got + kValueDim),
                    std::vector<float>(rows.row(0, h, i), rows.row(0, h, i) + kValueDim), 1e-6,
                    "row");
      }
    }
  }
}

TEST_CASE("cache: given positions, also with gaps") {
  Encodings encodings;
  const Attention attention = attention_with(encodings.list);
  const Stream stream(40);
  std::vector<double> positions = {0, 1, 2, 10, 11.5, 12, 13, 3, 4, 40};
  const Positions entry[] = {Positions::array(positions.data(), 10)};
  AttentionInputs in = stream.part(0, 10);
  in.q_positions = in.k_positions = entry;
  Rows whole(10), steps(10);
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

}  // namespace
}  // namespace posenc
