// What relative terms add to the scores of a tile: products of its queries, or of its keys, with
// the rows of all distances that it has, read along its diagonals.
#include <algorithm>

#include "posenc/attention/relative.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rows.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::attn {

using kernels::kBundle;
using kernels::kPanel;
using kernels::kTile;

// Up to this many queries of a tile, single products cost less than two whole blocks of them.
constexpr int64_t kFewKeyRows = 8;

// [queries, kTile]: the tile of queries, or of gradients of outputs, times the rows of a block.
const float* RelativePass::query_products(Term& term, int64_t block, const float* left) noexcept {
  float* products = term.products.block(block);
  if (term.products.made(block)) return products;
  term.products.states[block] = 1;
  make_rows(term, block);
  const int64_t count = term.range.rows_of(block);
  if (!by_rows_)
    kernels::multiply(left, columns(term, block), queries_, count, term.width, products, kTile);
  for (int64_t i = 0; by_rows_ && i < queries_; i++) {
    kernels::dot_rows(plain(term, block), term.width, count, left + i * term.width, term.width,
                      products + i * kTile);
  }
  for (int64_t i = 0; term.bias && i < queries_; i++) {
    kernels::add(term.bias + place(term, block) * kTile, count, products + i * kTile);
  }
  return products;
}

// [kTile, keys]: the rows of a block that the tile meets, times its keys.
const float* RelativePass::key_products(Term& term, int64_t block, const ScoreTile& tile,
                                        const float* keys) noexcept {
  float* products = term.products.block(block);
  if (term.products.made(block)) return products;
  term.products.states[block] = 1;
  make_rows(term, block);
  const RowRange met = rows_met(term.info, term.range, row_, tile, block);
  const float* bundles = term.bundles + (place(term, block) * kTile + met.begin) * term.width;
  kernels::multiply(bundles, keys, met.end - met.begin, tile.keys, term.width,
                    products + met.begin * kTile, kTile);
  return products;
}

void RelativePass::add_query_term(Term& term, const ScoreTile& tile, const float* left,
                                  float* scores) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      const float* from = query_products(term, run.block(), left) + i * kTile + run.place();
      float* to = scores + i * tile.stride + run.column;
      if (run.step == 0)
        kernels::add_number(*from, run.count, to);
      else
        kernels::add(from, run.count, to);
    }
  }
}

// Of few queries, whose keys meet few of a block's rows each.
void RelativePass::add_key_products(Term& term, const ScoreTile& tile, const float* keys,
                                    float* scores) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      make_rows(term, run.block());
      const float* bundles = term.bundles + place(term, run.block()) * kTile * term.width;
      float* to = scores + i * tile.stride;
      for (int64_t j = 0; j < run.count; j++) {
        const int64_t row = run.place() + j * run.step, column = run.column + j;
        to[column] += kernels::multiply_one(bundles, keys, row, column, term.width);
      }
    }
  }
}

void RelativePass::add_key_term(Term& term, const ScoreTile& tile, const float* keys,
                                float* scores) noexcept {
  if (tile.queries <= kFewKeyRows) return add_key_products(term, tile, keys, scores);
  term.products.clear();
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      const float* from =
          key_products(term, run.block(), tile, keys) + run.place() * kTile + run.column;
      float* to = scores + i * tile.stride + run.column;
      if (run.step == 0)
        kernels::add(from, run.count, to);
      else
        for (int64_t j = 0; j < run.count; j++) to[j] += from[j * (kTile + 1)];
    }
  }
}

void RelativePass::add_contextual(Term& term, const ScoreTile& tile, const HeadMask& mask,
                                  float* scores) noexcept {
  gates_.open(tile, mask, scores);
  for (int64_t b = 0; b < term.range.blocks(); b++) query_products(term, b, query_);
  for (int64_t i = 0; i < tile.queries; i++) {
    for (int64_t j = 0; j < tile.keys; j++) {
      const GateCounter::Place place = gates_.place(i, j);
      const float low = term.products.at(i, place.low), high = term.products.at(i, place.high);
      scores[i * tile.stride + j] += low + place.share * (high - low);
    }
  }
}

void RelativePass::add_scores(const ScoreTile& tile, const float* keys, const HeadMask& mask,
                              float* scores) noexcept {
  for (Term& term : terms()) {  // gates look at the products alone
    if (term.info.contextual) add_contextual(term, tile, mask, scores);
  }
  for (Term& term : terms()) {
    if (term.info.contextual) continue;
    if (term.info.side == RelativeSide::kQuery)
      add_query_term(term, tile, term.factored ? term.moved : query_, scores);
    if (term.info.side == RelativeSide::kKey) add_key_term(term, tile, keys, scores);
  }
}

void RelativePass::add_key_rows(Term& term, const ScoreTile& tile, const RowsIn& keys,
                                float* scores) noexcept {
  for (int64_t i = 0; i < tile.queries; i++) {
    for (const DistanceRun& run : DistanceRuns(term.info, term.range, row_, tile.first_query + i,
                                               tile.first_key, tile.keys)) {
      make_rows(term, run.block());
      const float* row = plain(term, run.block()) + run.place() * term.width;
      const float* key = keys.data + run.column * keys.stride;
      float* to = scores + i * tile.stride + run.column;
      for (int64_t j = 0; j < run.count; j++, row += run.step * term.width, key += keys.stride) {
        to[j] += kernels::dot(row, key, term.width);
      }
    }
  }
}

void RelativePass::add_scores(const ScoreTile& tile, const RowsIn& keys, float* scores) noexcept {
  for (Term& term : terms()) {
    if (term.info.side == RelativeSide::kQuery)
      add_query_term(term, tile, term.factored ? term.moved : query_, scores);
    if (term.info.side == RelativeSide::kKey) add_key_rows(term, tile, keys, scores);
  }
}

}  // namespace posenc::attn
