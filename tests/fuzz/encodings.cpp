#include "encodings.hpp"

#include <algorithm>
#include <string>

#include "posenc/core/draft.hpp"
#include "posenc/encodings.hpp"

namespace posenc::fuzz {
namespace {

// A value of the field's own kind, mostly one that is allowed; sometimes of another kind, which is
// refused.
Status set_drawn(Draw& draw, Draft& drafted, const Field& field, const Sizes& sizes) {
  const std::string_view name = field.name;
  if (draw.chance(32)) return drafted.text(name, draw.text());
  if (draw.chance(32)) return drafted.number(name, draw.number());
  switch (field.type) {
    case FieldType::kBoolean: return drafted.boolean(name, draw.chance(2));
    case FieldType::kChoice:
      return drafted.text(name, field.choices[static_cast<std::size_t>(
                                    draw.below(static_cast<int64_t>(field.choices.size())))]);
    case FieldType::kList: {
      const auto values = draw.numbers(draw.below(6));
      return drafted.list(name, values);
    }
    default: break;
  }
  if (name == "heads" && sizes.heads > 0 && !draw.chance(16))
    return drafted.number(name, static_cast<double>(sizes.heads));
  if (name == "headDim" && sizes.head_dim > 0 && !draw.chance(16))
    return drafted.number(name, static_cast<double>(sizes.head_dim));
  if (draw.chance(4)) return drafted.number(name, draw.number());
  // What is near the smallest that is allowed, and fits what it has to be a multiple of.
  const double step = std::max<double>(field.multiple_of, 1),
               low = std::clamp(field.minimum, -4.0, 0x1p20);
  return drafted.number(name, (std::ceil(low / step) + static_cast<double>(draw.below(12))) * step);
}

}  // namespace

bool draw_options(Draw& draw, Fields fields, void* options, const Sizes& sizes) {
  Draft drafted(fields, options);
  for (const Field& field : fields) {
    const bool wanted = field.is_required || std::string_view(field.name) == "headDim";
    if (!(wanted ? !draw.chance(32) : draw.chance(5))) continue;
    if (const Status status = set_drawn(draw, drafted, field, sizes); !status) {
      expect_named(status.error());
      return false;
    }
  }
  const Status status = drafted.finish();
  if (!status) expect_named(status.error());
  return status.has_value();
}

const EncodingType& draw_type(Draw& draw) {
  return kEncodings[static_cast<std::size_t>(draw.below(static_cast<int64_t>(kEncodings.size())))];
}

std::unique_ptr<Encoding> draw_encoding(Draw& draw, const EncodingType& type, const Sizes& sizes) {
  std::unique_ptr<Encoding> encoding(type.create());
  if (!encoding || !draw_options(draw, type.info->fields, encoding->options(), sizes))
    return nullptr;
  const Status status = encoding->complete(static_cast<uint64_t>(draw.below(4)));
  if (status) return encoding;
  expect_named(status.error());
  return nullptr;
}

}  // namespace posenc::fuzz
