// A table of positions as a product of two thin ones: PE(p) = Σ_k C[p, k] · B[k], L·r + r·d numbers
// instead of L·d. By Eckart & Young 1936 the best such product of a given table comes from its
// singular values; `fit` computes it:
//   table = U S Vᵀ, coefficients = U_r √S_r, basis = √S_r V_rᵀ, explained = (s_1² + .. + s_k²) /
//   (s_1² + ..)
// The entry of largest magnitude of each row of the basis is positive. Singular values are found in
// double through the smaller Gram matrix, those below 1e-7 of the largest only roughly;
// coefficients and basis fit one another all the same.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

struct LowRankOptions {
  int64_t dim = 0;
  int64_t max_length = 0;
  int64_t rank = 0;
};

class LowRank : public EncodingBase<LowRankOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept {
    return {.kind = DomainKind::kNaturals, .limit = static_cast<double>(options_.max_length)};
  }
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
};

struct LowRankFitArguments {
  int64_t rank = 0;
};

Result<OperationResult> low_rank_fit(const LowRankFitArguments& arguments,
                                     OperationTensors inputs) noexcept;

inline constexpr auto kLowRankFields = std::to_array<Field>({
    field<&LowRankOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&LowRankOptions::max_length>("maxLength")
        .least(1)
        .most(0x1p31 - 1)
        .required()
        .shown(4, 512, true)
        .about("number L of positions that have a row"),
    field<&LowRankOptions::rank>("rank").least(1).most(1 << 16).required().shown(1, 32).about(
        "number r of rows of the basis"),
});

inline constexpr auto kLowRankTensors = std::to_array<TensorInfo>({
    {.name = "coefficients",
     .shape = "[maxLength, rank]",
     .initialise = initialise_table,
     .doc = "how much of each row of the basis a position has",
     .initial_doc = "normal with deviation 0.02"},
    {.name = "basis",
     .shape = "[rank, dim]",
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           const auto rank = static_cast<double>(static_cast<const LowRankOptions*>(options)->rank);
           for (float& value : values)
             value = static_cast<float>(random.normal() / std::sqrt(rank));
         },
     .doc = "rows that all positions are mixed from",
     .initial_doc =
         "normal with deviation 1 / sqrt(rank), so that rows have that of a learned table"},
});

inline constexpr auto kLowRankFitFields = std::to_array<Field>({
    field<&LowRankFitArguments::rank>("rank").least(1).most(1 << 16).required().about(
        "number r of rows of the basis"),
});
inline constexpr auto kLowRankFitInputs = std::to_array<OperationInput>({
    {.name = "table", .doc = "[L, d], such as a trained table of positions"},
});
inline constexpr auto kLowRankFitResults = std::to_array<OperationInput>({
    {.name = "coefficients", .doc = "[L, rank]"},
    {.name = "basis", .doc = "[rank, d]"},
    {.name = "explained",
     .doc = "[rank], the share of the table's sum of squares that the first k rows of the basis "
            "explain"},
});

inline constexpr auto kLowRankOperations = std::to_array<Operation>({
    operation<low_rank_fit>(
        "fit", kLowRankFitInputs, kLowRankFitFields,
        "the product of that rank that is nearest to a table, by its singular values",
        "coefficients, basis, and the share explained", kLowRankFitResults),
});

inline constexpr Info LowRank::info = {
    .id = "lowRank",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p31, .axes = 1},
    .fields = kLowRankFields,
    .tensors = kLowRankTensors,
    .operations = kLowRankOperations,
    .docs =
        {
            .title = "Low rank",
            .summary = "A learned table written as a product of two small ones. Trained tables are "
                       "smooth, so a few dozen basis rows "
                       "mixed per position say nearly all that they say.",
            .paper = "Eckart & Young 1936, The approximation of one matrix by another of lower "
                     "rank; the idea of ALBERT (Lan et al. 2019) "
                     "applied to positions",
            .url = "https://arxiv.org/abs/1909.11942",
            .formula = "PE(p)=\\sum_{k=1}^{r} C_{pk}\\,B_k",
            .kind = "absolute",
            .extrapolates = "no: there are no coefficients beyond the table",
            .models = "compressed BERT-like models",
            .good = "a fraction of the parameters; shows how much a trained table really holds",
            .bad = "one more product per row; the rank has to be chosen",
            .tasks = "compression, study of trained tables",
        },
};

}  // namespace posenc
