// Swin v2's continuous bias: a small network turns the offset between two places into a number per
// head.
//   bias_h = 16 · sigmoid(w2_h · max(0, w1 · c + b1)),  c = sign(o) · log2(|o| + 1) / log2(8),  o =
//   8 · offset / (size - 1)
// for each axis, with the size of the window, or of the one that the network was trained with. Liu
// et al. 2022, "Swin Transformer V2: Scaling Up Capacity and Resolution", §3.3, and the authors'
// code. Coordinates are formed in double; the numbers of all offsets are kept until the weights
// change.
#pragma once

#include <array>
#include <cmath>

#include "posenc/bias/window_operations.hpp"
#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"

namespace posenc {

struct SwinV2Options {
  int64_t heads = 0;
  WindowSize window = {}, pretrained = {};
  int64_t hidden = 512;
};

class SwinV2 : public EncodingBase<SwinV2Options> {
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

  Status prepare() noexcept;
  const Buffer<float>& coordinates() const noexcept {
    return coordinates_;
  }  // [offsets, 2]: rows, columns

  enum Tensor { kW1, kB1, kW2 };

 private:
  void make_table() const noexcept;
  // The hidden layer of `rows` offsets from `first` on, into hidden_; before its bend into
  // d_hidden_.
  void make_hidden(int64_t first, int64_t rows) const noexcept;

  Buffer<float> coordinates_;
  // Kept between calls, since every window and head of a batch reads the same: an instance serves
  // one thread.
  mutable Buffer<float> table_;  // [offsets, heads]
  mutable uint64_t table_version_ = 0;
  mutable Buffer<float> hidden_, d_hidden_;  // a few rows of the hidden layer
};

Result<OperationResult> swin_v2_index(const SwinV2& swin, const NoArguments&,
                                      OperationTensors) noexcept;
Result<OperationResult> swin_v2_coordinates(const SwinV2& swin, const NoArguments&,
                                            OperationTensors) noexcept;
Result<OperationResult> swin_v2_shift_mask(const SwinV2& swin, const ShiftMaskArguments& arguments,
                                           OperationTensors) noexcept;

inline constexpr auto kSwinV2Fields = std::to_array<Field>({
    field<&SwinV2Options::heads>("heads").least(1).most(4096).required().shown(1, 32).about(
        "number of attention heads H"),
    field<&SwinV2Options::window, &WindowSize::height>("window.height")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 16)
        .about("rows of a window"),
    field<&SwinV2Options::window, &WindowSize::width>("window.width")
        .least(1)
        .most(1024)
        .required()
        .shown(1, 16)
        .about("columns of a window"),
    field<&SwinV2Options::pretrained, &WindowSize::height>("pretrainedWindow.height")
        .least(0)
        .most(1024)
        .about("rows of the window that the network was trained with; 0: this one"),
    field<&SwinV2Options::pretrained, &WindowSize::width>("pretrainedWindow.width")
        .least(0)
        .most(1024)
        .about("columns of the window that the network was trained with; 0: this one"),
    field<&SwinV2Options::hidden>("hidden").least(1).most(1 << 16).shown(4, 512).about(
        "width of the network's hidden layer"),
});

// Uniform in ±1/sqrt(inputs), as PyTorch's Linear begins.
inline void swin_v2_linear(double inputs, std::span<float> out, Random& random) noexcept {
  for (float& value : out)
    value = static_cast<float>((2 * random.uniform() - 1) / std::sqrt(inputs));
}

inline constexpr auto kSwinV2Tensors = std::to_array<TensorInfo>({
    {.name = "w1",
     .shape = "[hidden, 2]",
     .initialise = [](const void*, std::span<float> out,
                      Random& random) noexcept { swin_v2_linear(2, out, random); },
     .doc = "weights of the hidden layer: of the row and of the column coordinate",
     .initial_doc = "uniform in ±1 / sqrt(2)"},
    {.name = "b1",
     .shape = "[hidden]",
     .initialise = [](const void*, std::span<float> out,
                      Random& random) noexcept { swin_v2_linear(2, out, random); },
     .doc = "offsets of the hidden layer",
     .initial_doc = "uniform in ±1 / sqrt(2)"},
    {.name = "w2",
     .shape = "[heads, hidden]",
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           swin_v2_linear(static_cast<double>(static_cast<const SwinV2Options*>(options)->hidden),
                          out, random);
         },
     .doc = "weights of each head's output",
     .initial_doc = "uniform in ±1 / sqrt(hidden)"},
});

inline constexpr auto kSwinV2Operations = std::to_array<Operation>({
    operation<swin_v2_index>("index", {}, {},
                             "the offset that each pair of places has, as an index",
                             "[places, places]"),
    operation<swin_v2_coordinates>(
        "coordinates", {}, {}, "the log-spaced coordinates of all offsets, what the network reads",
        "[2 window.height - 1, 2 window.width - 1, 2]: rows, then columns"),
    operation<swin_v2_shift_mask>(
        "shiftMask", {}, kShiftMaskFields,
        "the additive mask for windows of an image that was rolled: places that rolling "
        "brought together do not see each other",
        "[windows, 1, places, places], windows row by row: a mask for attention"),
});

inline constexpr Info SwinV2::info = {
    .id = "swinV2",
    .family = Family::kBias,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p20, .axes = 1},
    .fields = kSwinV2Fields,
    .tensors = kSwinV2Tensors,
    .operations = kSwinV2Operations,
    .docs =
        {
            .title = "Swin v2 continuous bias",
            .summary = "Instead of a table, a small network reads the offset between two places on "
                       "a logarithmic scale, so "
                       "that it can be used with windows larger than those it was trained with.",
            .paper = "Liu et al. 2022, Swin Transformer V2: Scaling Up Capacity and Resolution, "
                     "section 3.3",
            .url = "https://arxiv.org/abs/2111.09883",
            .formula =
                "b_h = 16\\,\\sigma\\!\\left(w_{2,h}\\cdot\\max(0, W_1 c + b_1)\\right),\\quad "
                "c = \\mathrm{sign}(o)\\,\\frac{\\log_2(|o|+1)}{\\log_2 8}",
            .kind = "relative",
            .extrapolates = "to larger windows with little extrapolation of the coordinate, thanks "
                            "to its logarithm",
            .models = "Swin v2, Swin2SR",
            .good = "one network for windows of all sizes",
            .bad = "more parameters than a table; the bias lies between 0 and 16",
            .tasks = "image classification, detection and segmentation at several resolutions",
        },
};

}  // namespace posenc
