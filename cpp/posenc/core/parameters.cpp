#include "posenc/core/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/expression.hpp"

namespace posenc {

Result<Shape> evaluate_shape(std::string_view text, Fields fields, const void* options) noexcept {
  Shape shape;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const Result<int64_t> extent = evaluate(text.substr(0, comma), fields, options);
    if (!extent) return std::unexpected(extent.error());
    shape.push(*extent);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return shape;
}

ParameterSet::ParameterSet() noexcept = default;
ParameterSet::ParameterSet(ParameterSet&&) noexcept = default;
ParameterSet& ParameterSet::operator=(ParameterSet&&) noexcept = default;
ParameterSet::~ParameterSet() = default;

Status ParameterSet::prepare(const Info& info, const void* options, uint64_t seed) noexcept {
  Random random(seed);
  count_ = 0;
  for (const TensorInfo& tensor : info.tensors) {
    if (!holds(tensor.present, info.fields, options)) continue;
    const Result<Shape> shape = evaluate_shape(tensor.shape, info.fields, options);
    if (!shape) return std::unexpected(shape.error());
    const Result<int64_t> count = element_count(*shape, tensor.name);
    if (!count) return std::unexpected(count.error());
    const Result<int64_t> below =
        tensor.index_below ? evaluate(tensor.index_below, info.fields, options) : 0;
    if (!below) return std::unexpected(below.error());
    ParameterTensor& made = (*this)[count_++];
    made.info = &tensor;
    made.shape = *shape;
    made.trained = !tensor.index_below && holds(tensor.trained, info.fields, options);
    made.index_below = *below;
    if (Status status = made.values.allocate_zeros(*count, tensor.name); !status) return status;
    if (tensor.initialise) tensor.initialise(options, made.values.span(), random);
  }
  return {};
}

int ParameterSet::find(std::string_view name) const noexcept {
  for (int i = 0; i < count_; i++) {
    if (name == (*this)[i].info->name) return i;
  }
  return -1;
}

Status ParameterSet::check(std::string_view name, std::span<const float> values) const noexcept {
  const int index = find(name);
  if (index < 0) {
    Text allowed(count_ == 0 ? "no tensors" : "one of ");
    for (int i = 0; i < count_; i++)
      allowed.append(i > 0 ? ", " : "").append((*this)[i].info->name);
    return fail(ErrorCode::kUnknownOption, Text("weights.").append(name), Text(name), allowed);
  }
  const ParameterTensor& tensor = (*this)[index];
  const Text parameter = Text("weights.").append(name);
  if (static_cast<int64_t>(values.size()) != tensor.values.size()) {
    return fail(ErrorCode::kShapeMismatch, parameter,
                text_of(static_cast<int64_t>(values.size()), " elements"),
                Text("shape ").append(text_of_shape(tensor.shape).view()));
  }
  for (std::size_t i = 0; i < values.size(); i++) {
    const auto value = static_cast<double>(values[i]),
               below = static_cast<double>(tensor.index_below);
    const bool index = value >= 0 && value < below && value == std::floor(value);
    if (below > 0 ? index : std::isfinite(value)) continue;
    return fail(
        ErrorCode::kOutOfRange, parameter, text_of(value, " at index ", static_cast<int64_t>(i)),
        below > 0 ? text_of("whole numbers from 0 to ", below - 1) : Text("finite numbers"));
  }
  return {};
}

Status ParameterSet::set(std::string_view name, std::span<const float> values) noexcept {
  if (Status status = check(name, values); !status) return status;
  std::copy(values.begin(), values.end(), (*this)[find(name)].values.data());
  return {};
}

int64_t ParameterSet::total_elements() const noexcept {
  int64_t total = 0;
  for (int i = 0; i < count_; i++) total += (*this)[i].values.size();
  return total;
}

}  // namespace posenc
