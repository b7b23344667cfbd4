// The relative encoding of an attention at work on one head. Rows are made and packed as tiles meet
// them; a tile of queries is multiplied with a block of rows once, and all tiles of keys take their
// scores from there, shifted by distance. Nothing grows with queries x keys: products are kept for
// one tile of queries.
#pragma once

#include <array>
#include <cstdint>

#include "posenc/attention/distances.hpp"
#include "posenc/attention/gates.hpp"
#include "posenc/attention/packed.hpp"
#include "posenc/attention/scratch.hpp"

namespace posenc::attn {

// Blocks of kTile x kTile floats, each made when it is first asked for.
struct Strip {
  float* data = nullptr;
  float* states = nullptr;  // per block: not 0 once it is made
  int64_t blocks = 0;

  void lay_out(Carver& carver, int64_t count) noexcept;
  void clear() noexcept;
  bool made(int64_t block) const noexcept { return states[block] != 0; }
  float* block(int64_t index) const noexcept {
    return data + index * kernels::kTile * kernels::kTile;
  }
  // The block, zeros at first.
  float* sums(int64_t index) noexcept;
  // Line i, column `row` counted over all blocks.
  float& at(int64_t i, int64_t row) const noexcept {
    return block(row / kernels::kTile)[i * kernels::kTile + row % kernels::kTile];
  }
};

class RelativePass {
 public:
  // kRows is for few queries, where nothing is packed; no contextual terms then. kBeforeBackward
  // makes scores in the way that kBackward does, which takes the lse: else weights would be off by
  // what two ways of rounding make of large scores.
  enum class Mode : uint8_t { kForward, kRows, kBeforeBackward, kBackward };
  // With `every_key` also those beyond a row's length, as in resolve_row().
  RelativePass(const Attention& attention, const AttentionInputs& inputs, Mode mode,
               bool every_key = false) noexcept;
  void lay_out(Carver& carver) noexcept;

  void begin_row(const CallRow& row) noexcept;
  void begin_head(int64_t head) noexcept;
  // rows [queries, head_dim] += scale · u
  void add_offset(float* rows, int64_t queries) const noexcept;
  // A tile of queries, scaled and in bundles (as rows in kRows); in a backward pass the gradient of
  // its outputs too.
  void begin_queries(const float* query, int64_t queries, const float* d_out = nullptr) noexcept;
  // Whether the tiles of keys have to come from the last to the first: gates are counted from
  // there.
  bool right_to_left() const noexcept { return contextual_; }
  // scores += the terms of the queries and keys; `keys` are those of the tile as columns.
  void add_scores(const ScoreTile& tile, const float* keys, const HeadMask& mask,
                  float* scores) noexcept;
  void add_scores(const ScoreTile& tile, const RowsIn& keys, float* scores) noexcept;
  // Takes in weights for the value terms; those taken before are multiplied by `factors` where
  // given.
  void take_weights(const ScoreTile& tile, const float* weights, const float* factors) noexcept;
  // out += Σ weights · rows of the value terms
  void add_values(int64_t queries, float* out, int64_t out_stride) noexcept;

  // The backward pass. Where tiles go right to left, they do so once for their gates alone, from
  // products of queries and keys; all else goes left to right.
  void count_gates(const ScoreTile& tile, const HeadMask& mask, const float* products) noexcept {
    gates_.count(tile, mask, products);
  }
  // d_weights += d_out · rows of the value terms
  void add_weight_gradient(const ScoreTile& tile, float* d_weights) noexcept;
  // The keys of a tile, as rows to multiply with; `sparse` where some that hold NaN are hidden.
  struct Keys {
    const float* rows;
    bool sparse;
    float* dk;
    int64_t dk_stride;
  };
  // d_scores += what gates say of the products of queries and keys.
  void take_score_gradient(const ScoreTile& tile, float* d_scores, const Keys& keys) noexcept;
  // dq += what the terms say; query and d_out as rows to multiply with.
  void end_queries(int64_t queries, float* dq, int64_t dq_stride, const float* query_rows,
                   const float* d_out_rows) noexcept;
  void end_head(Gradients& gradients) noexcept;

