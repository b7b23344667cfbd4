// Every position is a mix of a few rows of a dictionary: PE(p) = Σ_k c[p, k] · D[i[p, k]].
// Rows and weights are given, trained (dictionary and coefficients, not the choice of rows) or
// fitted to a table by orthogonal matching pursuit (Pati, Rezaiifar & Krishnaprasad 1993): take the
// row that points most along what is left, solve for all coefficients taken so far, again. The fit
// is in double.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

struct SparseOptions {
  int64_t dim = 0;
  int64_t max_length = 0;
  int64_t atoms = 0;
  int64_t nonzeros = 4;
};

class Sparse : public EncodingBase<SparseOptions> {
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

struct SparseFitArguments {
  int64_t nonzeros = 4;
};

Result<OperationResult> sparse_fit(const SparseFitArguments& arguments,
                                   OperationTensors inputs) noexcept;
void initialise_indices(const void* options, std::span<float> values, Random& random) noexcept;

inline constexpr auto kSparseFields = std::to_array<Field>({
    field<&SparseOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&SparseOptions::max_length>("maxLength")
        .least(1)
        .most(0x1p31 - 1)
        .required()
        .shown(4, 512, true)
        .about("number of positions that have a row"),
    field<&SparseOptions::atoms>("atoms").least(1).most(0x1p24).required().shown(2, 64).about(
        "rows of the dictionary"),
    field<&SparseOptions::nonzeros>("nonzeros")
        .least(1)
        .most(64)
        .most("atoms")
        .shown(1, 16)
        .about("rows of the dictionary that each position mixes"),
});

inline constexpr auto kSparseTensors = std::to_array<TensorInfo>({
    {.name = "dictionary",
     .shape = "[atoms, dim]",
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           const auto mixed =
               static_cast<double>(static_cast<const SparseOptions*>(options)->nonzeros);
           for (float& value : values)
             value = static_cast<float>(random.normal() / std::sqrt(mixed));
         },
     .doc = "rows that positions are mixed from",
     .initial_doc = "normal with deviation 1 / sqrt(nonzeros)"},
    {.name = "indices",
     .shape = "[maxLength, nonzeros]",
     .index_below = "atoms",
     .initialise = initialise_indices,
     .doc = "which rows of the dictionary each position mixes; not trained",
     .initial_doc = "drawn without repeats"},
    {.name = "coefficients",
     .shape = "[maxLength, nonzeros]",
     .initialise = initialise_table,
     .doc = "how much of each of them",
     .initial_doc = "normal with deviation 0.02"},
});

inline constexpr auto kSparseFitFields = std::to_array<Field>({
    field<&SparseFitArguments::nonzeros>("nonzeros")
        .least(1)
        .most(64)
        .about("rows of the dictionary that each position mixes"),
});
inline constexpr auto kSparseFitInputs = std::to_array<OperationInput>({
    {.name = "table", .doc = "[L, d], such as a trained table of positions"},
    {.name = "dictionary", .doc = "[atoms, d]"},
});
inline constexpr auto kSparseFitResults = std::to_array<OperationInput>({
    {.name = "indices", .doc = "[L, nonzeros], in the order in which they were taken"},
    {.name = "coefficients", .doc = "[L, nonzeros]"},
    {.name = "explained",
     .doc = "[1], the share of the table's sum of squares that the mixes explain"},
});

inline constexpr auto kSparseOperations = std::to_array<Operation>({
    operation<sparse_fit>("fit", kSparseFitInputs, kSparseFitFields,
                          "rows of a dictionary and coefficients for each row of a table, by "
                          "orthogonal matching pursuit",
                          "indices, coefficients, and the share explained", kSparseFitResults),
});

inline constexpr Info Sparse::info = {
    .id = "sparse",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p31, .axes = 1},
    .fields = kSparseFields,
    .tensors = kSparseTensors,
    .operations = kSparseOperations,
    .docs =
        {
            .title = "Sparse",
            .summary = "Spells each position with a few words of a small dictionary: four rows out "
                       "of sixty-four, each with a weight. "
                       "Far positions may share words, which a table cannot do.",
            .paper = "Pati, Rezaiifar & Krishnaprasad 1993, Orthogonal Matching Pursuit",
            .url = "https://doi.org/10.1109/ACSSC.1993.342465",
            .formula = "PE(p)=\\sum_{k=1}^{K} c_{pk}\\,D_{i_{pk}}",
            .kind = "absolute",
            .extrapolates = "no: there are no coefficients beyond the table",
            .models = "none of the well-known ones; a tool for compressing and studying tables",
            .good = "few numbers per position, shared structure between positions",
            .bad = "the choice of rows is not trained by gradients",
            .tasks = "compression, study of trained tables",
        },
};

}  // namespace posenc
