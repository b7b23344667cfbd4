// Trained tables for tokens of a grid: patches of an image, cells of a feature map, patches of the
// frames of a video.
//   grid       PE(cell) = table[cell], resampled where another grid than the trained one is asked
//   for  (ViT) axes       PE(row, col) = [colTable[col] | rowTable[row]] (DETR) spaceTime  PE(cell,
//   frame) = table[cell] + timeTable[frame], both resampled                     (TimeSformer)
// Dosovitskiy et al. 2020; Carion et al. 2020; Bertasius et al. 2021. In `grid` and `spaceTime` a
// position is the place of a token in its sequence, prefix tokens first; in `axes` it is (row,
// col). The same grid gives the table's bits.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/resample.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class GridLearnedKind : uint8_t { kGrid, kAxes, kSpaceTime };
inline constexpr const char* kGridLearnedKindNames[] = {"grid", "axes", "spaceTime"};
enum class GridLearnedHalf : uint8_t { kCol, kRow };
inline constexpr const char* kGridLearnedHalfNames[] = {"col", "row"};
// Which of the tokens behind the prefix follow one another: all frames of a patch, or all patches
// of a frame.
enum class GridLearnedOrder : uint8_t { kPatch, kFrame };
inline constexpr const char* kGridLearnedOrderNames[] = {"patch", "frame"};

struct GridLearnedOptions {
  int64_t dim = 0;
  GridLearnedKind kind = GridLearnedKind::kGrid;
  int64_t rows = 0, cols = 0, frames = 0;
  std::optional<int64_t> to_rows = {}, to_cols = {}, to_frames = {};
  int64_t prefix = 0;
  bool prefix_rows = true;
  GridLearnedHalf first_half = GridLearnedHalf::kCol;
  GridLearnedOrder order = GridLearnedOrder::kPatch;
  ResampleRule resample = {};
};

class GridLearned : public EncodingBase<GridLearnedOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(GridLearnedOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  // Where a token behind the prefix stands.
  struct Place {
    int64_t cell, frame;
  };
  Place place_of(int64_t token) const noexcept;
  bool axes() const noexcept { return options_.kind == GridLearnedKind::kAxes; }
  // Floats of the table in front of the grid's rows.
  int64_t front() const noexcept {
    return options_.prefix_rows ? options_.prefix * options_.dim : 0;
  }

  ResampleGrid space_, time_;
  std::array<AxisRange, 2> ranges_ = {};
};

inline constexpr auto kGridLearnedHasTable =
    when("kind", GridLearnedKind::kGrid, GridLearnedKind::kSpaceTime);
inline constexpr auto kGridLearnedHasAxes = when("kind", GridLearnedKind::kAxes);
inline constexpr auto kGridLearnedHasFrames = when("kind", GridLearnedKind::kSpaceTime);

inline constexpr auto kGridLearnedRule = resample_fields<&GridLearnedOptions::resample>(
    "resample.mode", "resample.alignCorners", "resample.antialias", "resample.scaleOffset");

