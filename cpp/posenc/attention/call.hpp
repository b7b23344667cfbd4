// A call resolved: for each batch row how many keys count, where its queries stand and which
// positions hold.
#pragma once

#include <cstdint>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/mask.hpp"

namespace posenc::attn {

struct CallRow {
  int64_t batch_row = 0;
  int64_t keys = 0;      // those below the row's length
  int64_t offset = 0;    // place of query 0 among the keys
  Positions query, key;  // of q_len queries and `keys` keys
  double reached = 0;    // largest key position + 1
};

// With `every_key` those beyond the row's length count too, for scores that are written out where
// they are hidden.
CallRow resolve_row(const Attention& attention, const AttentionInputs& inputs, int64_t batch_row,
                    bool every_key = false) noexcept;
// What the products of a head are multiplied with: `scale`, and for cosines also
// exp(min(logit_scale, ln 100)).
double head_scale(const AttentionOptions& options, const AttentionInputs& inputs,
                  int64_t head) noexcept;
HeadMask head_mask(const AttentionOptions& options, const AttentionInputs& inputs,
                   const CallRow& row, int64_t head) noexcept;

// What one encoding reads for one batch row.
Relations relations_of(const AttentionInputs& inputs, int64_t encoding, int64_t batch_row) noexcept;

// Everything that can be wrong with the inputs of a call; `with_values` where v is read.
Status check_inputs(const Attention& attention, const AttentionInputs& inputs,
                    bool with_values = true, bool every_key = false) noexcept;
// missingOption where memory that the call reads or writes was not given.
Status check_given(const void* data, int64_t count, const char* parameter) noexcept;
// Elements of [batch, heads, length, width], checked.
Result<int64_t> elements(int64_t batch, int64_t heads, int64_t length, int64_t width,
                         const char* parameter) noexcept;
// One entry for all rows or one per row, each of `count` positions; or none.
Status check_position_entries(std::span<const Positions> entries, int64_t batch, int64_t count,
                              const char* parameter) noexcept;

}  // namespace posenc::attn
