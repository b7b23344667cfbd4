#include "posenc/bias/window_operations.hpp"

#include <algorithm>

namespace posenc {
namespace {

Status list_offsets(const WindowSize& window, const char* parameter, NumberList& list) noexcept {
  if (Status status = list.allocate(2, parameter); !status) return status;
  list[0] = static_cast<double>(2 * window.height - 1);
  list[1] = static_cast<double>(2 * window.width - 1);
  return {};
}

// Along one axis: 0 far from the end, 1 and 2 in the last window, before and after what was rolled
// in.
int64_t region(int64_t place, int64_t length, int64_t window, int64_t shift) noexcept {
  if (shift == 0 || place < length - window) return 0;
  return place < length - shift ? 1 : 2;
}

Status check_axis(int64_t length, int64_t window, int64_t shift, const char* axis) noexcept {
  if (length % window != 0) {
    return fail(ErrorCode::kOutOfRange, text_of("image.", axis), text_of(length),
                text_of("a multiple of the window's ", axis, ", which is ", window));
  }
  if (shift < window) return {};
  return fail(ErrorCode::kOutOfRange, text_of("shift.", axis), text_of(shift),
              text_of("less than the window's ", axis, ", which is ", window));
}

}  // namespace

Result<OperationResult> window_index(const Window& window) noexcept {
  const int64_t places = window.places();
  Result<OperationResult> result = OperationResult::make({places, places}, "window");
  if (!result) return result;
  const Positions all = Positions::range(0, places);
  Buffer<float> scratch;
  if (Status status = scratch.allocate(window.scratch_floats(all, all), "window"); !status)
    return std::unexpected(status.error());
  const BiasHead head{0, all, all, scratch.data(), nullptr};
  window.begin(head);
  int32_t index[kPairChunk];
  for (int64_t i = 0; i < places; i++) {
    for (int64_t j = 0; j < places; j += kPairChunk) {
      const int64_t count = std::min(kPairChunk, places - j);
      window.index(head, {i, j, count}, index);
      std::copy_n(index, count, result->data.data() + i * places + j);
    }
  }
  return result;
}

Result<OperationResult> shift_mask(const Window& window,
                                   const ShiftMaskArguments& arguments) noexcept {
  const auto& [image, shift, hidden] = arguments;
  Status status = check_axis(image.height, window.height, shift.height, "height");
  if (status) status = check_axis(image.width, window.width, shift.width, "width");
  if (!status) return std::unexpected(status.error());
  const int64_t down = image.height / window.height, across = image.width / window.width,
                places = window.places();
  Result<OperationResult> result =
      OperationResult::make({down * across, 1, places, places}, "image");
  if (!result) return result;
  float* out = result->data.data();
  for (int64_t w = 0; w < down * across; w++) {
    const auto region_of = [&](int64_t place) {
      const int64_t y = w / across * window.height + place / window.width;
      const int64_t x = w % across * window.width + place % window.width;
      return 3 * region(y, image.height, window.height, shift.height) +
             region(x, image.width, window.width, shift.width);
    };
    for (int64_t i = 0; i < places; i++) {
      for (int64_t j = 0; j < places; j++)
        *out++ = region_of(i) == region_of(j) ? 0 : static_cast<float>(hidden);
    }
  }
  return result;
}

Result<OperationResult> resize_window(const WindowResizeArguments& arguments,
                                      OperationTensors inputs, bool backward) noexcept {
  ResampleArguments resample{{}, {}, 0, arguments.own_rows, arguments.rule};
  Status status = list_offsets(arguments.from, "from", resample.from);
  if (status) status = list_offsets(arguments.to, "to", resample.to);
  if (!status) return std::unexpected(status.error());
  return backward ? resample_table_backward(resample, inputs) : resample_table(resample, inputs);
}

}  // namespace posenc
