// DeBERTa's disentangled attention: content and relative position have vectors of their own, and
// three of their four products are scores.
//   score_ij = scale · (q_i·k_j + q_i·P_k(δ) + k_j·P_q(δ)),   scale = 1 / sqrt(headDim · terms), δ
//   = row of i - j P_k(δ) = W_k e_δ + b_k,  P_q(δ) = W_q e_δ + b_q,  δ = clamp(bucket(i - j) +
//   span, 0, 2·span - 1)
// bucket() is the distance itself (v1) or logarithmic beyond half the buckets (v2, v3), rounded up
// in magnitude. He, Liu, Gao & Chen 2021, "DeBERTa". Formula (4) of the paper takes δ(j, i) in the
// last term; the released code, and all weights, take δ(i, j).
#pragma once

#include <array>

#include "posenc/core/make.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

enum class DebertaTerms : uint8_t { kBoth, kC2p, kP2c };
inline constexpr const char* kDebertaTermsNames[] = {"both", "c2p", "p2c"};

enum class DebertaRows : uint8_t { kEmbeddings, kProjected };
inline constexpr const char* kDebertaRowsNames[] = {"embeddings", "projected"};

enum class DebertaFar : uint8_t { kContinue, kClamp };
inline constexpr const char* kDebertaFarNames[] = {"continue", "clamp"};

enum class DebertaP2c : uint8_t { kCode, kPaper };
inline constexpr const char* kDebertaP2cNames[] = {"code", "paper"};

enum class DebertaBucketRule : uint8_t { kLinear, kLog };
inline constexpr const char* kDebertaBucketRuleNames[] = {"linear", "log"};

struct DebertaBuckets {
  int64_t span = 0;
  DebertaBucketRule rule = DebertaBucketRule::kLinear;
  int64_t max_distance = 0;
  DebertaFar far = DebertaFar::kContinue;

  // Of a distance query - key, before it is clamped to the table.
  int64_t bucket(int64_t distance) const noexcept;
};

struct DebertaOptions {
  int64_t heads = 0;
  int64_t head_dim = 0;
  DebertaBuckets buckets = {};
  DebertaTerms terms = DebertaTerms::kBoth;
  DebertaP2c p2c = DebertaP2c::kCode;
  DebertaRows rows = DebertaRows::kEmbeddings;
  std::optional<int64_t> dim = {};
};

class Deberta : public EncodingBase<DebertaOptions> {
 public:
  static const Info info;
  static Status resolve(DebertaOptions& options) noexcept;
  Status prepare() noexcept;

  int64_t heads() const noexcept { return options_.heads; }
  int64_t head_dim() const noexcept { return options_.head_dim; }
  std::span<const RelativeTerm> terms() const noexcept {
    return std::span(terms_).first(static_cast<std::size_t>(count_));
  }
  // Products that make up a score: the scale is 1 / sqrt(headDim · this).
  int64_t scale_terms() const noexcept { return 1 + count_; }
  int64_t scratch_floats() const noexcept;
  void write(const RelativeRows& rows, float* out, float* bias, float* scratch) const noexcept;
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept;

 private:
  // The table's row for a distance key - query.
  int64_t table_row(const RelativeTerm& term, int64_t distance) const noexcept;
  void gather(const RelativeRows& rows, float* out) const noexcept;
  int64_t gather_once(const RelativeRows& rows, float* out, int64_t* place) const noexcept;
  void project(const RelativeRows& rows, int64_t head, const float* embeddings, int64_t count,
               const int64_t* place, float* out) const noexcept;

  std::array<RelativeTerm, 2> terms_;
  int count_ = 0;
};

struct DebertaBucketArguments {
  DebertaBuckets buckets = {};
};
Result<OperationResult> deberta_buckets(const DebertaBucketArguments& arguments,
                                        OperationTensors inputs) noexcept;

inline constexpr auto kDebertaBucketFields = std::to_array<Field>({
    field<&DebertaBucketArguments::buckets, &DebertaBuckets::span>("span")
        .least(2)
        .most(1 << 24)
        .required()
        .about("buckets per direction (position_buckets)"),
    field<&DebertaBucketArguments::buckets, &DebertaBuckets::max_distance>("maxRelativePositions")
        .least(3)
        .most(1 << 24)
        .required()
        .about("distance of the last bucket, plus 1"),
    field<&DebertaBucketArguments::buckets, &DebertaBuckets::far>("farDistances")
        .of(kDebertaFarNames)
        .about("go on counting buckets (Hugging Face), or clamp the distance first (Microsoft)"),
});
inline constexpr auto kDebertaBucketInputs = std::to_array<OperationInput>({
    {.name = "distances", .doc = "query - key, whole numbers of any shape"},
});
inline constexpr auto kDebertaOperations = std::to_array<Operation>({
    operation<deberta_buckets>("buckets", kDebertaBucketInputs, kDebertaBucketFields,
                               "signed logarithmic bucket of each distance, as DeBERTa v2 counts",
                               "buckets of the shape of the distances"),
});

