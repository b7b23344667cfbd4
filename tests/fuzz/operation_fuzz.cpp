// What encodings offer beyond their family's calls (resampling to any size, permutations, bucket
// indices, position helpers, fits) with any arguments and tensors of any shape.
#include <cstdint>
#include <vector>

#include "encodings.hpp"

namespace posenc::fuzz {
namespace {

constexpr int64_t kMost = 1 << 12;

struct DrawnTensor {
  std::vector<double> values;
  Shape shape;
};

// Ranks 0 to 4 with small extents, sometimes 0: as many values as the shape says, as the package's
// checks guarantee.
DrawnTensor draw_tensor(Draw& draw) {
  DrawnTensor tensor;
  int64_t count = 1;
  const int64_t rank = draw.chance(2) ? 2 : draw.below(5);
  for (int64_t axis = 0; axis < rank; axis++) {
    tensor.shape.push(draw.below(draw.chance(4) ? 65 : 10));
    count *= tensor.shape.back(0);
  }
  if (count > kMost) return {.values = {0}, .shape = {1}};
  tensor.values =
      draw.chance(4) ? draw.numbers(count) : std::vector<double>(static_cast<std::size_t>(count));
  if (draw.chance(2)) {
    for (double& value : tensor.values) value = static_cast<double>(draw.between(-1, 8));
  }
  tensor.values.reserve(1);  // given, though it may be empty
  return tensor;
}

void check_result(const OperationResult& result) {
  for (const OperationResult* one = &result; one; one = one->next.get()) {
    const auto count = element_count(one->shape, "result");
    expect(count && *count == one->data.size(), "a result is as long as its shape says");
    float sum = 0;
    for (const float value : one->data.span()) sum += value;  // all of it can be read
    expect(sum == sum || sum != sum, "read");
  }
}

}  // namespace

void run(Draw& draw) {
  const EncodingType& type = draw_type(draw);
  const auto operations = type.info->operations;
  if (operations.empty()) return;
  const Operation& operation =
      operations[static_cast<std::size_t>(draw.below(static_cast<int64_t>(operations.size())))];
  std::unique_ptr<Encoding> encoding;
  if (operation.needs_instance) {
    encoding = draw_encoding(draw, type);
    if (!encoding || encoding->parameters().total_elements() > kMost) return;
  }
  const Options arguments(operation.make_arguments(), operation.free_arguments);
  if (!arguments || !draw_options(draw, operation.fields, arguments.get(), {})) return;

  std::vector<DrawnTensor> tensors;
  for (std::size_t i = 0; i < operation.inputs.size(); i++) tensors.push_back(draw_tensor(draw));
  std::vector<TensorView<const double>> views;
  for (std::size_t i = 0; i < tensors.size(); i++) {
    const bool left_out = !operation.inputs[i].required && draw.chance(2);
    views.push_back(left_out ? TensorView<const double>{}
                             : TensorView<const double>{tensors[i].values, tensors[i].shape});
  }
  const auto result = operation.run({.encoding = encoding ? encoding->object() : nullptr,
                                     .arguments = arguments.get(),
                                     .inputs = views});
  if (result)
    check_result(*result);
  else
    expect_named(result.error());
}

}  // namespace posenc::fuzz
