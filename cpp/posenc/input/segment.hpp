// Vectors of segments and modalities: PE = table[type of the token]. A position here is the type:
// sentence A or B (BERT), or text, image, sound. Devlin et al. 2018 (BERT). Beside it, a helper
// gives each modality a reserved range of another encoding's positions.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

struct SegmentOptions {
  int64_t dim = 0;
  int64_t types = 2;
};

class Segment : public EncodingBase<SegmentOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept {
    return {.kind = DomainKind::kNaturals, .limit = static_cast<double>(options_.types)};
  }
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
};

struct RangePositionsArguments {
  NumberList first, last;
};

// The n-th token of modality m in its row gets position first[m] + n.
Result<OperationResult> range_positions(const RangePositionsArguments& arguments,
                                        OperationTensors inputs) noexcept;

inline constexpr auto kSegmentFields = std::to_array<Field>({
    field<&SegmentOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&SegmentOptions::types>("types").least(1).most(0x1p24).shown(1, 16).about(
        "number of segments or modalities"),
});

inline constexpr auto kSegmentTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[types, dim]",
     .initialise = initialise_table,
     .doc = "a row per type",
     .initial_doc = "normal with deviation 0.02"},
});

inline constexpr auto kRangePositionsFields = std::to_array<Field>({
    field<&RangePositionsArguments::first>("first")
        .multiple(1)
        .least(0)
        .most(0x1p24)
        .required()
        .about("first position of each modality's range"),
    field<&RangePositionsArguments::last>("last")
        .multiple(1)
        .least(0)
        .most(0x1p24)
        .required()
        .about("last position of each modality's range, included"),
});

inline constexpr auto kRangePositionsInputs = std::to_array<OperationInput>({
    {.name = "types", .doc = "[.., n]: the modality of each token"},
});

inline constexpr auto kSegmentOperations = std::to_array<Operation>({
    operation<range_positions>(
        "rangePositions", kRangePositionsInputs, kRangePositionsFields,
        "positions of tokens where each modality has a range of its own, such as text 0 to 127 and "
        "image 128 to 255; ranges may not overlap",
        "a position per token: the n-th of a modality in its row gets first + n"),
});

inline constexpr Info Segment::info = {
    .id = "segment",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p24, .axes = 1},
    .fields = kSegmentFields,
    .tensors = kSegmentTensors,
    .operations = kSegmentOperations,
    .docs =
        {
            .title = "Segment",
            .summary = "One trained vector per kind of token, added to all tokens of that kind: "
                       "first or second sentence, text or "
                       "image. It says where a token comes from, not where it stands.",
            .paper = "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers, "
                     "section 3",
            .url = "https://arxiv.org/abs/1810.04805",
            .formula = "PE(t) = S_{t}, \\qquad S \\in \\mathbb{R}^{T \\times d}",
            .kind = "absolute",
            .extrapolates = "to any length, since it does not look at the place",
            .models = "BERT, ALBERT, ViLT, VisualBERT, UNITER, Perceiver IO",
            .good = "keeps parts of an input apart at almost no cost",
            .bad = "says nothing about order; a type never trained has no meaning",
            .tasks = "sentence pairs, multimodal input",
        },
};

}  // namespace posenc