inline constexpr auto kGridLearnedFields = std::to_array<Field>({
    field<&GridLearnedOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&GridLearnedOptions::kind>("kind")
        .of(kGridLearnedKindNames)
        .about("one table of all cells, one per axis, or one of cells and one of frames"),
    field<&GridLearnedOptions::rows>("rows").least(1).most(0x1p20).required().shown(2, 32).about(
        "rows of the trained grid"),
    field<&GridLearnedOptions::cols>("cols").least(1).most(0x1p20).required().shown(2, 32).about(
        "columns of the trained grid"),
    field<&GridLearnedOptions::frames>("frames")
        .least(1)
        .most(0x1p20)
        .required()
        .only(kGridLearnedHasFrames)
        .about("trained frames"),
    field<&GridLearnedOptions::to_rows>("toRows")
        .least(1)
        .most(0x1p20)
        .only(kGridLearnedHasTable)
        .unless_given("rows")
        .about("rows of the grid that tokens come from"),
    field<&GridLearnedOptions::to_cols>("toCols")
        .least(1)
        .most(0x1p20)
        .only(kGridLearnedHasTable)
        .unless_given("cols")
        .about("columns of the grid that tokens come from"),
    field<&GridLearnedOptions::to_frames>("toFrames")
        .least(1)
        .most(0x1p20)
        .only(kGridLearnedHasFrames)
        .unless_given("frames")
        .about("frames that tokens come from"),
    field<&GridLearnedOptions::prefix>("prefix")
        .least(0)
        .most(0x1p20)
        .only(kGridLearnedHasTable)
        .about("tokens in front of the grid's: class and register tokens"),
    field<&GridLearnedOptions::prefix_rows>("prefixRows")
        .only(kGridLearnedHasTable)
        .about("whether prefix tokens have rows of their own, the first of the table; else they "
               "get zeros"),
    field<&GridLearnedOptions::first_half>("firstHalf")
        .of(kGridLearnedHalfNames)
        .only(kGridLearnedHasAxes)
        .about("which axis fills the first half of a row"),
    field<&GridLearnedOptions::order>("order")
        .of(kGridLearnedOrderNames)
        .only(kGridLearnedHasFrames)
        .about("all frames of a patch follow one another (TimeSformer), or all patches of a frame"),
    kGridLearnedRule[0].only(kGridLearnedHasTable),
    kGridLearnedRule[1].only(kGridLearnedHasTable),
    kGridLearnedRule[2].only(kGridLearnedHasTable),
    kGridLearnedRule[3].only(kGridLearnedHasTable),
});

inline constexpr auto kGridLearnedTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[prefix * prefixRows + rows * cols, dim]",
     .present = kGridLearnedHasTable,
     .initialise = initialise_table,
     .doc = "rows of the prefix tokens, then of the cells, row by row",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "timeTable",
     .shape = "[frames, dim]",
     .present = kGridLearnedHasFrames,
     .initialise = [](const void*, std::span<float>, Random&) noexcept {},
     .doc = "a row per frame",
     .initial_doc = "zeros"},
    {.name = "rowTable",
     .shape = "[rows, dim / 2]",
     .present = kGridLearnedHasAxes,
     .initialise = initialise_uniform,
     .doc = "half a row per row of the grid",
     .initial_doc = "uniform from 0 to 1"},
    {.name = "colTable",
     .shape = "[cols, dim / 2]",
     .present = kGridLearnedHasAxes,
     .initialise = initialise_uniform,
     .doc = "half a row per column of the grid",
     .initial_doc = "uniform from 0 to 1"},
});

inline constexpr auto kGridLearnedOperations =
    std::to_array<Operation>({kResample, kResampleBackward});

inline constexpr Info GridLearned::info = {
    .id = "gridLearned",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p31, .axes = 1},
    .fields = kGridLearnedFields,
    .tensors = kGridLearnedTensors,
    .operations = kGridLearnedOperations,
    .docs =
        {
            .title = "Learned grid",
            .summary =
                "Trained rows for the patches of an image or video: one per patch, or one per row "
                "and one per column of "
                "the grid. For another image size the table is resampled like a small picture.",
            .paper = "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words, section 3.2",
            .url = "https://arxiv.org/abs/2010.11929",
            .formula = "PE(y,x) = E_{yW+x} \\quad\\text{or}\\quad [\\,C_x \\mid R_y\\,] "
                       "\\quad\\text{or}\\quad E_{yW+x} + T_t",
            .kind = "absolute",
            .extrapolates =
                "other grids by resampling, with some loss; per-axis tables end where they end",
            .models = "ViT, DeiT, BEiT without relative bias, DINO, DINOv2, CLIP's image encoder, "
                      "DETR (learned), TimeSformer",
            .good = "learns what the images have; resampling carries it to other sizes",
            .bad = "tied to the trained grid; far from it quality falls without further training",
            .tasks = "image classification, detection, video",
        },
};

}  // namespace posenc
