// Rows of sines, an encoding chosen by name, and causal attention with RoPE and ALiBi: what the
// library does, in C++.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/encodings.hpp"

namespace {

// Errors are values: they name the parameter, what came and what is allowed.
int report(const posenc::Error& error) {
  const auto print = [](const char* label, std::string_view text) {
    std::fprintf(stderr, "%s%.*s", label, static_cast<int>(text.size()), text.data());
  };
  print("", error.parameter());
  print(": received ", error.received());
  print(", allowed ", error.allowed());
  std::fputc('\n', stderr);
  return 1;
}

int print_sines() {
  const posenc::Result<posenc::Sinusoidal> sines = posenc::make<posenc::Sinusoidal>({.dim = 4});
  if (!sines) return report(sines.error());
  std::vector<float> rows(3 * 4);
  sines->encode(posenc::Positions::range(0, 3), rows.data());
  std::printf("sinusoidal(1) = %.6f %.6f %.6f %.6f\n", rows[4], rows[5], rows[6], rows[7]);
  return 0;
}

int attend() {
  constexpr int64_t kHeads = 2, kLength = 3, kWidth = 4;
  // Attention takes encodings by their family's interface; an adapter makes one of a class.
  auto rope = posenc::make<posenc::Rope>({.head_dim = kWidth});
  auto alibi = posenc::make<posenc::Alibi>({.heads = kHeads});
  if (!rope) return report(rope.error());
  if (!alibi) return report(alibi.error());
  posenc::RotaryAdapter<posenc::Rope> rotary(std::move(*rope));
  posenc::DistanceBiasAdapter<posenc::Alibi> bias(std::move(*alibi));
  const std::array<posenc::Encoding*, 2> encodings = {&rotary, &bias};

  const auto attention = posenc::Attention::make(
      {.heads = kHeads, .head_dim = kWidth, .causal = posenc::Causal::kBottomRight}, encodings);
  if (!attention) return report(attention.error());

  std::vector<float> x(kHeads * kLength * kWidth), out(x.size());
  for (std::size_t i = 0; i < x.size(); i++)
    x[i] = static_cast<float>(std::sin(static_cast<double>(i)));
  const auto rows = posenc::HeadRows<const float>::heads(x.data(), kHeads, kLength, kWidth);
  const posenc::AttentionInputs inputs = {
      .batch = 1, .q_len = kLength, .k_len = kLength, .q = rows, .k = rows, .v = rows};
  const posenc::AttentionOutputs outputs = {
      .out = posenc::HeadRows<float>::heads(out.data(), kHeads, kLength, kWidth)};
  if (const posenc::Status status = attention->forward(inputs, outputs); !status)
    return report(status.error());
  std::printf("attention: first token %.6f, last %.6f\n", out[0], out[out.size() - 1]);
  return 0;
}

// Any of the encodings by its id, with options by their names.
int choose_by_name() {
  const posenc::EncodingType* type = posenc::find_encoding("t5");
  const std::unique_ptr<posenc::Encoding> encoding(type->create());
  if (!encoding) return 1;
  posenc::Status status = posenc::set_number(type->info->fields, encoding->options(), "heads", 12);
  if (status)
    status =
        posenc::set_number(type->info->fields, encoding->options(), "numBuckets", -1);  // refused
  if (status) return 1;
  std::printf("refused: %.*s\n", static_cast<int>(status.error().parameter().size()),
              status.error().parameter().data());
  return 0;
}

}  // namespace

int main() { return print_sines() + attend() + choose_by_name(); }
