// One long axis folded into a grid: a short trained table per axis of the grid instead of a row per
// position.
//   p = (.. (i_0 · n_1 + i_1) · n_2 + ..)    sum: PE(p) = Σ_a W_a[i_a]    concat: PE(p) = [W_0[i_0]
//   | W_1[i_1] | ..]
// Ho et al. 2019 (Axial Transformer); Kitaev et al. 2020 (Reformer). The length need not fill the
// grid.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/resample.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class AxialCombine : uint8_t { kSum, kConcat };
inline constexpr const char* kAxialCombineNames[] = {"sum", "concat"};
// What comes behind the grid: an error, more rows that all read the last of the first axis, or the
// rows again.
enum class AxialExtend : uint8_t { kError, kClamp, kWrap };
inline constexpr const char* kAxialExtendNames[] = {"error", "clampRows", "wrapRows"};

inline constexpr int kMaxAxialAxes = 5;

struct AxialOptions {
  int64_t dim = 0;
  NumberList shape = {};
  AxialCombine combine = AxialCombine::kSum;
  NumberList dims = {};
  AxialExtend extend = AxialExtend::kError;
};

class Axial : public EncodingBase<AxialOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(AxialOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  struct Axis {
    int64_t extent, step, first,
        width;  // i = p / step mod extent; columns first to first + width of a row
  };
  int axes() const noexcept { return static_cast<int>(options_.shape.size()); }
  int64_t index(const Axis& axis, double position) const noexcept;

  std::array<Axis, kMaxAxialAxes> axes_ = {};
  int64_t count_ = 0;  // positions of the grid
};

constexpr TensorInfo axial_tensor(const char* name, const char* shape, Condition present) {
  return {.name = name,
          .shape = shape,
          .present = present,
          .initialise = initialise_table,
          .doc = "a row per index of this axis, the slowest axis first",
          .initial_doc = "normal with deviation 0.02"};
}

inline constexpr auto kAxialFields = std::to_array<Field>({
    field<&AxialOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&AxialOptions::shape>("shape")
        .multiple(1)
        .least(1)
        .most(0x1p20)
        .unless_given("[16, 16]")
        .about("extents of the grid, 2 to 5 axes, the slowest first: [rows, cols] for p = row · "
               "cols + col"),
    field<&AxialOptions::combine>("combine")
        .of(kAxialCombineNames)
        .about("rows of the axes added, or laid side by side (Reformer)"),
    field<&AxialOptions::dims>("dims")
        .multiple(1)
        .least(1)
        .most(1 << 20)
        .unless_given("dim for a sum, equal parts of dim side by side")
        .about("width of each axis's table; side by side they sum to dim"),
    field<&AxialOptions::extend>("extend")
        .of(kAxialExtendNames)
        .about("positions behind the grid: an error, rows that all read the last of the first "
               "table, or its rows again"),
});

inline constexpr auto kAxialTensors = std::to_array<TensorInfo>({
    axial_tensor("table0", "[shape[0], dims[0]]", {}),
    axial_tensor("table1", "[shape[1], dims[1]]", {}),
    axial_tensor("table2", "[shape[2], dims[2]]", when("shape", 3, 4, 5)),
    axial_tensor("table3", "[shape[3], dims[3]]", when("shape", 4, 5)),
    axial_tensor("table4", "[shape[4], dims[4]]", when("shape", 5)),
});

inline constexpr auto kAxialOperations = std::to_array<Operation>({kResample, kResampleBackward});

inline constexpr Info Axial::info = {
    .id = "axial",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p53, .axes = 1},
    .fields = kAxialFields,
    .tensors = kAxialTensors,
    .operations = kAxialOperations,
    .docs =
        {
            .title = "Axial",
            .summary = "Folds a long sequence into lines like text on a page and learns a row for "
                       "the line and one for the place in "
                       "the line: 512 + 1024 rows do the work of half a million.",
            .paper = "Kitaev, Kaiser & Levskaya 2020, Reformer; Ho et al. 2019, Axial Attention in "
                     "Multidimensional Transformers",
            .url = "https://arxiv.org/abs/2001.04451",
            .formula =
                "PE(p)=a_{\\lfloor p/W\\rfloor}+b_{p \\bmod "
                "W}\\quad\\text{or}\\quad[\\,a_{\\lfloor p/W\\rfloor}\\mid b_{p \\bmod W}\\,]",
            .kind = "absolute",
            .extrapolates = "no beyond the grid, unless rows are clamped or repeated",
            .models = "Reformer, Axial Transformer",
            .good = "few parameters for very long sequences, natural for images",
            .bad = "the same structure is imposed on every line; neighbours across a line break "
                   "look far apart",
            .tasks = "very long sequences, image generation",
        },
};

}  // namespace posenc
