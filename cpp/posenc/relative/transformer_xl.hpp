// Transformer-XL's relative terms: sines of the distance, projected per head, and two learned
// offsets of the query.
//   score_ij = scale · ((q_i + u)·k_j + (q_i + v)·W r(i - j)),   r(d) = [sin d·w | cos d·w]
//   learnable variant: scale · ((q_i + u)·k_j + q_i·r_d + c_d) with rows r and numbers c of
//   distances 0 to maxLength - 1
// XLNet adds (q_i + s)·e, with one row e for keys of the query's own segment and another for the
// rest. Dai et al. 2019, "Transformer-XL", §3.3; Yang et al. 2019, "XLNet", §2.5; Gulati et al.
// 2020, "Conformer" (distances of both signs, sines and cosines interleaved).
#pragma once

#include <array>
#include <optional>

#include "posenc/core/make.hpp"
#include "posenc/core/operation.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

enum class TransformerXlRows : uint8_t { kSinusoidal, kTable };
inline constexpr const char* kTransformerXlRowsNames[] = {"sinusoidal", "table"};

enum class TransformerXlLayout : uint8_t { kConcat, kInterleaved };
inline constexpr const char* kTransformerXlLayoutNames[] = {"concat", "interleaved"};

struct TransformerXlOptions {
  int64_t heads = 0;
  int64_t head_dim = 0;
  TransformerXlRows rows = TransformerXlRows::kSinusoidal;
  std::optional<int64_t> dim = {};
  double base = 10000;
  TransformerXlLayout layout = TransformerXlLayout::kConcat;
  std::optional<int64_t> clamp_length = {};
  int64_t max_length = 0;
  bool segments = false;
};

