// Swin's relative position bias: one trained number per head and offset between two places of a
// window.
//   bias_h(i, j) = table[(y_i - y_j + height - 1)(2 width - 1) + (x_i - x_j + width - 1), h]
// Liu et al. 2021, "Swin Transformer", equation 4 and the authors' code. Token i is place i of the
// window, row by row. The bias is a number of the table, bit for bit.
#pragma once

#include <array>

#include "posenc/bias/window_operations.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct SwinOptions {
  int64_t heads = 0;
  WindowSize window = {};
  double deviation = 0.02;
};

class Swin : public EncodingBase<SwinOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  Window window() const noexcept { return {options_.window.height, options_.window.width}; }
  PositionDomain domain() const noexcept;
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept {
    return window().scratch_floats(query, key);
  }
  void begin(const BiasHead& head) const noexcept;
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept {
    window().evaluate(head, row, out);
  }
  void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                Gradients&) const noexcept {
    window().accumulate(head, row, d_bias);
  }
  void finish(const BiasHead& head, Gradients& gradients) const noexcept;
};

Result<OperationResult> swin_index(const Swin& swin, const NoArguments&, OperationTensors) noexcept;
Result<OperationResult> swin_shift_mask(const Swin& swin, const ShiftMaskArguments& arguments,
                                        OperationTensors) noexcept;

inline constexpr auto kSwinFields = std::to_array<Field>({
    field<&SwinOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&SwinOptions::window, &WindowSize::height>("window.height")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 14)
        .about("rows of a window"),
    field<&SwinOptions::window, &WindowSize::width>("window.width")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 14)
        .about("columns of a window"),
    field<&SwinOptions::deviation>("deviation")
        .least(0)
        .most(100)
        .about("deviation of the normal numbers that the table begins with"),
});

inline constexpr auto kSwinTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[(2 * window.height - 1) * (2 * window.width - 1), heads]",
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           const double deviation = static_cast<const SwinOptions*>(options)->deviation;
           for (float& value : out) value = static_cast<float>(deviation * random.normal());
         },
     .doc = "bias of each offset in each head: offsets row by row, from the first place minus the "
            "last",
     .initial_doc = "normal numbers of the given deviation"},
});

inline constexpr auto kSwinOperations = std::to_array<Operation>({
    operation<swin_index>("index", {}, {}, "the row of the table that each pair of places reads",
                          "[places, places]"),
    operation<swin_shift_mask>(
        "shiftMask", {}, kShiftMaskFields,
        "the additive mask for windows of an image that was rolled: places that rolling brought "
        "together do not see each other",
        "[windows, 1, places, places], windows row by row: a mask for attention"),
    kWindowResize<WindowResizeArguments>,
    kWindowResizeBackward<WindowResizeArguments>,
});

inline constexpr Info Swin::info = {
    .id = "swin",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p20, .axes = 1},
    .fields = kSwinFields,
    .tensors = kSwinTensors,
    .operations = kSwinOperations,
    .docs =
        {
            .title = "Swin window bias",
            .summary = "An image is cut into small windows, attention stays inside each, and every "
                       "offset between two places "
                       "of a window has a learned number per head.",
            .paper = "Liu et al. 2021, Swin Transformer: Hierarchical Vision Transformer using "
                     "Shifted Windows, section 3.2",
            .url = "https://arxiv.org/abs/2103.14030",
            .formula = "b_h(i,j) = t_{(y_i-y_j,\\;x_i-x_j),\\,h}",
            .kind = "relative",
            .extrapolates = "not within a window; the table can be resized to another window, and "
                            "any number of windows works",
            .models = "Swin, Video Swin, MaskFormer's and Donut's encoders, SwinIR",
            .good = "knows direction in two axes, few parameters, exact for windows that are not "
                    "square",
            .bad = "bound to the window's size",
            .tasks = "image classification, detection, segmentation, restoration",
        },
};

}  // namespace posenc
