// The family `relative`: terms of the score, and of the value, that look at the content. A term has
// a vector, its row, for every whole distance key - query; what the rows are multiplied with is a
// query, a key, or the weights:
//   score_ij = scale · ((q_i + u)·k_j + Σ query terms ((q_i + u)·r_d + c_d) + Σ key terms k_j·r_d),
//   d = j - i out_i = Σ_j weight_ij (v_j + Σ value terms r_d)
// Rows of a contextual term are those of positions that the content counts, see below.
// Attention asks for rows by distance, multiplies them tile by tile, and hands back the gradient of
// the rows.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "posenc/core/encoding.hpp"

namespace posenc {

enum class RelativeSide : uint8_t { kQuery, kKey, kValue };
inline constexpr const char* kRelativeSideNames[] = {"query", "key", "value"};

struct RelativeTerm {
  RelativeSide side = RelativeSide::kQuery;
  int axis = 0;  // the coordinate of positions whose distance counts
  // Distances below and above have the row of these.
  int64_t lowest = -kFar, highest = kFar;
  bool has_bias = false;  // a number c_d per row; query terms only
  bool scaled = true;     // false: this term is not multiplied by the attention's scale
  // A query term whose distance is the sum of the gates σ(scale · q_i·k_t) of the visible keys t
  // from j on, at most `highest`; its row lies between those of the whole numbers around it.
  // `lowest` is 0.
  bool contextual = false;
  bool gates_scaled = true;  // false: σ(q_i·k_t)
  static constexpr int64_t kFar = int64_t{1} << 32;
};
inline constexpr int kMaxRelativeTerms = 4;
// Positions of these encodings are whole numbers up to this magnitude, so that sizes made of their
// differences fit.
inline constexpr double kRelativeLimit = 0x1p30;

// Rows of one term, of distances first, first + 1, ...; at most kRelativeRows of them.
struct RelativeRows {
  int term;
  int64_t first, count;
};
inline constexpr int64_t kRelativeRows = 64;

// heads() is 0 where all heads, however many, have the same rows. write() writes rows [heads or 1,
// count, width] and, where the term has them, biases [heads or 1, count]; distances beyond lowest
// and highest may be among them.
template <typename T>
concept Relative =
    AnyEncoding<T> && requires(const T& encoding, const RelativeRows& rows, float* out) {
      { encoding.heads() } noexcept -> std::same_as<int64_t>;
      { encoding.head_dim() } noexcept -> std::same_as<int64_t>;
      { encoding.terms() } noexcept -> std::same_as<std::span<const RelativeTerm>>;
      { encoding.write(rows, out, out, out) } noexcept;
    };

// Adds to `gradients` what the gradients of one head's rows [count, width] and biases [count] say
// about the parameters.
template <typename T>
concept TrainableRelative =
    Relative<T> && requires(const T& encoding, const RelativeRows& rows, int64_t head,
                            const float* d_rows, float* scratch, Gradients& gradients) {
      { encoding.backward(rows, head, d_rows, d_rows, scratch, gradients) } noexcept;
    };

// Query terms whose rows are a matrix per head times features of the distance that all heads share,
//   r_d = W f_d, c_d = o·r_d.
// Queries up to about head_dim are moved to the features, where (Wᵀ (q + factor · o))·f_d is q·r_d
// + factor · c_d: that takes one product per query in place of one for every distance.
template <typename T>
concept FactoredRelative = Relative<T> && requires(const T& encoding, const RelativeRows& rows,
                                                   int64_t head, const float* query, float* out) {
  { encoding.feature_width(rows.term) } noexcept -> std::same_as<int64_t>;  // 0: no such term
  { encoding.write_features(rows, out) } noexcept;                // [count, feature_width]
  { encoding.move_query(head, query, 1.0F, out, out) } noexcept;  // the last is for scratch
};

class RelativeEncoding : public Encoding {
 public:
  virtual int64_t heads() const noexcept = 0;
  virtual int64_t head_dim() const noexcept = 0;
  virtual int64_t value_dim() const noexcept = 0;  // width of the rows of value terms
  virtual std::span<const RelativeTerm> terms() const noexcept = 0;
  virtual int64_t scratch_floats() const noexcept = 0;  // what write() and backward() want
  virtual void write(const RelativeRows& rows, float* out, float* bias,
                     float* scratch) const noexcept = 0;
  virtual void backward(const RelativeRows& rows, int64_t head, const float* d_rows,
                        const float* d_bias, float* scratch,
                        Gradients& gradients) const noexcept = 0;
  // See FactoredRelative.
  virtual int64_t feature_width(int term) const noexcept = 0;
  virtual void write_features(const RelativeRows& rows, float* out) const noexcept = 0;
  virtual void move_query(int64_t head, const float* query, float factor, float* out,
                          float* scratch) const noexcept = 0;
  // Attention's scale is 1 / sqrt(head_dim · this) unless it is given.
  virtual int64_t scale_terms() const noexcept = 0;
  // u [heads, head_dim], or null.
  virtual const float* query_offsets() const noexcept = 0;
  virtual void offset_backward(int64_t head, const float* d_offset,
                               Gradients& gradients) const noexcept = 0;
};

}  // namespace posenc