class TransformerXl : public EncodingBase<TransformerXlOptions> {
 public:
  static const Info info;
  static Status resolve(TransformerXlOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t heads() const noexcept { return options_.heads; }
  int64_t head_dim() const noexcept { return options_.head_dim; }
  PositionDomain domain() const noexcept;
  std::span<const RelativeTerm> terms() const noexcept {
    return std::span(terms_).first(options_.segments ? 2 : 1);
  }
  int64_t scratch_floats() const noexcept;
  void write(const RelativeRows& rows, float* out, float* bias, float* scratch) const noexcept;
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept;
  int64_t feature_width(int term) const noexcept {
    return term == 0 && sinusoidal() ? *options_.dim : 0;
  }
  void write_features(const RelativeRows& rows, float* out) const noexcept;  // the sines
  void move_query(int64_t head, const float* query, float factor, float* out,
                  float* scratch) const noexcept;
  const float* query_offsets() const noexcept { return parameters_.values("contentBias"); }
  void offset_backward(int64_t head, const float* d_offset, Gradients& gradients) const noexcept;

 private:
  bool sinusoidal() const noexcept { return options_.rows == TransformerXlRows::kSinusoidal; }
  // Where the row of a distance stands in the table of its term.
  int64_t table_row(int term, int64_t distance) const noexcept;
  // The rows of one head; `sines` are those of the distances.
  void write_head(const RelativeRows& rows, int64_t head, const float* sines,
                  float* out) const noexcept;
  // The offset of the query in front of the rows of a term, less the one that all products share.
  void offset_of(int term, int64_t head, float* out) const noexcept;
  float* gradient_of(std::string_view tensor, Gradients& gradients) const noexcept;

  std::array<RelativeTerm, 2> terms_;
  Buffer<double> frequencies_;
};

inline constexpr auto kTransformerXlFields = std::to_array<Field>({
    field<&TransformerXlOptions::heads>("heads").least(1).most(4096).required().shown(1, 16).about(
        "number of attention heads H"),
    field<&TransformerXlOptions::head_dim>("headDim")
        .least(1)
        .most(1 << 16)
        .required()
        .shown(2, 128)
        .about("width of a head"),
    field<&TransformerXlOptions::rows>("rows")
        .of(kTransformerXlRowsNames)
        .about("sines of the distance behind a projection, or a learned row per distance (the "
               "code's learnable variant)"),
    field<&TransformerXlOptions::dim>("dim")
        .least(2)
        .most(1 << 20)
        .multiple(2)
        .only(when("rows", TransformerXlRows::kSinusoidal))
        .unless_given("heads * headDim")
        .about("width of the sines, even"),
    field<&TransformerXlOptions::base>("base")
        .least(1)
        .only(when("rows", TransformerXlRows::kSinusoidal))
        .shown(10, 1e6, true)
        .about("base of the frequencies"),
    field<&TransformerXlOptions::layout>("layout")
        .of(kTransformerXlLayoutNames)
        .only(when("rows", TransformerXlRows::kSinusoidal))
        .about("all sines and then all cosines (concat), or in turn (interleaved, Conformer)"),
    field<&TransformerXlOptions::clamp_length>("clampLength")
        .least(1)
        .most(1 << 24)
        .only(when("rows", TransformerXlRows::kSinusoidal))
        .unless_given("no bound")
        .about("farther distances count as this one (clamp_len)"),
    field<&TransformerXlOptions::max_length>("maxLength")
        .least(1)
        .most(1 << 24)
        .required()
        .only(when("rows", TransformerXlRows::kTable))
        .about("rows of the table: distances 0 to maxLength - 1 behind the query; farther ones "
               "share the last, keys ahead "
               "the first"),
    field<&TransformerXlOptions::segments>("segments")
        .about("XLNet's segment term; positions then have two coordinates, place and segment"),
});

// Normal, deviation 0.02, as the authors' code.
inline constexpr auto kNormalRows = [](const void*, std::span<float> out, Random& random) noexcept {
  for (float& value : out) value = static_cast<float>(0.02 * random.normal());
};

inline constexpr auto kTransformerXlTensors = std::to_array<TensorInfo>({
    {.name = "contentBias",
     .shape = "[heads, headDim]",
     .initialise = kNormalRows,
     .doc = "u, added to the query in front of the key (r_w_bias)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "positionBias",
     .shape = "[heads, headDim]",
     .present = when("rows", TransformerXlRows::kSinusoidal),
     .initialise = kNormalRows,
     .doc = "v, added to the query in front of the distance (r_r_bias)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "projection",
     .shape = "[heads * headDim, dim]",
     .present = when("rows", TransformerXlRows::kSinusoidal),
     .initialise = kNormalRows,
     .doc = "W, from sines to the rows of all heads",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "table",
     .shape = "[maxLength, heads, headDim]",
     .present = when("rows", TransformerXlRows::kTable),
     .initialise = kNormalRows,
     .doc = "a row per distance and head, the last one for distance 0",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "tableBias",
     .shape = "[maxLength, heads]",
     .present = when("rows", TransformerXlRows::kTable),
     .initialise = kNormalRows,
     .doc = "a number per distance and head",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "segmentBias",
     .shape = "[heads, headDim]",
     .present = when("segments", true),
     .initialise = kNormalRows,
     .doc = "s, added to the query in front of the segment (r_s_bias)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "segmentTable",
     .shape = "[2, heads, headDim]",
     .present = when("segments", true),
     .initialise = kNormalRows,
     .doc = "a row for keys of the same segment and one for the others (seg_embed)",
     .initial_doc = "normal, deviation 0.02"},
});

// What kernels/shift.hpp does, for those who hold a matrix of scores by distance.
struct TransformerXlShift {
  int64_t keys = 0;
  std::optional<int64_t> offset = {};
};
Result<OperationResult> transformer_xl_shift(const TransformerXlShift& arguments,
                                             OperationTensors inputs) noexcept;

inline constexpr auto kTransformerXlShiftFields = std::to_array<Field>({
    field<&TransformerXlShift::keys>("keys").least(0).most(0x1p31).required().about(
        "number of keys"),
    field<&TransformerXlShift::offset>("offset")
        .least(-0x1p31)
        .most(0x1p31)
        .unless_given("queries - 1")
        .about("column of distance 0 in the first row: queries - 1 for Transformer-XL and for "
               "skewing, queries for XLNet"),
});
inline constexpr auto kTransformerXlShiftInputs = std::to_array<OperationInput>({
    {.name = "x", .doc = "scores by distance, [.., queries, rows]"},
});
inline constexpr auto kTransformerXlOperations = std::to_array<Operation>({
    operation<transformer_xl_shift>("shift", kTransformerXlShiftInputs, kTransformerXlShiftFields,
                                    "the relative shift, and the skewing of the Music Transformer: "
                                    "from scores by distance to scores by key",
                                    "[.., queries, keys]; 0 where x has no such distance"),
});

inline constexpr Info TransformerXl::info = {
    .id = "transformerXL",
    .family = Family::kRelative,
    .domain = {.kind = DomainKind::kIntegers, .limit = kRelativeLimit, .axes = 1},
    .fields = kTransformerXlFields,
    .tensors = kTransformerXlTensors,
    .operations = kTransformerXlOperations,
    .docs =
        {
            .title = "Transformer-XL",
            .summary = "The score has a part for content and a part for distance. The distance "
                       "enters as sines that a learned "
                       "matrix turns into one row per head, so keys may come from memory of "
                       "earlier segments at any distance.",
            .paper = "Dai et al. 2019, Transformer-XL: Attentive Language Models beyond a "
                     "Fixed-Length Context, section 3.3",
            .url = "https://arxiv.org/abs/1901.02860",
            .formula = "s_{ij}=\\frac{(q_i+u)\\cdot k_j+(q_i+v)\\cdot W\\,r_{i-j}}{\\sqrt{d_h}}",
            .kind = "relative",
            .extrapolates =
                "yes: sines exist for every distance, and clampLength makes far ones alike",
            .models = "Transformer-XL, XLNet, Conformer, Wav2Vec2-Conformer, Music models",
            .good = "distances of any length, memory of earlier segments, content and distance "
                    "kept apart",
            .bad = "projects a row for every distance in every layer",
            .tasks = "language models with memory, speech recognition, music",
        },
};

}  // namespace posenc
