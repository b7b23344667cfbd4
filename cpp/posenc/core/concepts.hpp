// The families as concepts: what a class must offer to enter attention at that place.
// Everything here is noexcept and allocates nothing; checks were done when the encoding was made or
// called. What room a call needs, an encoding holds from when it was made: one call of an encoding
// at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "posenc/core/bias_head.hpp"
#include "posenc/core/info.hpp"
#include "posenc/core/parameters.hpp"
#include "posenc/core/positions.hpp"

namespace posenc {

template <typename T>
concept AnyEncoding = requires(T& encoding) {
  typename T::Options;
  { T::info } -> std::convertible_to<const Info&>;
  { encoding.parameters() } -> std::same_as<ParameterSet&>;
};

// positions → rows. encode() writes [count, width]; domain() is info.domain narrowed by the
// options. Of no positions, here and in all that follows, addresses may be null: none is formed of
// them.
template <typename T>
concept Input =
    AnyEncoding<T> && requires(const T& encoding, const Positions& positions, float* out) {
      { encoding.width() } noexcept -> std::same_as<int64_t>;
      { encoding.encode(positions, out) } noexcept;
    };

// Adds to `gradients` what d_out [count, width] says about the parameters.
template <typename T>
concept TrainableInput = Input<T> && requires(const T& encoding, const Positions& positions,
                                              const float* d_out, Gradients& gradients) {
  { encoding.backward(positions, d_out, gradients) } noexcept;
};

// Rows that depend on x itself and on where its tokens stand: encode() writes [count, width] from x
// [count, width]. backward() adds to `gradients`, and writes the gradient of x where d_x is not
// null.
template <typename T>
concept ContentInput =
    AnyEncoding<T> && requires(const T& encoding, const Positions& positions, const float* x,
                               float* out, Gradients& gradients) {
      { encoding.width() } noexcept -> std::same_as<int64_t>;
      { encoding.encode(positions, x, out) } noexcept;
      { encoding.backward(positions, x, x, out, gradients) } noexcept;
    };

// How the channels of a head pair up: m with m + d/2, or 2m with 2m + 1.
enum class PairLayout : uint8_t { kHalf, kInterleaved };
inline constexpr const char* kPairLayoutNames[] = {"half", "interleaved"};

enum class RotarySide : uint8_t { kQuery, kKey };
inline constexpr const char* kRotarySideNames[] = {"query", "key"};

// Of an encoding that also scales q and k, as xPos does: both, or one of the two.
enum class RotaryPart : uint8_t { kWhole, kTurn, kFade };

struct RotaryContext {
  RotarySide side = RotarySide::kQuery;
  double reached =
      0;  // the length reached, largest position + 1: what `dynamic` and `longrope` look at
  RotaryPart part = RotaryPart::kWhole;
  std::optional<double> centre =
      {};  // the position that is not scaled, instead of the encoding's own
};

// q, k → rotated. table() writes the factors cos·scale and sin·scale, [count, rotary_dim / 2] each.
template <typename T>
concept Rotary = AnyEncoding<T> && requires(const T& encoding, const Positions& positions,
                                            const RotaryContext& context, float* out) {
  { encoding.head_dim() } noexcept -> std::same_as<int64_t>;
  { encoding.rotary_dim() } noexcept -> std::same_as<int64_t>;
  { encoding.layout() } noexcept -> std::same_as<PairLayout>;
  { encoding.table(positions, context, out, out) } noexcept;
};

// Scales queries by factors that grow with the position and keys by the inverse. fade() writes the
// factors of a distance, query - key, [rotary_dim / 2]; table_domain() is where the factors of
// single positions fit floats.
template <typename T>
concept FadingRotary = Rotary<T> && requires(const T& encoding, double distance, float* out) {
  { encoding.fade(distance, out) } noexcept;
  { encoding.table_domain() } noexcept -> std::same_as<PositionDomain>;
};

// A number on the score that depends on head and key - query alone. evaluate() writes the bias for
// `count` distances (key position - query position).
template <typename T>
concept DistanceBias =
    AnyEncoding<T> &&
    requires(const T& encoding, int64_t head, const double* distances, int64_t count, float* out) {
      { encoding.heads() } noexcept -> std::same_as<int64_t>;
      { encoding.evaluate(head, distances, count, out) } noexcept;
    };

// Adds to `gradients` what the gradient of the biases at those distances says about the parameters.
template <typename T>
concept TrainableDistanceBias =
    DistanceBias<T> && requires(const T& encoding, int64_t head, const double* distances,
                                int64_t count, const float* d_bias, Gradients& gradients) {
      { encoding.backward(head, distances, count, d_bias, gradients) } noexcept;
    };

// A number on the score that head, query and key decide together: by where each stands, or by a
// relation that the caller gives for the pair. begin() prepares what one head needs; evaluate()
// writes the bias of one query for row.count keys. An encoding that reads relations says how many
// ids there are: relations().
template <typename T>
concept PairBias =
    AnyEncoding<T> && requires(const T& encoding, const Positions& positions, const BiasHead& head,
                               const PairRow& row, float* out) {
      { encoding.heads() } noexcept -> std::same_as<int64_t>;
      { encoding.scratch_floats(positions, positions) } noexcept -> std::same_as<int64_t>;
      { encoding.begin(head) } noexcept;
      { encoding.evaluate(head, row, out) } noexcept;
    };

// backward() takes in the gradient of such a row; finish() adds what was summed in head.sums.
template <typename T>
concept TrainablePairBias =
    PairBias<T> && requires(const T& encoding, const BiasHead& head, const PairRow& row,
                            const float* d_bias, Gradients& gradients) {
      { encoding.backward(head, row, d_bias, gradients) } noexcept;
      { encoding.finish(head, gradients) } noexcept;
    };

}  // namespace posenc
