// Multimodal RoPE: RoPE whose pairs listen to time, height or width, by sections. Text has all
// three equal and turns as RoPE turns it, to the last bit; the tokens of an image or video have a
// frame, a row and a column.
//   pair m turns by p_{a(m)} · w_m, w_m RoPE's frequency, a(m) the axis of its section:
//   chunked      the first s_0 pairs axis 0, the next s_1 axis 1, ...
//   interleaved  pair m has axis m mod n while m < n · s_{m mod n}, else axis 0
// Wang et al. 2024, "Qwen2-VL" (chunked); Bai et al. 2025, "Qwen3-VL" (interleaved).
// Factors within 2e-7 · amplitude of the exact value for |p| ≤ 2^24, never outside [-amplitude,
// amplitude].
#pragma once

#include <array>
#include <cstddef>

#include "posenc/rotary/axes.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {

enum class SectionOrder : uint8_t { kChunked, kInterleaved };
inline constexpr const char* kSectionOrderNames[] = {"chunked", "interleaved"};

struct MropeOptions {
  RopeOptions rope = {};  // stands first: RoPE's fields reach their members in here
  NumberList sections = {};
  SectionOrder order = SectionOrder::kChunked;
};
static_assert(offsetof(MropeOptions, rope) == 0);

inline constexpr auto kMropeOwnFields = std::to_array<Field>({
    field<&MropeOptions::sections>("sections")
        .least(0)
        .multiple(1)
        .unless_given(
            "Qwen's shares of three: 2 : 3 : 3 where chunked, 6 : 5 : 5 where interleaved")
        .about("how many pairs listen to each axis, time, height and width (mrope_section); they "
               "add up to rotaryDim / 2"),
    field<&MropeOptions::order>("order")
        .of(kSectionOrderNames)
        .about("whether the pairs of an axis stand together (chunked: Qwen2-VL, GLM-4V) or take "
               "turns with the others "
               "(interleaved: Qwen3-VL)"),
});
// RoPE's, and these in front of them.
inline constexpr auto kMropeFields = [] {
  std::array<Field, kMropeOwnFields.size() + kRopeFields.size()> fields;
  std::size_t next = 0;
  for (const Field& own : kMropeOwnFields) fields[next++] = own;
  for (const Field& shared : kRopeFields) fields[next++] = shared;
  return fields;
}();

class Mrope : public EncodingBase<MropeOptions> {
 public:
  static const Info info;

  static Status resolve(MropeOptions& options) noexcept;
  Status prepare() noexcept;

  PositionDomain domain() const noexcept {
    return {.axes = static_cast<int>(options_.sections.size()), .lone = LonePosition::kEqual};
  }
  int64_t head_dim() const noexcept { return options_.rope.head_dim; }
  int64_t rotary_dim() const noexcept { return *options_.rope.rotary_dim; }
  PairLayout layout() const noexcept { return options_.rope.layout; }
  bool rotates_values() const noexcept { return options_.rope.values; }
  bool depends_on_reach() const noexcept;
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept;

  const PairAxes& pair_axes() const noexcept { return pairs_; }

 private:
  RopeFrequencies frequencies_;
  PairAxes pairs_;
};

Result<OperationResult> mrope_frequencies(const Mrope& rope, const RopeReachArguments& arguments,
                                          OperationTensors inputs) noexcept;
Result<OperationResult> mrope_attention_factor(const Mrope& rope,
                                               const RopeReachArguments& arguments,
                                               OperationTensors inputs) noexcept;
Result<OperationResult> mrope_axis_of_pairs(const Mrope& rope, const NoArguments& arguments,
                                            OperationTensors inputs) noexcept;

struct MultimodalArguments {
  double start = 0;
};
inline constexpr auto kMultimodalFields = std::to_array<Field>({
    field<&MultimodalArguments::start>("start").about(
        "position of the first token, where the sequence goes on"),
});
inline constexpr auto kMultimodalInputs = std::to_array<OperationInput>({
    {.name = "parts",
     .doc = "[n, 3] or [n, 4]: the parts of the sequence in order, n tokens of text as [n, 0, 0], "
            "an image or video as "
            "[frames, rows, columns] of its tokens; a fourth number is the step in time from one "
            "frame to the next (1)"},
});
// [tokens, 3]
Result<OperationResult> multimodal_positions(const MultimodalArguments& arguments,
                                             OperationTensors inputs) noexcept;

inline constexpr auto kMropeOperations = std::to_array<Operation>({
    operation<multimodal_positions>(
        "positions", kMultimodalInputs, kMultimodalFields,
        "positions (time, height, width) of a sequence of text, images and videos: text counts "
        "on, a picture starts there on all axes, and what follows it starts after the largest",
        "[tokens, 3], what apply and attention take as positions"),
    operation<mrope_frequencies>("frequencies", {}, kRopeReachFields,
                                 "inverse frequencies after scaling",
                                 "[rotaryDim / 2], in radians per position"),
    operation<mrope_attention_factor>("attentionFactor", {}, kRopeReachFields,
                                      "what cos and sin are multiplied with", "[1]"),
    operation<mrope_axis_of_pairs>("axisOfPairs", {}, {}, "the axis that each pair listens to",
                                   "[rotaryDim / 2]"),
});

inline constexpr Info Mrope::info = {
    .id = "mrope",
    .family = Family::kRotary,
    .domain = {.kind = DomainKind::kReals,
               .limit = 0x1p53,
               .axes = 3,
               .lone = LonePosition::kEqual},
    .fields = kMropeFields,
    .operations = kMropeOperations,
    .docs =
        {
            .title = "M-RoPE",
            .summary = "RoPE for text, images and video in one sequence: some pairs turn by the "
                       "frame, some by the row, some by the "
                       "column. For text the three are equal, and nothing changes.",
            .paper = "Wang et al. 2024, Qwen2-VL: Enhancing Vision-Language Model's Perception of "
                     "the World at Any Resolution",
            .url = "https://arxiv.org/abs/2409.12191",
            .formula = "\\text{pair }m\\text{ turns by }p_{a(m)}\\,\\theta_m,\\qquad "
                       "p=(t,h,w),\\quad \\theta_m=b^{-2m/d}",
            .kind = "relative",
            .extrapolates = "as RoPE does; pictures take fewer positions than tokens, which leaves "
                            "room for long videos",
            .models = "Qwen2-VL, Qwen2.5-VL, Qwen3-VL, Qwen2.5-Omni, GLM-4V",
            .good = "one rotation for text and pictures, the text part of a trained model "
                    "unchanged, no parameters",
            .bad = "chunked sections give height and width slow pairs only; positions have to be "
                   "made for every sequence",
            .tasks = "vision language models, video understanding",
        },
};

}  // namespace posenc
