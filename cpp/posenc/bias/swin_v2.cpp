#include "posenc/bias/swin_v2.hpp"

#include <algorithm>

#include "posenc/core/math.hpp"
#include "posenc/kernels/activation.hpp"
#include "posenc/kernels/dense.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/lookup.hpp"

namespace posenc {
namespace {

constexpr int64_t kRows = 16;  // offsets whose hidden layer is made at a time
constexpr float kTop = 16;

// `offset` places along an axis of `size` places, on the scale of the network. An axis of one place
// has offset 0 only.
float coordinate(int64_t offset, int64_t size) noexcept {
  const double scaled =
      8 * static_cast<double>(offset) / static_cast<double>(std::max<int64_t>(size - 1, 1));
  return static_cast<float>(std::copysign(math::log2(std::abs(scaled) + 1) / 3, scaled));
}

}  // namespace

PositionDomain SwinV2::domain() const noexcept {
  return {
      .kind = DomainKind::kNaturals, .limit = static_cast<double>(window().places()), .axes = 1};
}

Status SwinV2::prepare() noexcept {
  const int64_t offsets = window().offsets();
  const Result<int64_t> size = checked_product(offsets, options_.heads, "window");
  if (!size) return std::unexpected(size.error());
  Status status = coordinates_.allocate(2 * offsets, "window");
  if (status) status = table_.allocate(*size, "window");
  if (status) status = hidden_.allocate(kRows * options_.hidden, "hidden");
  if (status) status = d_hidden_.allocate(kRows * options_.hidden, "hidden");
  if (!status) return status;
  const auto& [height, width] = options_.window;
  const int64_t rows = options_.pretrained.height > 0 ? options_.pretrained.height : height;
  const int64_t columns = options_.pretrained.width > 0 ? options_.pretrained.width : width;
  float* out = coordinates_.data();
  for (int64_t y = 1 - height; y < height; y++) {
    for (int64_t x = 1 - width; x < width; x++)
      *out++ = coordinate(y, rows), *out++ = coordinate(x, columns);
  }
  return {};
}

void SwinV2::make_hidden(int64_t first, int64_t rows) const noexcept {
  kernels::dense(
      {parameters_[kW1].values.data(), parameters_[kB1].values.data(), 2, options_.hidden},
      coordinates_.data() + 2 * first, rows, d_hidden_.data());
  kernels::activate(kernels::Activation::kRelu, d_hidden_.data(), rows * options_.hidden,
                    hidden_.data());
}

void SwinV2::make_table() const noexcept {
  const int64_t offsets = window().offsets(), heads = options_.heads;
  for (int64_t first = 0; first < offsets; first += kRows) {
    const int64_t rows = std::min(kRows, offsets - first);
    make_hidden(first, rows);
    kernels::dense({parameters_[kW2].values.data(), nullptr, options_.hidden, heads},
                   hidden_.data(), rows, table_.data() + first * heads);
  }
  kernels::activate(kernels::Activation::kSigmoid, table_.data(), offsets * heads, table_.data());
  kernels::scale(table_.data(), kTop, offsets * heads, table_.data());
  table_version_ = parameters_.version();
}

void SwinV2::begin(const BiasHead& head) const noexcept {
  if (table_version_ != parameters_.version()) make_table();
  kernels::take_column(table_.data(), window().offsets(), options_.heads, head.head, head.values);
  window().begin(head);
}

void SwinV2::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  const int64_t offsets = window().offsets(), hidden = options_.hidden;
  // Through 16·sigmoid, whose slope is value · (1 - value / 16).
  for (int64_t i = 0; i < offsets; i++)
    head.sums[i] *= head.values[i] * (1 - head.values[i] / kTop);
  for (int64_t first = 0; first < offsets; first += kRows) {
    const int64_t rows = std::min(kRows, offsets - first);
    const float* d_out = head.sums + first;
    make_hidden(first, rows);
    const float* w2 = parameters_[kW2].values.data() + head.head * hidden;
    float* d_w2 = gradients.of[kW2] ? gradients.of[kW2] + head.head * hidden : nullptr;
    for (int64_t r = 0; r < rows; r++) {
      float *bent = hidden_.data() + r * hidden, *before = d_hidden_.data() + r * hidden;
      if (d_w2) kernels::scale_add(bent, d_out[r], d_w2, hidden, d_w2);
      kernels::scale(w2, d_out[r], hidden, bent);  // now the gradient of the hidden layer
      kernels::activate_backward(kernels::Activation::kRelu, before, hidden, bent);
    }
    kernels::dense_backward(
        {parameters_[kW1].values.data(), parameters_[kB1].values.data(), 2, hidden},
        coordinates_.data() + 2 * first, hidden_.data(), rows,
        {gradients.of[kW1], gradients.of[kB1], nullptr});
  }
}

Result<OperationResult> swin_v2_index(const SwinV2& swin, const NoArguments&,
                                      OperationTensors) noexcept {
  return window_index(swin.window());
}

Result<OperationResult> swin_v2_coordinates(const SwinV2& swin, const NoArguments&,
                                            OperationTensors) noexcept {
  const auto& [height, width] = swin.options().window;
  Result<OperationResult> result =
      OperationResult::make({2 * height - 1, 2 * width - 1, 2}, "window");
  if (result)
    kernels::copy(swin.coordinates().data(), swin.coordinates().size(), result->data.data());
  return result;
}

Result<OperationResult> swin_v2_shift_mask(const SwinV2& swin, const ShiftMaskArguments& arguments,
                                           OperationTensors) noexcept {
  return shift_mask(swin.window(), arguments);
}

}  // namespace posenc
