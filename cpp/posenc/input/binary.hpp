// Rows from the digits of the position: PE(p) = Σ_k e_k[digit_k(p)], one trained vector per place k
// and digit, digit 0 with its own or none. Plain digits, or the reflected Gray code, in which
// neighbours differ in one digit by one:
//   gray_k(p) = digit_k(p) where the number above place k is even, else radix - 1 - digit_k(p)
// With `ffn` a network of one hidden layer makes the row from the sum. Additions in single
// precision, place by place.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/network.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class BinaryCode : uint8_t { kPlain, kGray };
inline constexpr const char* kBinaryCodeNames[] = {"plain", "gray"};

struct BinaryOptions {
  int64_t dim = 0;
  int64_t radix = 2;
  int64_t digits = 0;
  BinaryCode code = BinaryCode::kPlain;
  bool zero_vector = true;
  bool ffn = false;
  int64_t hidden = 64;
  kernels::Activation activation = kernels::Activation::kGelu;
};

class Binary : public EncodingBase<BinaryOptions> {
 public:
  static const Info info;
  static constexpr int64_t kMaxDigits = 53;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(BinaryOptions& options) noexcept;
  Status prepare() noexcept;
  // The digits of a position, lowest place first.
  void digits_of(double position, int64_t* digits) const noexcept;

 private:
  // Calls body(place in the table) for each digit that has a vector.
  template <typename Body>
  void for_vectors(double position, Body body) const noexcept;
  void sum(const Positions& positions, float* out) const noexcept;
  void scatter(const Positions& positions, const float* d_sum, float* d_table) const noexcept;

  mutable Buffer<float> scratch_;
};

// [n, digits], the highest place first
Result<OperationResult> binary_digits(const Binary& binary, const NoArguments&,
                                      OperationTensors inputs) noexcept;

inline constexpr auto kBinaryDigitsInputs = std::to_array<OperationInput>({
    {.name = "positions", .doc = "[.., n]"},
});

inline constexpr auto kBinaryOperations = std::to_array<Operation>({
    operation<binary_digits>(
        "code", kBinaryDigitsInputs, {},
        "the digits of positions in the code chosen: how many differ is the Hamming distance",
        "[.., n, digits], the highest place first"),
});

inline constexpr auto kBinaryFfn = when("ffn", true);

inline constexpr auto kBinaryFields = std::to_array<Field>({
    field<&BinaryOptions::dim>("dim").least(1).most(1 << 16).required().shown(2, 256).about(
        "width d of a row"),
    field<&BinaryOptions::radix>("radix").least(2).most(1 << 16).shown(2, 10).about(
        "number of values of a digit"),
    field<&BinaryOptions::digits>("digits")
        .least(1)
        .most(Binary::kMaxDigits)
        .required()
        .shown(1, 12)
        .about("number of places K: radix^K positions have a row"),
    field<&BinaryOptions::code>("code")
        .of(kBinaryCodeNames)
        .about("plain digits, or the reflected Gray code, in which neighbours differ in one place"),
    field<&BinaryOptions::zero_vector>("zeroVector")
        .about("whether digit 0 has a vector of its own in each place, or adds nothing"),
    field<&BinaryOptions::ffn>("ffn").about("a network of one hidden layer on top of the sum"),
    field<&BinaryOptions::hidden>("hidden")
        .least(1)
        .most(1 << 14)
        .only(kBinaryFfn)
        .about("width of the network's hidden layer"),
    field<&BinaryOptions::activation>("activation")
        .of(kernels::kActivationNames)
        .only(kBinaryFfn)
        .about("the network's activation"),
});

constexpr TensorInfo binary_layer(const char* name, const char* shape, Doc doc, Doc initial,
                                  decltype(TensorInfo::initialise) initialise) {
  return {.name = name,
          .shape = shape,
          .present = kBinaryFfn,
          .initialise = initialise,
          .doc = doc,
          .initial_doc = initial};
}

// Uniform in ±1/√dim.
void initialise_binary_layer(const void* options, std::span<float> values, Random& random) noexcept;

inline constexpr auto kBinaryTensors = std::to_array<TensorInfo>({
    {.name = "table",
     .shape = "[digits, radix - 1 + zeroVector, dim]",
     .initialise = initialise_table,
     .doc = "a vector per place, lowest first, and digit; without zeroVector from digit 1 on",
     .initial_doc = "normal with deviation 0.02"},
    binary_layer("weight1", "[hidden, dim]", "first layer of the network", "uniform in ±1/√dim",
                 initialise_binary_layer),
    binary_layer("bias1", "[hidden]", "bias of the first layer", "uniform in ±1/√dim",
                 initialise_binary_layer),
    binary_layer("weightOut", "[dim, hidden]", "second layer of the network",
                 "uniform in ±1/√hidden", initialise_hidden_layer<BinaryOptions>),
    binary_layer("biasOut", "[dim]", "bias of the second layer", "uniform in ±1/√hidden",
                 initialise_hidden_layer<BinaryOptions>),
});

inline constexpr Info Binary::info = {
    .id = "binary",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kNaturals, .limit = 0x1p53, .axes = 1},
    .fields = kBinaryFields,
    .tensors = kBinaryTensors,
    .operations = kBinaryOperations,
    .docs =
        {
            .title = "Digits",
            .summary = "Writes the position in binary, or in another base, and adds up one trained "
                       "vector per digit. A thousand "
                       "positions need ten vectors of each kind instead of a thousand rows.",
            .paper = "the reflected code: Gray 1953, Pulse Code Communication, US patent 2,632,058",
            .url = "https://patents.google.com/patent/US2632058A",
            .formula =
                "PE(p)=\\sum_{k=0}^{K-1} e_k\\big[d_k(p)\\big],\\qquad p=\\sum_k d_k(p)\\,r^k",
            .kind = "absolute",
            .extrapolates = "no: a place whose digit was always 0 in training has no trained "
                            "vector for the others, so a model "
                            "trained on 0 to 127 knows nothing of bit 7",
            .models = "studies",
            .good = "very few parameters for very long ranges",
            .bad = "neighbours may differ in many digits (127 and 128 in all eight bits); the Gray "
                   "code mends that",
            .tasks = "memory-bound models, studies",
        },
};

}  // namespace posenc