 private:
  struct Term {
    RelativeTerm info;
    int index = 0;
    int64_t heads = 1;  // that have rows of their own
    int64_t width = 0, row_floats = 0;
    bool factored = false;              // rows are features, and queries moved to them
    float factor = 1, bias_factor = 1;  // on rows and biases
    DistanceRange range;
    int64_t blocks = 0;  // room for
    // [heads or 1, blocks], packed by block: to multiply queries or d_out with, to multiply keys,
    // to multiply with.
    float *columns = nullptr, *bundles = nullptr, *rows = nullptr, *bias = nullptr;
    float* plain =
        nullptr;  // instead of these for few queries: [blocks], each as write() leaves it
    float* moved = nullptr;  // the queries, where rows are features; in bundles, or rows in kRows
    float* made = nullptr;   // per block
    Strip products;          // of queries (or d_out) and rows, or of rows and keys
    Strip sums;              // of weights or gradients of scores, by row
    float *d_rows = nullptr, *d_bias = nullptr;  // of this head
    float* d_made = nullptr;
  };

  std::span<Term> terms() noexcept {
    return std::span(terms_).first(static_cast<std::size_t>(count_));
  }
  int64_t place(const Term& term, int64_t block) const noexcept {
    return (term.heads == 1 ? 0 : head_) * term.blocks + block;
  }
  float* columns(const Term& term, int64_t block) const noexcept {
    return term.columns + place(term, block) * kernels::kTile * term.width;
  }
  float* rows(const Term& term, int64_t block) const noexcept {
    return term.rows + place(term, block) * kernels::kTile * term.row_floats;
  }
  const float* plain(const Term& term, int64_t block) const noexcept {
    const int64_t head = term.heads == 1 ? 0 : head_;
    return term.plain +
           (block * term.heads * kernels::kTile + head * term.range.rows_of(block)) * term.width;
  }
  float* d_rows(Term& term, int64_t block) noexcept;  // zeros at first
  void lay_out_term(Carver& carver, Term& term) noexcept;
  void move_queries(Term& term) noexcept;
  void make_rows(Term& term, int64_t block) noexcept;
  const float* query_products(Term& term, int64_t block, const float* left) noexcept;
  const float* key_products(Term& term, int64_t block, const ScoreTile& tile,
                            const float* keys) noexcept;
  void add_query_term(Term& term, const ScoreTile& tile, const float* left, float* scores) noexcept;
  void add_key_products(Term& term, const ScoreTile& tile, const float* keys,
                        float* scores) noexcept;
  void add_key_rows(Term& term, const ScoreTile& tile, const RowsIn& keys, float* scores) noexcept;
  void add_key_term(Term& term, const ScoreTile& tile, const float* keys, float* scores) noexcept;
  void add_contextual(Term& term, const ScoreTile& tile, const HeadMask& mask,
                      float* scores) noexcept;
  void take_contextual(Term& term, const ScoreTile& tile, float* d_scores) noexcept;
  void take_by_row(Term& term, const ScoreTile& tile, const float* values) noexcept;
  void take_by_key(Term& term, const ScoreTile& tile, const float* d_scores,
                   const Keys& keys) noexcept;
  void hand_back(Term& term, Gradients& gradients) noexcept;

  const RelativeEncoding* encoding_;
  const Attention& attention_;
  const AttentionInputs& inputs_;
  bool backward_, by_rows_, every_key_, contextual_ = false;
  GateCounter gates_;
  std::array<Term, kMaxRelativeTerms> terms_;
  int count_ = 0;
  int64_t row_heads_ = 1;
  float scale_;
  CallRow row_;
  int64_t head_ = 0, queries_ = 0;
  const float *query_ = nullptr, *d_out_ = nullptr;
  float *chunk_ = nullptr, *chunk_bias_ = nullptr, *scratch_ = nullptr, *ones_ = nullptr,
        *query_row_ = nullptr, *d_offset_ = nullptr;
};

}  // namespace posenc::attn
