// Sine rows of several coordinates: each axis gets an equal part of the columns and fills it with
// the sinusoidal row of its coordinate.
//   part of axis a: sin(p_a · w_i), cos(p_a · w_i), w_i = base^(-2i / e), e = 2·ceil(d / (2·axes))
//   columns per axis
// Where d is no multiple of 2·axes, the columns that are too many are cut off at the end. With
// `parts` the axes have widths e of their own (V-JEPA: half for time, a quarter each for rows and
// columns). Carion et al. 2020 (DETR), He et al. 2022 (MAE),
// github.com/tatp22/multidim-positional-encoding. Accuracy as of sinusoidal rows: within 3e-8,
// never outside [-1, 1]; kernels/angles.hpp.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/mask_positions.hpp"
#include "posenc/kernels/angles.hpp"

namespace posenc {

enum class GridLayout : uint8_t { kInterleaved, kConcat };
inline constexpr const char* kGridLayoutNames[] = {"interleaved", "concat"};

// Which axis fills the first part: the first one (DETR: rows), or the last one (MAE: columns).
enum class GridOrder : uint8_t { kForward, kReversed };
inline constexpr const char* kGridOrderNames[] = {"forward", "reversed"};

struct GridOptions {
  int64_t dim = 0;
  int64_t axes = 2;
  double base = 10000;
  GridLayout layout = GridLayout::kInterleaved;
  GridOrder order = GridOrder::kForward;
  NumberList parts = {};
};

class Grid : public EncodingBase<GridOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  static Status resolve(GridOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  static constexpr int64_t kMaxAxes = 8;
  // The columns of an axis, and the first of its frequencies.
  struct Part {
    int64_t first = 0, width = 0, frequency = 0;
  };

  int64_t part_of(int64_t axis) const noexcept;
  void encode_new(const Positions& positions, int axis, int64_t begin, int64_t end,
                  kernels::RowOrigins& origins, float* out) const noexcept;

  Buffer<double> frequencies_;  // of the first axis, of the second, ...: one per sine
  std::array<Part, kMaxAxes> parts_;
};

inline constexpr auto kGridSineFields = std::to_array<Field>({
    field<&GridOptions::dim>("dim").least(1).most(1 << 20).required().shown(4, 256).about(
        "width d of a row"),
    field<&GridOptions::axes>("axes").least(1).most(8).about(
        "coordinates of a position: 2 for images (row, column), 3 for volumes or video"),
    field<&GridOptions::base>("base")
        .least(1)
        .shown(10, 1e6, true)
        .about("base of the frequencies (DETR's temperature)"),
    field<&GridOptions::layout>("layout")
        .of(kGridLayoutNames)
        .about("within an axis sin, cos, sin, cos, ... (interleaved: DETR) or all sines, then all "
               "cosines (concat: MAE)"),
    field<&GridOptions::order>("order")
        .of(kGridOrderNames)
        .about("which axis fills the first columns: the first (forward: DETR, rows) or the last "
               "(reversed: MAE, columns)"),
    field<&GridOptions::parts>("parts").unless_given("equal").about(
        "columns of each axis, even numbers in the order of the axes that make dim or more; what "
        "is more is cut off"),
});

inline constexpr auto kGridOperations = std::to_array<Operation>({kMaskPositions});

inline constexpr Info Grid::info = {
    .id = "grid",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 2},
    .fields = kGridSineFields,
    .operations = kGridOperations,
    .docs =
        {
            .title = "Grid sines",
            .summary = "Sinusoidal rows for images and volumes: one part of the columns encodes "
                       "the row, the next the column, "
                       "and so on, so that every cell of a grid of any size has its own pattern.",
            .paper = "Carion et al. 2020, End-to-End Object Detection with Transformers",
            .url = "https://arxiv.org/abs/2005.12872",
            .formula = "PE(y,x)=\\big[\\,s(y)\\;\\big|\\;s(x)\\,\\big],\\qquad "
                       "s(p)_{2i}=\\sin\\frac{p}{b^{2i/e}},\\;s(p)_{2i+1}=\\cos\\frac{p}{b^{2i/e}}",
            .kind = "absolute",
            .extrapolates = "rows exist for every coordinate; images larger than those trained on "
                            "are usually normalised to "
                            "the same range",
            .models = "DETR, Deformable DETR, MAE, MoCo v3, Mask2Former",
            .good = "no parameters, any grid size and number of axes, real coordinates",
            .bad = "axes are encoded apart: how rows and columns interact is left to the model",
            .tasks = "object detection, image and video transformers, segmentation",
        },
};

}  // namespace posenc
