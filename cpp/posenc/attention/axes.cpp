#include "posenc/attention/axes.hpp"

#include <algorithm>

#include "posenc/core/relative.hpp"

namespace posenc::attn {
namespace {

bool reads(const PositionDomain& domain, int axes) noexcept {
  return axes == domain.axes || (axes == 1 && domain.lone != LonePosition::kNothing);
}

bool share(const PositionDomain& a, const PositionDomain& b) noexcept {
  return reads(a, b.axes) || reads(b, a.axes) || (reads(a, 1) && reads(b, 1));
}

Text numbers_of(const Encoding& encoding) noexcept {
  const PositionDomain domain = encoding.domain();
  Text text = text_of(encoding.info().id, ", which reads ", domain.axes);
  if (domain.axes > 1 && reads(domain, 1)) text.append(" or 1");
  return text.append(domain.axes == 1 ? " number per token" : " numbers per token");
}

}  // namespace

bool reads_positions(const Encoding& encoding) noexcept {
  switch (encoding.info().family) {
    case Family::kNone: return false;
    case Family::kBias: return static_cast<const BiasEncoding&>(encoding).relations() == 0;
    case Family::kRelative:
      return !std::ranges::all_of(static_cast<const RelativeEncoding&>(encoding).terms(),
                                  &RelativeTerm::contextual);
    default: return true;
  }
}

Status check_common_axes(std::span<Encoding* const> encodings, bool input) noexcept {
  const auto counts = [&](const Encoding* encoding) {
    return (encoding->info().family == Family::kInput) == input && reads_positions(*encoding);
  };
  for (std::size_t i = 0; i < encodings.size(); i++) {
    for (std::size_t j = 0; counts(encodings[i]) && j < i; j++) {
      if (!counts(encodings[j]) || share(encodings[i]->domain(), encodings[j]->domain())) continue;
      return fail(
          ErrorCode::kUnsupported, text_of("encodings[", static_cast<int64_t>(i), "]"),
          numbers_of(*encodings[i]),
          text_of("encodings of the same positions, beside ", numbers_of(*encodings[j]).view()));
    }
  }
  return {};
}

int common_axes(std::span<Encoding* const> encodings) noexcept {
  int common = 1;
  for (const Encoding* most : encodings) {
    const int axes = most->domain().axes;
    const bool all = std::ranges::all_of(encodings, [&](const Encoding* encoding) {
      return !reads_positions(*encoding) || reads(encoding->domain(), axes);
    });
    if (all) common = std::max(common, axes);
  }
  return common;
}

Status check_kept_axes(std::span<Encoding* const> encodings) noexcept {
  const int common = common_axes(encodings);
  for (const Encoding* encoding : encodings) {
    const PositionDomain domain = encoding->domain();
    if (domain.lone != LonePosition::kPlace || domain.axes == common) continue;
    return fail(ErrorCode::kUnsupported, "encodings",
                text_of(encoding->info().id, " beside an encoding of 1 number per token"),
                text_of("encodings of ", domain.axes,
                        " numbers per token: a cache keeps coordinates, not places in a grid"));
  }
  return {};
}

Status check_positions_of(const Encoding& encoding, const Positions& positions,
                          TextRef parameter) noexcept {
  const PositionDomain domain = encoding.domain();
  if (reads(domain, positions.axes)) return check_positions(positions, domain, parameter);
  return fail(ErrorCode::kShapeMismatch, parameter, text_of(positions.axes, " per token"),
              text_of(domain.axes, " per token, as ", encoding.info().id, " reads"));
}

}  // namespace posenc::attn
