// Two levels: the vector of a block and the vector of the place within it, as chapter and page.
//   PE(p) = B[block of p] + I[p - start of that block], or the two side by side
// Blocks have one size, or begin where `boundaries` says. Bai et al. 2021 (Segatron) use such
// levels for paragraphs, sentences and tokens.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class BlockCombine : uint8_t { kSum, kConcat };
inline constexpr const char* kBlockCombineNames[] = {"sum", "concat"};

struct BlockOptions {
  int64_t dim = 0;
  int64_t block_size = 0;
  std::optional<int64_t> blocks = {};
  NumberList boundaries = {};
  BlockCombine combine = BlockCombine::kSum;
  std::optional<int64_t> block_dim = {}, inner_dim = {};
};

class Block : public EncodingBase<BlockOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(BlockOptions& options) noexcept;

 private:
  int64_t block_of(double position) const noexcept;
  int64_t start_of(int64_t block) const noexcept;
  int64_t inner_of(double position) const noexcept {
    return static_cast<int64_t>(position) - start_of(block_of(position));
  }
  // First column of the inner vector.
  int64_t second() const noexcept {
    return options_.combine == BlockCombine::kConcat ? *options_.block_dim : 0;
  }
};

// Positions of the tokens of blocks of those lengths, for an encoding of equal blocks.
Result<OperationResult> block_positions(const Block& encoding, const NoArguments&,
                                        OperationTensors inputs) noexcept;

inline constexpr auto kBlockFields = std::to_array<Field>({
    field<&BlockOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&BlockOptions::block_size>("blockSize")
        .least(1)
        .most(0x1p24)
        .required()
        .shown(2, 64)
        .about("places within a block; the longest block where they differ"),
    field<&BlockOptions::blocks>("blocks")
        .least(1)
        .most(0x1p24)
        .unless_given("as many as boundaries, or 64")
        .about("number of blocks"),
    field<&BlockOptions::boundaries>("boundaries")
        .multiple(1)
        .least(0)
        .most(0x1p31)
        .unless_given("blocks of equal size")
        .about("first position of each block: 0, then rising"),
    field<&BlockOptions::combine>("combine")
        .of(kBlockCombineNames)
        .about("the two vectors added, or side by side"),
    field<&BlockOptions::block_dim>("blockDim")
        .least(1)
        .most(1 << 20)
        .unless_given("dim for a sum, half of it side by side")
        .about("width of a block's vector"),
    field<&BlockOptions::inner_dim>("innerDim")
        .least(1)
        .most(1 << 20)
        .unless_given("dim for a sum, the rest side by side")
        .about("width of a place's vector"),
});

inline constexpr auto kBlockTensors = std::to_array<TensorInfo>({
    {.name = "blockTable",
     .shape = "[blocks, blockDim]",
     .initialise = initialise_table,
     .doc = "a row per block",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "innerTable",
     .shape = "[blockSize, innerDim]",
     .initialise = initialise_table,
     .doc = "a row per place within a block",
     .initial_doc = "normal with deviation 0.02"},
});

inline constexpr auto kBlockPositionsInputs = std::to_array<OperationInput>({
    {.name = "lengths", .doc = "[blocks]: how many tokens each block of a sequence has"},
});

inline constexpr auto kBlockOperations = std::to_array<Operation>({
    operation<block_positions>("positions", kBlockPositionsInputs, {},
                               "positions of the tokens of a sequence whose blocks have these "
                               "lengths, each no longer than "
                               "blockSize; for encodings without boundaries of their own",
                               "[sum of lengths]"),
});

inline constexpr Info Block::info = {
    .id = "block",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p53, .axes = 1},
    .fields = kBlockFields,
    .tensors = kBlockTensors,
    .operations = kBlockOperations,
    .docs =
        {
            .title = "Block",
            .summary = "Counts on two levels, like chapter and page: one trained vector says which "
                       "block a token is in, another its "
                       "place within the block. Blocks may be sentences, paragraphs or windows.",
            .paper = "Bai et al. 2021, Segatron: Segment-Aware Transformer for Language Modeling "
                     "and Understanding",
            .url = "https://arxiv.org/abs/2004.14996",
            .formula = "PE(p)=B_{b(p)}+I_{p-s_{b(p)}}",
            .kind = "absolute",
            .extrapolates = "no beyond the last block",
            .models = "Segatron, hierarchical document models",
            .good = "few rows for long inputs, and structure of the text made plain",
            .bad = "neighbours across a boundary look far apart",
            .tasks = "documents, dialogue, long sequences",
        },
};

}  // namespace posenc
