#include "posenc/rotary/mrope.hpp"

#include <algorithm>

#include "posenc/rotary/scaling.hpp"

namespace posenc {
namespace {

Status default_sections(MropeOptions& options) noexcept {
  if (Status status = options.sections.allocate(3, "sections"); !status) return status;
  const int64_t pairs = *options.rope.rotary_dim / 2;
  const int64_t share = options.order == SectionOrder::kChunked ? pairs * 3 / 8 : pairs * 5 / 16;
  options.sections[0] = static_cast<double>(pairs - 2 * share);
  options.sections[1] = options.sections[2] = static_cast<double>(share);
  return {};
}

Status check_sections(const MropeOptions& options) noexcept {
  const NumberList& sections = options.sections;
  if (sections.size() < 2 || sections.size() > kMaxAxes) {
    return fail(ErrorCode::kShapeMismatch, "sections", text_of(sections.size(), " numbers"),
                text_of("2 to ", kMaxAxes, " numbers, one per axis"));
  }
  const int64_t pairs = *options.rope.rotary_dim / 2, axes = sections.size();
  double sum = 0;
  for (int64_t axis = 0; axis < axes; axis++) {
    const double section = sections[axis];
    sum += section;
    // Its last pair, n · (section - 1) + axis, has to be there.
    const int64_t most = (pairs - axis + axes - 1) / axes;
    if (options.order == SectionOrder::kInterleaved && axis > 0 &&
        section > static_cast<double>(most)) {
      return fail(
          ErrorCode::kOutOfRange, "sections", text_of(section, " at index ", axis),
          text_of("at most ", most, ", the turns that this axis has among ", pairs, " pairs"));
    }
  }
  if (sum == static_cast<double>(pairs)) return {};
  return fail(ErrorCode::kShapeMismatch, "sections", text_of("a sum of ", sum),
              text_of(pairs, ", which is rotaryDim / 2"));
}

void deal(const MropeOptions& options, std::span<uint8_t> axis_of) noexcept {
  const auto sections = options.sections.span();
  const std::size_t axes = sections.size();
  if (options.order == SectionOrder::kChunked) {
    std::size_t m = 0;
    for (std::size_t axis = 0; axis < axes; axis++) {
      for (auto left = static_cast<int64_t>(sections[axis]); left > 0; left--)
        axis_of[m++] = static_cast<uint8_t>(axis);
    }
    return;
  }
  for (std::size_t m = 0; m < axis_of.size(); m++) {
    const std::size_t turn = m % axes;
    axis_of[m] = static_cast<double>(m) < static_cast<double>(axes) * sections[turn]
                     ? static_cast<uint8_t>(turn)
                     : 0;
  }
}

}  // namespace

Status Mrope::resolve(MropeOptions& options) noexcept {
  if (Status status = resolve_rope(options.rope); !status) return status;
  if (options.sections.size() == 0) return default_sections(options);
  return check_sections(options);
}

Status Mrope::prepare() noexcept {
  Buffer<uint8_t> axis_of;
  if (Status status = axis_of.allocate(rotary_dim() / 2, "rotaryDim"); !status) return status;
  deal(options_, axis_of.span());
  Status status = pairs_.prepare(axis_of.span(), static_cast<int>(options_.sections.size()));
  return status ? frequencies_.prepare(options_.rope) : status;
}

bool Mrope::depends_on_reach() const noexcept { return scales_by_reach(options_.rope.scaling); }

void Mrope::table(const Positions& positions, const RotaryContext& context, float* cos,
                  float* sin) const noexcept {
  struct Source {
    const RopeFrequencies& frequencies;
    const RopeOptions& options;
    double reached;
  };
  const Source source{frequencies_, options_.rope, context.reached};
  const auto frequency_of = [](int64_t pair, const void* data) noexcept {
    const auto& from = *static_cast<const Source*>(data);
    return from.frequencies.of(from.options, from.reached, pair);
  };
  const auto amplitude =
      static_cast<float>(rotary_amplitude(options_.rope.scaling, context.reached));
  for (int axis = 0; axis < pairs_.axes(); axis++) {
    const int coordinate = positions.axes == 1 ? 0 : axis;
    pairs_.write(axis, positions, coordinate, frequency_of, &source, amplitude,
                 {cos, sin, rotary_dim() / 2});
  }
}

}  // namespace posenc
