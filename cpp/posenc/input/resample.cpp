#include "posenc/input/resample.hpp"

#include <algorithm>

namespace posenc {
namespace {

struct Extents {
  int64_t rows, cols;
};

Extents extents_of(const NumberList& list) noexcept {
  return {static_cast<int64_t>(list[0]), list.size() == 2 ? static_cast<int64_t>(list[1]) : 1};
}

Status check_sizes(const NumberList& list, int64_t axes, const char* parameter) noexcept {
  if (list.size() != axes) {
    return fail(ErrorCode::kShapeMismatch, parameter, text_of(list.size(), " sizes"),
                axes == 0 ? Text("[length] or [rows, cols]") : text_of(axes, ", one per axis"));
  }
  const Extents extents = extents_of(list);
  const Result<int64_t> count = checked_product(extents.rows, extents.cols, parameter);
  return count ? Status{} : std::unexpected(count.error());
}

// Rows of the table that are resampled: all but prefix and suffix.
Result<Extents> old_extents(const ResampleArguments& arguments, int64_t rows) noexcept {
  const int64_t kept = arguments.prefix + arguments.suffix;
  Extents extents{std::max<int64_t>(rows - kept, 0), 1};
  if (arguments.from.size() > 0) {
    if (Status status = check_sizes(arguments.from, arguments.to.size(), "from"); !status) {
      return std::unexpected(status.error());
    }
    extents = extents_of(arguments.from);
  } else if (arguments.to.size() != 1) {
    return fail(ErrorCode::kMissingOption, "from", "nothing",
                "[rows, cols] of the table: it need not be square");
  }
  if (extents.rows * extents.cols + kept != rows || extents.rows < 1) {
    return fail(ErrorCode::kShapeMismatch, "table", text_of(rows, " rows"),
                text_of(kept, " in front and behind, and ", extents.rows, " x ", extents.cols));
  }
  return extents;
}

// What both directions need: the grid, and floats of the input.
struct Task {
  ResampleGrid grid;
  Buffer<float> x;
  int64_t width = 0;

  Status prepare(const ResampleArguments& arguments, const TensorView<const double>& input,
                 bool backward) noexcept;
};

Status Task::prepare(const ResampleArguments& arguments, const TensorView<const double>& input,
                     bool backward) noexcept {
  if (Status status = check_fields(kResampleFields, &arguments); !status) return status;
  if (Status status = check_rule(arguments.rule); !status) return status;
  const char* name = backward ? "dOut" : "table";
  if (input.shape.rank != 2) {
    return fail(ErrorCode::kShapeMismatch, name, text_of_shape(input.shape), "[rows, width]");
  }
  const auto axes = std::clamp<int64_t>(arguments.to.size(), 1, 2);
  if (Status status = check_sizes(arguments.to, axes, "to"); !status) return status;
  const Extents to = extents_of(arguments.to);
  const int64_t kept = arguments.prefix + arguments.suffix;
  Extents from{1, 1};
  if (backward) {
    if (Status status = check_sizes(arguments.from, axes, "from"); !status) return status;
    from = extents_of(arguments.from);
    if (to.rows * to.cols + kept != input.shape[0]) {
      return fail(ErrorCode::kShapeMismatch, name, text_of(input.shape[0], " rows"),
                  text_of(kept, " in front and behind, and ", to.rows, " x ", to.cols));
    }
  } else {
    const Result<Extents> old = old_extents(arguments, input.shape[0]);
    if (!old) return std::unexpected(old.error());
    from = *old;
  }
  Status status = grid.prepare(arguments.rule, from.rows, from.cols, to.rows, to.cols, "to");
  if (status) status = x.allocate(static_cast<int64_t>(input.data.size()), name);
  if (!status) return status;
  std::transform(input.data.begin(), input.data.end(), x.data(),
                 [](double v) { return static_cast<float>(v); });
  width = input.shape[1];
  return {};
}

}  // namespace

Status check_rule(const ResampleRule& rule, const char* group) noexcept {
  if (rule.antialias && rule.mode == ResampleMode::kNearest) {
    return fail(ErrorCode::kUnsupported, text_of(group, "antialias"), "true with nearest",
                "antialias with linear or cubic");
  }
  if (rule.align_corners && (rule.antialias || rule.mode == ResampleMode::kNearest)) {
    return fail(ErrorCode::kUnsupported, text_of(group, "alignCorners"),
                rule.antialias ? "true with antialias" : "true with nearest",
                "aligned corners with linear or cubic, without antialias");
  }
  if (rule.align_corners && rule.scale_offset != 0) {
    return fail(ErrorCode::kUnsupported, text_of(group, "scaleOffset"), text_of(rule.scale_offset),
                "0 with aligned corners");
  }
  return {};
}

Result<OperationResult> resample_table(const ResampleArguments& arguments,
                                       OperationTensors inputs) noexcept {
  Task task;
  if (Status status = task.prepare(arguments, inputs[0], false); !status)
    return std::unexpected(status.error());
  const auto& [grid, x, width] = task;
  const int64_t front = arguments.prefix * width, behind = arguments.suffix * width;
  Result<OperationResult> result =
      OperationResult::make({arguments.prefix + grid.to_count() + arguments.suffix, width}, "to");
  if (!result) return result;
  float* out = std::copy_n(x.data(), front, result->data.data());
  kernels::resample(grid, x.data() + front, width, out);
  std::copy_n(x.data() + x.size() - behind, behind, out + grid.to_count() * width);
  return result;
}

Result<OperationResult> resample_table_backward(const ResampleArguments& arguments,
                                                OperationTensors inputs) noexcept {
  Task task;
  if (Status status = task.prepare(arguments, inputs[0], true); !status)
    return std::unexpected(status.error());
  const auto& [grid, x, width] = task;
  const int64_t front = arguments.prefix * width, behind = arguments.suffix * width;
  Result<OperationResult> result = OperationResult::make(
      {arguments.prefix + grid.from_count() + arguments.suffix, width}, "from");
  if (!result) return result;
  float* out = std::copy_n(x.data(), front, result->data.data());
  std::fill_n(out, grid.from_count() * width, 0.0F);
  kernels::resample_backward(grid, x.data() + front, width, out);
  std::copy_n(x.data() + x.size() - behind, behind, out + grid.from_count() * width);
  return result;
}

}  // namespace posenc
