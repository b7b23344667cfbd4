#include "posenc/input/padding.hpp"

#include <cmath>

namespace posenc {
namespace {

Status check_tokens(const TokenPositionsArguments& arguments,
                    std::span<const double> tokens) noexcept {
  const bool ids = arguments.padding_index.has_value();
  for (std::size_t i = 0; i < tokens.size(); i++) {
    const double token = tokens[i];
    const bool known =
        ids ? std::isfinite(token) && token == std::floor(token) : token == 0 || token == 1;
    if (known) continue;
    return fail(ErrorCode::kOutOfRange, "tokens",
                text_of(token, " at index ", static_cast<int64_t>(i)),
                ids ? "whole numbers, the ids of tokens"
                    : "0 and 1, or token ids together with paddingIndex");
  }
  return {};
}

}  // namespace

Result<OperationResult> token_positions(const TokenPositionsArguments& arguments,
                                        OperationTensors inputs) noexcept {
  const TensorView<const double>& tokens = inputs[0];
  if (tokens.shape.rank == 0) {
    return fail(ErrorCode::kShapeMismatch, "tokens", "a single number", "rows of tokens [.., n]");
  }
  if (Status status = check_tokens(arguments, tokens.data); !status)
    return std::unexpected(status.error());
  Result<OperationResult> result = OperationResult::make(tokens.shape, "tokens");
  if (!result) return result;
  const bool ids = arguments.padding_index.has_value();
  const double padding = ids ? static_cast<double>(*arguments.padding_index) : -1;
  const double padding_token = ids ? padding : 0;
  const int64_t length = tokens.shape.back(0);
  double next = 0;
  for (int64_t i = 0; i < result->data.size(); i++) {
    if (i % length == 0) next = padding + 1 + static_cast<double>(arguments.start);
    const bool real = tokens.data[static_cast<std::size_t>(i)] != padding_token;
    const double position = real ? next++ : padding;
    if (Status status = check_float_position(position, "tokens", i); !status)
      return std::unexpected(status.error());
    result->data[i] = static_cast<float>(position);
  }
  return result;
}

}  // namespace posenc
