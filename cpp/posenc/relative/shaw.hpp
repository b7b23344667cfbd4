// Shaw's relative positions: a learned vector for each clipped distance, added to keys and to
// values.
//   score_ij = scale · q_i·(k_j + a_d),  out_i = Σ_j w_ij (v_j + b_d),  d = clip(j - i, -left,
//   right)
// Shaw, Uszkoreit & Vaswani 2018, "Self-Attention with Relative Position Representations"; BERT's
// relative_key and relative_key_query (Huang et al. 2020) are the same with keys (and queries)
// alone, without clipping, and rows from query - key.
#pragma once

#include <array>

#include "posenc/core/make.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

enum class ShawValues : uint8_t { kTable, kShared, kNone };
inline constexpr const char* kShawValuesNames[] = {"table", "shared", "none"};

enum class ShawOrder : uint8_t { kKeyMinusQuery, kQueryMinusKey };
inline constexpr const char* kShawOrderNames[] = {"keyMinusQuery", "queryMinusKey"};

enum class ShawBeyond : uint8_t { kClip, kError };
inline constexpr const char* kShawBeyondNames[] = {"clip", "error"};

struct ShawOptions {
  int64_t head_dim = 0;
  std::optional<int64_t> value_dim = {};
  int64_t left = 0;
  std::optional<int64_t> right = {};
  ShawValues values = ShawValues::kTable;
  bool queries = false;
  ShawOrder order = ShawOrder::kKeyMinusQuery;
  ShawBeyond beyond = ShawBeyond::kClip;
};

class Shaw : public EncodingBase<ShawOptions> {
 public:
  static const Info info;
  static Status resolve(ShawOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t heads() const noexcept { return 0; }
  int64_t head_dim() const noexcept { return options_.head_dim; }
  int64_t value_dim() const noexcept { return *options_.value_dim; }
  PositionDomain domain() const noexcept;
  std::span<const RelativeTerm> terms() const noexcept {
    return std::span(terms_).first(static_cast<std::size_t>(count_));
  }
  void write(const RelativeRows& rows, float* out, float* bias, float* scratch) const noexcept;
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept;

 private:
  int64_t row_of(int64_t distance) const noexcept;
  int table_of(int term) const noexcept;  // index among the parameters

  std::array<RelativeTerm, 3> terms_;
  int count_ = 0;
};

inline constexpr auto kShawFields = std::to_array<Field>({
    field<&ShawOptions::head_dim>("headDim").least(1).most(1 << 16).required().shown(2, 128).about(
        "width of a head"),
    field<&ShawOptions::value_dim>("valueDim")
        .least(1)
        .most(1 << 16)
        .unless_given("headDim")
        .about("width of a value head"),
    field<&ShawOptions::left>("left").least(0).most(1 << 24).required().shown(1, 32).about(
        "how far behind keys are told apart, the paper's clipping distance k"),
    field<&ShawOptions::right>("right").least(0).most(1 << 24).unless_given("left").about(
        "how far ahead keys are told apart"),
    field<&ShawOptions::values>("values")
        .of(kShawValuesNames)
        .about("a table of its own for values (the paper), the keys' table for both (OpenNMT), or "
               "no term on values (BERT)"),
    field<&ShawOptions::queries>("queries").about(
        "multiply the keys with the rows too: BERT's relative_key_query"),
    field<&ShawOptions::order>("order")
        .of(kShawOrderNames)
        .about(
            "rows from key - query = -left to right, or from query - key = -right to left (BERT)"),
    field<&ShawOptions::beyond>("beyond")
        .of(kShawBeyondNames)
        .about("farther keys share the last row (clip), or positions stop where distances would "
               "leave the table (error)"),
});

// Uniform with the variance 2 / (rows + width), as Glorot & Bengio 2010.
void initialise_rows(int64_t rows, int64_t width, std::span<float> values, Random& random) noexcept;

inline constexpr auto kShawTensors = std::to_array<TensorInfo>({
    {.name = "keyTable",
     .shape = "[left + right + 1, headDim]",
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           const int64_t width = static_cast<const ShawOptions*>(options)->head_dim;
           initialise_rows(static_cast<int64_t>(out.size()) / width, width, out, random);
         },
     .doc = "a row per distance, for keys",
     .initial_doc = "uniform, variance 2 / (rows + headDim)"},
    {.name = "valueTable",
     .shape = "[left + right + 1, valueDim]",
     .present = when("values", ShawValues::kTable),
     .initialise =
         [](const void* options, std::span<float> out, Random& random) noexcept {
           const int64_t width = *static_cast<const ShawOptions*>(options)->value_dim;
           initialise_rows(static_cast<int64_t>(out.size()) / width, width, out, random);
         },
     .doc = "a row per distance, for values",
     .initial_doc = "uniform, variance 2 / (rows + valueDim)"},
});

inline constexpr Info Shaw::info = {
    .id = "shaw",
    .family = Family::kRelative,
    .domain = {.kind = DomainKind::kIntegers, .limit = kRelativeLimit, .axes = 1},
    .fields = kShawFields,
    .tensors = kShawTensors,
    .docs =
        {
            .title = "Shaw's relative positions",
            .summary = "Every distance up to a limit has a learned vector. It is added to the key "
                       "when a query looks at it, and "
                       "to the value when it is read, so that \"three words back\" is something a "
                       "head can look for.",
            .paper = "Shaw, Uszkoreit & Vaswani 2018, Self-Attention with Relative Position "
                     "Representations",
            .url = "https://arxiv.org/abs/1803.02155",
            .formula = "e_{ij}=\\frac{q_i\\cdot(k_j+a_{d})}{\\sqrt{d_h}},\\quad "
                       "z_i=\\sum_j\\alpha_{ij}(v_j+b_{d}),\\quad "
                       "d=\\mathrm{clip}(j-i,-k,k)",
            .kind = "relative",
            .extrapolates = "yes: beyond the limit all distances look alike",
            .models = "Transformer with relative positions (tensor2tensor, OpenNMT), BERT "
                      "relative_key, Wav2Vec2-BERT",
            .good = "few parameters, shared by all heads; a head can attend to exact small "
                    "distances, whatever the length",
            .bad = "far distances are not told apart; costs one more product per tile",
            .tasks = "translation, speech recognition, music, encoders",
        },
};

}  // namespace posenc
