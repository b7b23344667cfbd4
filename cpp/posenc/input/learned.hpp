// A trained table with one row per position: PE(p) = table[p + offset].
// Gehring et al. 2017 and Devlin et al. 2018 (BERT); `offset` as in OPT, `paddingIndex` as in
// RoBERTa. Rows are copied, so that they are exact.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/padding.hpp"
#include "posenc/input/resample.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class LearnedExtend : uint8_t { kError, kClamp, kWrap };
inline constexpr const char* kLearnedExtendNames[] = {"error", "clamp", "wrap"};

struct LearnedOptions {
  int64_t dim = 0;
  int64_t max_length = 0;
  int64_t offset = 0;
  std::optional<int64_t> padding_index = {};
  LearnedExtend extend = LearnedExtend::kError;
};

class Learned : public EncodingBase<LearnedOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(LearnedOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  int64_t row_of(double position) const noexcept;

  AxisRange range_ = {};
};

inline constexpr auto kLearnedFields = std::to_array<Field>({
    field<&LearnedOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&LearnedOptions::max_length>("maxLength")
        .least(1)
        .most(0x1p31 - 1)
        .required()
        .shown(4, 512, true)
        .about("number of positions that have a row"),
    field<&LearnedOptions::offset>("offset").least(0).most(0x1p24).about(
        "rows in front of that of position 0 (2 in OPT, where padding at position -1 reads the "
        "second)"),
    field<&LearnedOptions::padding_index>("paddingIndex")
        .least(0)
        .most("maxLength")
        .about("position of padding, whose row gets no gradient (1 in RoBERTa, where tokens count "
               "from 2)"),
    field<&LearnedOptions::extend>("extend")
        .of(kLearnedExtendNames)
        .about("what positions outside the table are: an error, the nearest position that has a "
               "row, or its remainder"),
});

inline constexpr auto kLearnedTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[maxLength + offset, dim]",
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           const auto& given = *static_cast<const LearnedOptions*>(options);
           initialise_table(options, values, random);
           if (!given.padding_index) return;
           const int64_t row = *given.padding_index + given.offset;
           for (int64_t c = 0; c < given.dim; c++)
             values[static_cast<std::size_t>(row * given.dim + c)] = 0;
         },
     .doc = "a row per position",
     .initial_doc = "normal with deviation 0.02; zeros for padding"},
});

inline constexpr auto kLearnedOperations =
    std::to_array<Operation>({kTokenPositions, kResample, kResampleBackward});

inline constexpr Info Learned::info = {
    .id = "learned",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kIntegers, .limit = 0x1p53, .axes = 1},
    .fields = kLearnedFields,
    .tensors = kLearnedTensors,
    .operations = kLearnedOperations,
    .docs =
        {
            .title = "Learned",
            .summary = "A table with one row per position, trained like the word embeddings. The "
                       "model finds out for itself "
                       "what it wants to know about position 17.",
            .paper = "Gehring et al. 2017, Convolutional Sequence to Sequence Learning, section "
                     "3.1; Devlin et al. 2018, BERT",
            .url = "https://arxiv.org/abs/1705.03122",
            .formula = "PE(p) = E_{p + o}, \\qquad E \\in \\mathbb{R}^{(L + o) \\times d}",
            .kind = "absolute",
            .extrapolates = "no: there is no row beyond the table; it can be resampled to a longer "
                            "one and trained on",
            .models =
                "BERT, RoBERTa, GPT, GPT-2, OPT, BART, CLIP's text encoder, Whisper's decoder",
            .good = "simple, fast, learns whatever the data have",
            .bad = "a fixed longest length, rows near the end are seldom trained, one more table "
                   "to store",
            .tasks = "classification, language models of fixed length, retrieval",
        },
};

}  // namespace posenc
