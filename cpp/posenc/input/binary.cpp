#include "posenc/input/binary.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

double positions_of(const BinaryOptions& options) noexcept {
  return math::power(static_cast<double>(options.radix), static_cast<double>(options.digits));
}

}  // namespace

void initialise_binary_layer(const void* options, std::span<float> values,
                             Random& random) noexcept {
  initialise_layer(values, static_cast<const BinaryOptions*>(options)->dim, random);
}

Status Binary::resolve(BinaryOptions& options) noexcept {
  const double count = positions_of(options);
  if (count <= 0x1p53) return {};
  return fail(ErrorCode::kTooLarge, "digits",
              text_of(options.digits, " digits of radix ", options.radix),
              "at most 2^53 positions, radix^digits");
}

Status Binary::prepare() noexcept {
  if (!options_.ffn) return {};
  const Network network(parameters_, options_.activation);
  return scratch_.allocate(network.scratch_floats() + 2 * Network::kRows * options_.dim, "hidden");
}

PositionDomain Binary::domain() const noexcept {
  PositionDomain domain = info.domain;
  domain.limit = positions_of(options_);
  return domain;
}

void Binary::digits_of(double position, int64_t* digits) const noexcept {
  auto rest = static_cast<int64_t>(position);
  for (int64_t k = 0; k < options_.digits; k++) {
    const int64_t above = rest / options_.radix, digit = rest % options_.radix;
    const bool reflected = options_.code == BinaryCode::kGray && above % 2 != 0;
    digits[k] = reflected ? options_.radix - 1 - digit : digit;
    rest = above;
  }
}

template <typename Body>
void Binary::for_vectors(double position, Body body) const noexcept {
  const int64_t skipped = options_.zero_vector ? 0 : 1, vectors = options_.radix - skipped;
  int64_t digits[kMaxDigits];
  digits_of(position, digits);
  for (int64_t k = 0; k < options_.digits; k++) {
    if (digits[k] >= skipped) body((k * vectors + digits[k] - skipped) * options_.dim);
  }
}

void Binary::sum(const Positions& positions, float* out) const noexcept {
  const float* table = parameters_.values("table");
  for (int64_t i = 0; i < positions.count; i++, out += options_.dim) {
    std::fill_n(out, options_.dim, 0.0F);
    for_vectors(positions.at(i), [&](int64_t at) { kernels::add(table + at, options_.dim, out); });
  }
}

void Binary::scatter(const Positions& positions, const float* d_sum,
                     float* d_table) const noexcept {
  for (int64_t i = 0; i < positions.count; i++, d_sum += options_.dim) {
    for_vectors(positions.at(i),
                [&](int64_t at) { kernels::add(d_sum, options_.dim, d_table + at); });
  }
}

void Binary::encode(const Positions& positions, float* out) const noexcept {
  if (!options_.ffn) return sum(positions, out);
  const Network network(parameters_, options_.activation);
  float* sums = scratch_.data() + network.scratch_floats();
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    sum(positions.slice(first, rows), sums);
    network.forward(sums, rows, scratch_.data(), out + first * options_.dim);
  }
}

void Binary::backward(const Positions& positions, const float* d_out,
                      Gradients& gradients) const noexcept {
  float* d_table = gradient_of(parameters_, gradients, "table");
  if (!options_.ffn) {
    if (d_table) scatter(positions, d_out, d_table);
    return;
  }
  const Network network(parameters_, options_.activation);
  float* sums = scratch_.data() + network.scratch_floats();
  float* d_sums = sums + Network::kRows * options_.dim;
  for (int64_t first = 0; first < positions.count; first += Network::kRows) {
    const int64_t rows = std::min(Network::kRows, positions.count - first);
    const Positions part = positions.slice(first, rows);
    sum(part, sums);
    network.forward(sums, rows, scratch_.data(), nullptr);
    network.backward(sums, rows, d_out + first * options_.dim, gradients, scratch_.data(),
                     d_table ? d_sums : nullptr);
    if (d_table) scatter(part, d_sums, d_table);
  }
}

Result<OperationResult> binary_digits(const Binary& binary, const NoArguments&,
                                      OperationTensors inputs) noexcept {
  const TensorView<const double>& positions = inputs[0];
  if (positions.shape.rank == kMaxRank) {
    return fail(ErrorCode::kShapeMismatch, "positions", text_of_shape(positions.shape), "[.., n]");
  }
  const auto count = static_cast<int64_t>(positions.data.size());
  const Positions list = Positions::array(positions.data.data(), count);
  if (Status status = check_positions(list, binary.domain(), "positions"); !status)
    return std::unexpected(status.error());
  Shape shape = positions.shape;
  const int64_t places = binary.options().digits;
  shape.push(places);
  Result<OperationResult> result = OperationResult::make(shape, "positions");
  if (!result) return result;
  int64_t digits[Binary::kMaxDigits];
  for (int64_t i = 0; i < count; i++) {
    binary.digits_of(list.at(i), digits);
    for (int64_t k = 0; k < places; k++)
      result->data[i * places + k] = static_cast<float>(digits[places - 1 - k]);
  }
  return result;
}

}  // namespace posenc
