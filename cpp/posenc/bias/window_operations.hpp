// Operations of window biases: the index matrix, the mask of shifted windows, and tables resized to
// another window.
#pragma once

#include <array>

#include "posenc/bias/window.hpp"
#include "posenc/core/operation.hpp"
#include "posenc/input/resample.hpp"

namespace posenc {

// index(i, j) of all places, [places, places].
Result<OperationResult> window_index(const Window& window) noexcept;

struct ShiftMaskArguments {
  WindowSize image, shift;
  double hidden = -100;
};

// Swin's mask for windows of an image that was rolled by `shift`: 0 where two places come from one
// region of the image, `hidden` where rolling brought them together. [windows, 1, places, places],
// windows row by row.
Result<OperationResult> shift_mask(const Window& window,
                                   const ShiftMaskArguments& arguments) noexcept;

struct WindowResizeArguments {
  WindowSize from, to;
  ResampleRule rule;
  int64_t own_rows = 0;  // behind the offsets, which stay as they are
};
struct ClassWindowResizeArguments : WindowResizeArguments {
  ClassWindowResizeArguments() noexcept {
    own_rows = 3;
    rule.mode = ResampleMode::kLinear;
  }
};

// A table of one window size for another: the grid of offsets is resampled.
Result<OperationResult> resize_window(const WindowResizeArguments& arguments,
                                      OperationTensors inputs, bool backward) noexcept;
template <typename Arguments>
Result<OperationResult> resize_window_table(const Arguments& arguments,
                                            OperationTensors inputs) noexcept {
  return resize_window(arguments, inputs, false);
}
template <typename Arguments>
Result<OperationResult> resize_window_table_backward(const Arguments& arguments,
                                                     OperationTensors inputs) noexcept {
  return resize_window(arguments, inputs, true);
}

inline constexpr auto kShiftMaskFields = std::to_array<Field>({
    field<&ShiftMaskArguments::image, &WindowSize::height>("image.height")
        .least(1)
        .most(1 << 20)
        .required()
        .about("rows of patches of the image, a multiple of the window's"),
    field<&ShiftMaskArguments::image, &WindowSize::width>("image.width")
        .least(1)
        .most(1 << 20)
        .required()
        .about("columns of patches of the image, a multiple of the window's"),
    field<&ShiftMaskArguments::shift, &WindowSize::height>("shift.height")
        .least(0)
        .most(1024)
        .required()
        .about("rows that the image was rolled by, less than the window's"),
    field<&ShiftMaskArguments::shift, &WindowSize::width>("shift.width")
        .least(0)
        .most(1024)
        .required()
        .about("columns that the image was rolled by, less than the window's"),
    field<&ShiftMaskArguments::hidden>("hidden").most(0.0).about("what is added between regions"),
});

inline constexpr auto kWindowRuleFields = resample_fields<&WindowResizeArguments::rule>(
    "mode", "alignCorners", "antialias", "scaleOffset");
inline constexpr auto kWindowResizeFields = std::to_array<Field>({
    field<&WindowResizeArguments::from, &WindowSize::height>("from.height")
        .least(1)
        .most(1024)
        .required()
        .about("height of the old window"),
    field<&WindowResizeArguments::from, &WindowSize::width>("from.width")
        .least(1)
        .most(1024)
        .required()
        .about("width of the old window"),
    field<&WindowResizeArguments::to, &WindowSize::height>("to.height")
        .least(1)
        .most(1024)
        .required()
        .about("height of the new window"),
    field<&WindowResizeArguments::to, &WindowSize::width>("to.width")
        .least(1)
        .most(1024)
        .required()
        .about("width of the new window"),
    kWindowRuleFields[0],
    kWindowRuleFields[1],
    kWindowRuleFields[2],
    kWindowRuleFields[3],
});
inline constexpr auto kWindowTableInputs = std::to_array<OperationInput>({
    {.name = "table", .doc = "[rows, heads], the table of the old window"},
});
inline constexpr auto kWindowGradientInputs = std::to_array<OperationInput>({
    {.name = "dOut", .doc = "[rows, heads], the gradient of the resized table"},
});

template <typename Arguments>
inline constexpr Operation kWindowResize =
    operation<resize_window_table<Arguments>>("resize", kWindowTableInputs, kWindowResizeFields,
                                              "a table for a window of another size: its grid of "
                                              "offsets is resampled, rows of a class token stay",
                                              "[rows of the new window, heads]");
template <typename Arguments>
inline constexpr Operation kWindowResizeBackward = operation<
    resize_window_table_backward<Arguments>>(
    "resizeBackward", kWindowGradientInputs, kWindowResizeFields,
    "the gradient of a table from the gradient of what `resize` made of it, with the same options",
    "[rows of the old window, heads]");

}  // namespace posenc
