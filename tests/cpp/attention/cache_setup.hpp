// Tokens, encodings and outputs of the tests of caches.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "attention/setup.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "support/compare.hpp"

namespace posenc::testing::cache {

inline constexpr int64_t kHeads = 4, kKvHeads = 2, kDim = 8, kValueDim = 6, kBatch = 2;

inline std::size_t size(int64_t count) { return static_cast<std::size_t>(count); }

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

struct Rows {
  explicit Rows(int64_t length)
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
  PlainRotary rotary;
  DistanceBiasAdapter<Alibi> alibi;
  std::vector<Encoding*> list;
};

inline Attention attention_with(std::span<Encoding* const> encodings,
                                AttentionOptions options = {}) {
  options.heads = kHeads, options.kv_heads = kKvHeads, options.head_dim = kDim,
  options.value_dim = kValueDim;
  if (options.causal == Causal::kOff) options.causal = Causal::kBottomRight;
  return std::move(*Attention::make(options, encodings));
}

// What one step over the cache gives, without appending.
inline std::vector<float> look(const Attention& attention, KvCache& cache, const Stream& stream) {
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

}  // namespace posenc::testing::cache
