#include "posenc/input/block.hpp"

#include <algorithm>

namespace posenc {
namespace {

Status check_boundaries(const BlockOptions& options) noexcept {
  const NumberList& starts = options.boundaries;
  if (starts.size() == 0) return {};
  if (starts.size() != *options.blocks) {
    return fail(ErrorCode::kShapeMismatch, "boundaries", text_of(starts.size(), " numbers"),
                text_of("blocks, which is ", *options.blocks));
  }
  if (starts[0] != 0)
    return fail(ErrorCode::kOutOfRange, "boundaries", text_of(starts[0], " at index 0"), "0");
  for (int64_t i = 1; i < starts.size(); i++) {
    const double length = starts[i] - starts[i - 1];
    if (length >= 1 && length <= static_cast<double>(options.block_size)) continue;
    return fail(ErrorCode::kOutOfRange, "boundaries",
                text_of(starts[i], " at index ", i, ", a block of ", length),
                text_of("rising numbers, blocks of 1 to blockSize, which is ", options.block_size));
  }
  return {};
}

}  // namespace

Status Block::resolve(BlockOptions& options) noexcept {
  if (!options.blocks)
    options.blocks = options.boundaries.size() > 0 ? options.boundaries.size() : 64;
  const bool sum = options.combine == BlockCombine::kSum;
  const int64_t dim = options.dim;
  if (!options.block_dim)
    options.block_dim = sum ? dim : options.inner_dim ? dim - *options.inner_dim : (dim + 1) / 2;
  if (!options.inner_dim) options.inner_dim = sum ? dim : dim - *options.block_dim;
  const int64_t width = sum ? *options.block_dim : *options.block_dim + *options.inner_dim;
  if (width != dim || *options.inner_dim < 1 || *options.block_dim < 1 ||
      (sum && *options.inner_dim != dim)) {
    return fail(
        ErrorCode::kShapeMismatch, "blockDim",
        text_of(*options.block_dim, " with innerDim ", *options.inner_dim),
        text_of(sum ? "both dim, which is " : "widths of 1 or more whose sum is dim, which is ",
                dim));
  }
  return check_boundaries(options);
}

int64_t Block::start_of(int64_t block) const noexcept {
  return options_.boundaries.size() > 0 ? static_cast<int64_t>(options_.boundaries[block])
                                        : block * options_.block_size;
}

int64_t Block::block_of(double position) const noexcept {
  const auto starts = options_.boundaries.span();
  if (starts.empty()) return static_cast<int64_t>(position) / options_.block_size;
  return std::upper_bound(starts.begin(), starts.end(), position) - starts.begin() - 1;
}

PositionDomain Block::domain() const noexcept {
  const double limit = static_cast<double>(start_of(*options_.blocks - 1)) +
                       static_cast<double>(options_.block_size);
  return {.kind = DomainKind::kNaturals, .limit = limit};
}

void Block::encode(const Positions& positions, float* out) const noexcept {
  if (positions.count == 0) return;
  const auto block = [&](int64_t i) { return block_of(positions.at(i)); };
  const auto inner = [&](int64_t i) { return inner_of(positions.at(i)); };
  gather_rows(parameters_.values("blockTable"), *options_.block_dim, positions.count, block, out,
              options_.dim);
  const auto write = options_.combine == BlockCombine::kSum ? add_gathered_rows<decltype(inner)>
                                                            : gather_rows<decltype(inner)>;
  write(parameters_.values("innerTable"), *options_.inner_dim, positions.count, inner,
        out + second(), options_.dim);
}

void Block::backward(const Positions& positions, const float* d_out,
                     Gradients& gradients) const noexcept {
  if (positions.count == 0) return;
  scatter_rows(
      gradients.of[0], *options_.block_dim, positions.count,
      [&](int64_t i) { return block_of(positions.at(i)); }, d_out, options_.dim);
  scatter_rows(
      gradients.of[1], *options_.inner_dim, positions.count,
      [&](int64_t i) { return inner_of(positions.at(i)); }, d_out + second(), options_.dim);
}

Result<OperationResult> block_positions(const Block& encoding, const NoArguments&,
                                        OperationTensors inputs) noexcept {
  const BlockOptions& options = encoding.options();
  if (options.boundaries.size() > 0) {
    return fail(ErrorCode::kUnsupported, "lengths", "lengths of blocks",
                "an encoding without boundaries of its own");
  }
  const auto lengths = inputs[0].data;
  if (static_cast<int64_t>(lengths.size()) > *options.blocks) {
    return fail(ErrorCode::kShapeMismatch, "lengths",
                text_of(static_cast<int64_t>(lengths.size()), " blocks"),
                text_of("at most blocks, which is ", *options.blocks));
  }
  double total = 0;
  for (std::size_t i = 0; i < lengths.size(); i++) {
    const double length = lengths[i];
    const bool fits = length >= 0 && length <= static_cast<double>(options.block_size);
    if (!fits || length != static_cast<double>(static_cast<int64_t>(length))) {
      return fail(ErrorCode::kOutOfRange, "lengths",
                  text_of(length, " at index ", static_cast<int64_t>(i)),
                  text_of("whole numbers from 0 to blockSize, which is ", options.block_size));
    }
    const double last =
        static_cast<double>(i) * static_cast<double>(options.block_size) + length - 1;
    if (Status status = check_float_position(last, "lengths", static_cast<int64_t>(i)); !status)
      return std::unexpected(status.error());
    total += length;
  }
  Result<OperationResult> result =
      OperationResult::make({static_cast<int64_t>(std::min(total, 0x1p53))}, "lengths");
  if (!result) return result;
  float* out = result->data.data();
  for (std::size_t i = 0; i < lengths.size(); i++) {
    for (int64_t t = 0; t < static_cast<int64_t>(lengths[i]); t++) {
      *out++ = static_cast<float>(static_cast<int64_t>(i) * options.block_size + t);
    }
  }
  return result;
}

}  // namespace posenc
