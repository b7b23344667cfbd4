#include "posenc/input/segment.hpp"

namespace posenc {
namespace {

Text range_text(const RangePositionsArguments& arguments, int64_t i) noexcept {
  return text_of("range ", i, " (", arguments.first[i], " to ", arguments.last[i], ")");
}

Status check_ranges(const RangePositionsArguments& arguments) noexcept {
  const int64_t count = arguments.first.size();
  if (arguments.last.size() != count) {
    return fail(ErrorCode::kShapeMismatch, "last", text_of(arguments.last.size(), " numbers"),
                text_of(count, ", one per range"));
  }
  for (int64_t i = 0; i < count; i++) {
    if (arguments.last[i] < arguments.first[i]) {
      return fail(ErrorCode::kOutOfRange, "last", range_text(arguments, i),
                  "a last position that is not before the first");
    }
    for (int64_t j = 0; j < i; j++) {
      if (arguments.first[i] > arguments.last[j] || arguments.first[j] > arguments.last[i])
        continue;
      return fail(ErrorCode::kOutOfRange, "first", range_text(arguments, i),
                  text_of("ranges apart from ", range_text(arguments, j).view()));
    }
  }
  return {};
}

}  // namespace

void Segment::encode(const Positions& positions, float* out) const noexcept {
  gather_rows(
      parameters_.values("table"), options_.dim, positions.count,
      [&](int64_t i) { return static_cast<int64_t>(positions.at(i)); }, out, options_.dim);
}

void Segment::backward(const Positions& positions, const float* d_out,
                       Gradients& gradients) const noexcept {
  scatter_rows(
      gradients.of[0], options_.dim, positions.count,
      [&](int64_t i) { return static_cast<int64_t>(positions.at(i)); }, d_out, options_.dim);
}

Result<OperationResult> range_positions(const RangePositionsArguments& arguments,
                                        OperationTensors inputs) noexcept {
  if (Status status = check_fields(kRangePositionsFields, &arguments); !status)
    return std::unexpected(status.error());
  if (Status status = check_ranges(arguments); !status) return std::unexpected(status.error());
  const TensorView<const double>& types = inputs[0];
  if (types.shape.rank == 0)
    return fail(ErrorCode::kShapeMismatch, "types", "a single number", "rows of types [.., n]");
  const int64_t ranges = arguments.first.size();
  Buffer<double> next;
  if (Status status = next.allocate(ranges, "first"); !status)
    return std::unexpected(status.error());
  Result<OperationResult> result = OperationResult::make(types.shape, "types");
  if (!result) return result;
  for (int64_t i = 0; i < result->data.size(); i++) {
    if (i % types.shape.back(0) == 0) {
      for (int64_t m = 0; m < ranges; m++) next[m] = arguments.first[m];
    }
    const double type = types.data[static_cast<std::size_t>(i)];
    const auto m =
        static_cast<int64_t>(type >= 0 && type < static_cast<double>(ranges) ? type : -1);
    if (m < 0 || static_cast<double>(m) != type) {
      return fail(ErrorCode::kOutsideDomain, "types", text_of(type, " at index ", i),
                  text_of("whole numbers from 0 to ", ranges - 1));
    }
    if (next[m] > arguments.last[m]) {
      return fail(ErrorCode::kOutsideDomain, "types", text_of("one token more at index ", i),
                  text_of("as many as fit into ", range_text(arguments, m).view()));
    }
    result->data[i] = static_cast<float>(next[m]++);
  }
  return result;
}

}  // namespace posenc
