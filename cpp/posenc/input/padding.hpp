// Positions of tokens in rows that may be padded: the n-th real token of a row has position start +
// n, wherever padding stands, so that a left-padded row gives what the row without its padding
// gives.
//   from an attention mask   start + (real tokens before), padding -1                (OPT)
//   from token ids           paddingIndex + 1 + start + (real tokens before), padding paddingIndex
//   (fairseq, RoBERTa)
#pragma once

#include <array>

#include "posenc/core/operation.hpp"

namespace posenc {

struct TokenPositionsArguments {
  std::optional<int64_t> padding_index = {};
  int64_t start = 0;
};

inline constexpr auto kTokenPositionsFields = std::to_array<Field>({
    field<&TokenPositionsArguments::padding_index>("paddingIndex")
        .least(0)
        .most(0x1p24)
        .unless_given("a mask is given")
        .about("the id of padding tokens; positions then count from the number after it, as "
               "fairseq and RoBERTa do"),
    field<&TokenPositionsArguments::start>("start").least(0).most(0x1p24).about(
        "how many real tokens of each row came before, as with a cache"),
});

inline constexpr auto kTokenPositionsInputs = std::to_array<OperationInput>({
    {.name = "tokens",
     .doc =
         "[.., n]: an attention mask of 1 (token) and 0 (padding), or token ids with paddingIndex"},
});

// [.., n], as the tokens.
Result<OperationResult> token_positions(const TokenPositionsArguments& arguments,
                                        OperationTensors inputs) noexcept;

// The operation as encodings list it.
inline constexpr Operation kTokenPositions = operation<token_positions>(
    "positions", kTokenPositionsInputs, kTokenPositionsFields,
    "positions of the tokens of padded rows, left or right: padding is not counted",
    "a position per token; that of padding is -1 for a mask and paddingIndex for ids");

}  // namespace posenc
