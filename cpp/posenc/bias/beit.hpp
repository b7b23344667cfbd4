// BEiT's relative position bias: Swin's table for one window over the whole image, with a class
// token in front.
//   patch to patch   table[(y_i - y_j + height - 1)(2 width - 1) + (x_i - x_j + width - 1), h]
//   then three rows  class to patch, patch to class, class to itself
// Bao et al. 2022, "BEiT: BERT Pre-Training of Image Transformers", §2.4, and the authors' code.
// Token 0 is the class token, patch i is token i + 1. The bias is a number of the table, bit for
// bit.
#pragma once

#include <array>

#include "posenc/bias/window_operations.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct BeitOptions {
  int64_t heads = 0;
  WindowSize window = {};
};

class Beit : public EncodingBase<BeitOptions> {
 public:
  static const Info info;

  int64_t heads() const noexcept { return options_.heads; }
  Window window() const noexcept { return {options_.window.height, options_.window.width, true}; }
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

Result<OperationResult> beit_index(const Beit& beit, const NoArguments&, OperationTensors) noexcept;

inline constexpr auto kBeitFields = std::to_array<Field>({
    field<&BeitOptions::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&BeitOptions::window, &WindowSize::height>("window.height")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 14)
        .about("rows of patches of the image"),
    field<&BeitOptions::window, &WindowSize::width>("window.width")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 14)
        .about("columns of patches of the image"),
});

inline constexpr auto kBeitTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[(2 * window.height - 1) * (2 * window.width - 1) + 3, heads]",
     .doc =
         "bias of each offset in each head, then class to patch, patch to class, class to itself",
     .initial_doc = "zeros"},
});

inline constexpr auto kBeitOperations = std::to_array<Operation>({
    operation<beit_index>("index", {}, {}, "the row of the table that each pair of tokens reads",
                          "[1 + patches, 1 + patches]"),
    kWindowResize<ClassWindowResizeArguments>,
    kWindowResizeBackward<ClassWindowResizeArguments>,
});

inline constexpr Info Beit::info = {
    .id = "beit",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p20 + 1, .axes = 1},
    .fields = kBeitFields,
    .tensors = kBeitTensors,
    .operations = kBeitOperations,
    .docs =
        {
            .title = "BEiT window bias",
            .summary = "Every offset between two patches of an image has a learned number per "
                       "head, and the class token, "
                       "which stands nowhere, has three of its own.",
            .paper = "Bao et al. 2022, BEiT: BERT Pre-Training of Image Transformers, section 2.4",
            .url = "https://arxiv.org/abs/2106.08254",
            .formula = "b_h(i,j) = t_{(y_i-y_j,\\;x_i-x_j),\\,h}",
            .kind = "relative",
            .extrapolates = "by resizing the table to the new grid of patches",
            .models = "BEiT, BEiT v2, Data2Vec-vision",
            .good = "direction in two axes with a class token",
            .bad = "one grid per table; another image size needs a resized table",
            .tasks = "image classification, segmentation, masked image modelling",
        },
};

}  // namespace posenc
