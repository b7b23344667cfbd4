// Boxes of words on a page: the sum, or the row, of trained vectors of the corners and of height
// and width.
//   sum     PE = X[x0] + Y[y0] + X[x1] + Y[y1] + H[y1 - y0] + W[x1 - x0]           (LayoutLM)
//   concat  PE = [X[x0] | Y[y0] | X[x1] | Y[y1] | H[y1 - y0] | W[x1 - x0]]         (LayoutLMv2, v3)
// Xu et al. 2019, "LayoutLM"; the order is that of its code. A position is x0, y0, x1, y1, in whole
// steps of a page.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class BoxCombine : uint8_t { kSum, kConcat };
inline constexpr const char* kBoxCombineNames[] = {"sum", "concat"};
// What lies outside the tables: an error; a height or width pulled to the nearest row (LayoutLMv3);
// corners as well.
enum class BoxOutside : uint8_t { kError, kClampSize, kClamp };
inline constexpr const char* kBoxOutsideNames[] = {"error", "clampSize", "clamp"};

struct BoxOptions {
  int64_t dim = 0;
  BoxCombine combine = BoxCombine::kSum;
  std::optional<int64_t> coordinate_size = {}, shape_size = {};
  int64_t max_position = 1024;
  BoxOutside outside = BoxOutside::kError;
};

class Box : public EncodingBase<BoxOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  // Heights and widths are in the table, where they are not clamped.
  Status check(const Positions& positions, TextRef parameter) const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(BoxOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  static constexpr int kTerms = 6;
  // Row of the table of one of the six terms.
  int64_t row_of(const Positions& positions, int64_t i, int term) const noexcept;
  // Calls body(table, term, first column) for the six terms in order.
  template <typename Body>
  void for_terms(Body body) const noexcept;

  std::array<AxisRange, 4> ranges_ = {};
};

inline constexpr auto kBoxFields = std::to_array<Field>({
    field<&BoxOptions::dim>("dim").least(1).most(1 << 20).required().shown(6, 256).about(
        "width d of a row"),
    field<&BoxOptions::combine>("combine")
        .of(kBoxCombineNames)
        .about("the six vectors added (LayoutLM), or side by side (LayoutLMv2 and v3)"),
    field<&BoxOptions::coordinate_size>("coordinateSize")
        .least(1)
        .most(1 << 20)
        .unless_given("dim for a sum, what shapeSize leaves, or dim / 6")
        .about("width of the vector of a corner's coordinate; side by side, 4 · coordinateSize + 2 "
               "· shapeSize is dim"),
    field<&BoxOptions::shape_size>("shapeSize")
        .least(1)
        .most(1 << 20)
        .unless_given("dim for a sum, else what coordinateSize leaves")
        .about("width of the vectors of height and width"),
    field<&BoxOptions::max_position>("maxPosition")
        .least(1)
        .most(0x1p24)
        .shown(16, 1024)
        .about("rows of each table: coordinates and sizes go from 0 to maxPosition - 1"),
    field<&BoxOptions::outside>("outside")
        .of(kBoxOutsideNames)
        .about("values outside the tables: an error, heights and widths clamped (LayoutLMv3), or "
               "all clamped"),
});

inline constexpr auto kBoxTensors = std::to_array<TensorInfo>({
    {.name = "x",
     .shape = "[maxPosition, coordinateSize]",
     .initialise = initialise_table,
     .doc = "vectors of left and right edges",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "y",
     .shape = "[maxPosition, coordinateSize]",
     .initialise = initialise_table,
     .doc = "vectors of upper and lower edges",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "h",
     .shape = "[maxPosition, shapeSize]",
     .initialise = initialise_table,
     .doc = "vectors of heights",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "w",
     .shape = "[maxPosition, shapeSize]",
     .initialise = initialise_table,
     .doc = "vectors of widths",
     .initial_doc = "normal with deviation 0.02"},
});

inline constexpr Info Box::info = {
    .id = "box",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 1024, .axes = 4},
    .fields = kBoxFields,
    .tensors = kBoxTensors,
    .docs =
        {
            .title = "Box",
            .summary = "Tells a model where on the page a word stands: trained vectors for its "
                       "left, upper, right and lower edge, its "
                       "height and its width.",
            .paper = "Xu et al. 2019, LayoutLM: Pre-training of Text and Layout for Document Image "
                     "Understanding, section 3.1",
            .url = "https://arxiv.org/abs/1912.13318",
            .formula = "PE=X_{x_0}+Y_{y_0}+X_{x_1}+Y_{y_1}+H_{y_1-y_0}+W_{x_1-x_0}",
            .kind = "absolute",
            .extrapolates = "no: coordinates are scaled to the table's range beforehand",
            .models = "LayoutLM, LayoutLMv2, LayoutLMv3, LayoutXLM",
            .good = "layout becomes an input like any other; tables and forms become readable",
            .bad = "needs boxes from OCR, scaled to the same range everywhere",
            .tasks = "forms, invoices, document understanding",
        },
};

}  // namespace posenc
