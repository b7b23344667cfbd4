// Options of RoPE over several axes: which channels listen to which axis, at what speed, and how a
// place in the grid becomes the number that they turn by.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/fields.hpp"
#include "posenc/rotary/axes.hpp"

namespace posenc {

// shared  every axis of D channels has base^(-2i/D)                     (Qwen2-VL, EVA-02, SAM 2,
// DINOv3) dealt   RoPE's frequencies base^(-2m/d), dealt to the axes in turn    (Pixtral: rows even
// m, columns odd m) linear  π · (1 to maxFreq / 2 in even steps) (lucidrains' and EVA-02's "pixel")
enum class AxisFrequencies : uint8_t { kShared, kDealt, kLinear };
inline constexpr const char* kAxisFrequenciesNames[] = {"shared", "dealt", "linear"};

// Which axis has the first channels: the first (rows before columns) or the last (SAM 2: columns
// before rows).
enum class AxisOrder : uint8_t { kForward, kReversed };
inline constexpr const char* kAxisOrderNames[] = {"forward", "reversed"};

// What index i of n becomes:
//   index    i
//   centred  2(i + ½)/n - 1, the middle of the patch in (-1, 1), and angles are 2π times as large
//   (DINOv3) span     2i/(n - 1) - 1, from -1 to 1 (lucidrains' "pixel") resized  i/n · trained n,
//   so that a finer grid covers the trained one                           (EVA-02)
enum class GridCoordinates : uint8_t { kIndex, kCentred, kSpan, kResized };
inline constexpr const char* kGridCoordinatesNames[] = {"index", "centred", "span", "resized"};

struct RopeNdOptions {
  int64_t head_dim = 0;
  int64_t axes = 2;
  std::optional<int64_t> rotary_dim = {};
  NumberList axis_dims = {};
  double base = 10000;
  AxisFrequencies frequencies = AxisFrequencies::kShared;
  double max_freq = 10;
  PairLayout layout = PairLayout::kHalf;
  AxisOrder order = AxisOrder::kForward;
  GridCoordinates coordinates = GridCoordinates::kIndex;
  NumberList grid = {};
  NumberList trained_grid = {};
  int64_t prefix = 0;
};

inline constexpr auto kRopeNdFields = std::to_array<Field>({
    field<&RopeNdOptions::head_dim>("headDim")
        .least(4)
        .most(1 << 16)
        .required()
        .shown(8, 128)
        .about("width of a head"),
    field<&RopeNdOptions::axes>("axes").least(2).most(kMaxAxes).shown(2, 3).about(
        "coordinates of a position: 2 for rows and columns, 3 with frames before them"),
    field<&RopeNdOptions::rotary_dim>("rotaryDim")
        .least(4)
        .multiple(2)
        .most("headDim")
        .unless_given("headDim")
        .about("how many of the channels turn; the rest pass through"),
    field<&RopeNdOptions::axis_dims>("axisDims")
        .least(0)
        .multiple(2)
        .unless_given("rotaryDim / axes each")
        .about("channels of each axis, even numbers that add up to rotaryDim, where the axes have "
               "unequal shares"),
    field<&RopeNdOptions::base>("base")
        .least(1)
        .shown(100, 1e6, true)
        .about("base of the frequencies (rope_theta): 10000 for most, 100 for DINOv3"),
    field<&RopeNdOptions::frequencies>("frequencies")
        .of(kAxisFrequenciesNames)
        .about("the same frequencies for every axis (shared), those of RoPE dealt to the axes in "
               "turn (dealt: Pixtral), or even "
               "steps up to maxFreq / 2 half turns (linear)"),
    field<&RopeNdOptions::max_freq>("maxFreq")
        .above(0)
        .only(when("frequencies", AxisFrequencies::kLinear))
        .about("the fastest pair makes maxFreq / 2 half turns per unit"),
    field<&RopeNdOptions::layout>("layout")
        .of(kPairLayoutNames)
        .about("how channels pair up: m with m + d/2 (half: Pixtral, Qwen2-VL, DINOv3) or 2m with "
               "2m + 1 (interleaved: EVA-02, "
               "SAM 2, lucidrains)"),
    field<&RopeNdOptions::order>("order")
        .of(kAxisOrderNames)
        .about("which axis has the first channels: the first (forward, rows before columns) or the "
               "last (reversed: SAM 2)"),
    field<&RopeNdOptions::coordinates>("coordinates")
        .of(kGridCoordinatesNames)
        .about("what an index becomes: itself, the middle of its patch in (-1, 1) times 2π "
               "(centred: DINOv3), from -1 to 1 (span), "
               "or its share of the trained grid (resized: EVA-02)"),
    field<&RopeNdOptions::grid>("grid")
        .least(1)
        .multiple(1)
        .unless_given("none: every token needs its coordinates")
        .about("cells along each axis, [rows, columns]: token i is then cell i, the last axis "
               "fastest"),
    field<&RopeNdOptions::trained_grid>("trainedGrid")
        .above(0)
        .required()
        .only(when("coordinates", GridCoordinates::kResized))
        .about("cells along each axis in training"),
    field<&RopeNdOptions::prefix>("prefix").least(0).most(1 << 20).about(
        "tokens in front of the grid that do not turn (class and register tokens)"),
});

}  // namespace posenc