inline constexpr auto kDebertaFields = std::to_array<Field>({
    field<&DebertaOptions::heads>("heads").least(1).most(4096).required().shown(1, 16).about(
        "number of attention heads H"),
    field<&DebertaOptions::head_dim>("headDim")
        .least(1)
        .most(1 << 16)
        .required()
        .shown(2, 128)
        .about("width of a head"),
    field<&DebertaOptions::buckets, &DebertaBuckets::span>("span")
        .least(1)
        .most(1 << 24)
        .required()
        .shown(4, 64)
        .about("rows per direction: max_relative_positions (v1), position_buckets (v2, v3)"),
    field<&DebertaOptions::buckets, &DebertaBuckets::rule>("buckets")
        .of(kDebertaBucketRuleNames)
        .about("a row for every distance (v1), or logarithmic ones beyond half the span (v2, v3)"),
    field<&DebertaOptions::buckets, &DebertaBuckets::max_distance>("maxRelativePositions")
        .least(3)
        .most(1 << 24)
        .required()
        .only(when("buckets", DebertaBucketRule::kLog))
        .shown(8, 512)
        .about("distance of the last bucket, plus 1 (max_relative_positions, or "
               "max_position_embeddings where that is -1)"),
    field<&DebertaOptions::buckets, &DebertaBuckets::far>("farDistances")
        .of(kDebertaFarNames)
        .only(when("buckets", DebertaBucketRule::kLog))
        .about("distances beyond the last bucket go on counting and are clamped to the table "
               "(continue, Hugging Face), or "
               "are clamped before (clamp, Microsoft)"),
    field<&DebertaOptions::terms>("terms")
        .of(kDebertaTermsNames)
        .about("content to position (c2p), position to content (p2c), or both"),
    field<&DebertaOptions::p2c>("p2cRow")
        .of(kDebertaP2cNames)
        .about("row of the position-to-content term: that of i - j (the released code) or of j - i "
               "(formula 4 of the paper)"),
    field<&DebertaOptions::rows>("rows")
        .of(kDebertaRowsNames)
        .about("embeddings of relative positions behind projections, or the projected rows "
               "themselves"),
    field<&DebertaOptions::dim>("dim")
        .least(1)
        .most(1 << 20)
        .only(when("rows", DebertaRows::kEmbeddings))
        .unless_given("heads * headDim")
        .about("width of the embeddings"),
});

// Normal, deviation 0.02, as the released models.
inline constexpr auto kDebertaNormal = [](const void*, std::span<float> out,
                                          Random& random) noexcept {
  for (float& value : out) value = static_cast<float>(0.02 * random.normal());
};

inline constexpr auto kDebertaTensors = std::to_array<TensorInfo>({
    {.name = "relativeEmbeddings",
     .shape = "[2 * span, dim]",
     .present = when("rows", DebertaRows::kEmbeddings),
     .initialise = kDebertaNormal,
     .doc = "a row per bucket, row span for distance 0 and keys behind after it (rel_embeddings, "
            "after its layer norm)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "keyWeight",
     .shape = "[heads * headDim, dim]",
     .present = when("rows", DebertaRows::kEmbeddings),
     .initialise = kDebertaNormal,
     .doc = "projection of embeddings to positions that queries look at (pos_key_proj, pos_proj; "
            "key_proj where shared)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "keyBias",
     .shape = "[heads * headDim]",
     .present = when("rows", DebertaRows::kEmbeddings),
     .doc = "bias of that projection (v1 has none)",
     .initial_doc = "zeros"},
    {.name = "queryWeight",
     .shape = "[heads * headDim, dim]",
     .present = when("rows", DebertaRows::kEmbeddings),
     .initialise = kDebertaNormal,
     .doc = "projection of embeddings to positions that keys look at (pos_query_proj, pos_q_proj; "
            "query_proj where shared)",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "queryBias",
     .shape = "[heads * headDim]",
     .present = when("rows", DebertaRows::kEmbeddings),
     .doc = "bias of that projection",
     .initial_doc = "zeros"},
    {.name = "positionKeys",
     .shape = "[heads, 2 * span, headDim]",
     .present = when("rows", DebertaRows::kProjected),
     .initialise = kDebertaNormal,
     .doc = "projected rows that queries look at",
     .initial_doc = "normal, deviation 0.02"},
    {.name = "positionQueries",
     .shape = "[heads, 2 * span, headDim]",
     .present = when("rows", DebertaRows::kProjected),
     .initialise = kDebertaNormal,
     .doc = "projected rows that keys look at",
     .initial_doc = "normal, deviation 0.02"},
});

inline constexpr Info Deberta::info = {
    .id = "deberta",
    .family = Family::kRelative,
    .domain = {.kind = DomainKind::kIntegers, .limit = kRelativeLimit, .axes = 1},
    .fields = kDebertaFields,
    .tensors = kDebertaTensors,
    .operations = kDebertaOperations,
    .docs =
        {
            .title = "DeBERTa's disentangled attention",
            .summary = "Every word has a content vector and every distance a position vector. A "
                       "score adds up content with "
                       "content, content with position, and position with content, each from its "
                       "own projection.",
            .paper = "He, Liu, Gao & Chen 2021, DeBERTa: Decoding-enhanced BERT with Disentangled "
                     "Attention",
            .url = "https://arxiv.org/abs/2006.03654",
            .formula = "s_{ij}=\\frac{q_i\\cdot k_j+q_i\\cdot P^k_{\\delta(i,j)}+k_j\\cdot "
                       "P^q_{\\delta(i,j)}}{\\sqrt{3d_h}}",
            .kind = "relative",
            .extrapolates = "yes: distances beyond the last bucket share its row",
            .models = "DeBERTa, DeBERTa-v2, DeBERTa-v3, mDeBERTa",
            .good = "the strongest small encoders; position is kept apart from content all the way",
            .bad = "two more products per pair; logarithmic buckets blur far distances",
            .tasks = "classification, question answering, token labelling",
        },
};

}  // namespace posenc
