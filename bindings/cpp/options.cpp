#include "options.hpp"

#include <algorithm>

#include "posenc/core/draft.hpp"

namespace posenc::bindings {
namespace {

// Whether this is one of the options whose names begin with the group's and a dot.
bool belongs_to(std::string_view group, const Field& field) noexcept {
  const std::string_view whole = field.name;
  return whole.size() > group.size() && whole[group.size()] == '.' && whole.starts_with(group);
}

Text value_text(const OptionRecord& record, std::string_view text) noexcept {
  switch (record.kind) {
    case OptionKind::kNumber: return text_of(record.number);
    case OptionKind::kBoolean: return Text(record.number != 0 ? "true" : "false");
    case OptionKind::kText: return Text("\"").append(text).append("\"");
    case OptionKind::kList: return Text("a list");
    default: return Text(text);
  }
}

bool is_group(Fields fields, std::string_view name) noexcept {
  return std::ranges::any_of(fields, [&](const Field& field) { return belongs_to(name, field); });
}

std::unexpected<Error> not_a_group(Fields fields, std::string_view name,
                                   TextRef received) noexcept {
  Text allowed("an object of ");
  bool first = true;
  for (const Field& field : fields) {
    if (!belongs_to(name, field)) continue;
    allowed.append(first ? "" : ", ").append(field.name);
    first = false;
  }
  return fail(ErrorCode::kInvalidType, Text(name), received, allowed);
}

Status read_option(Fields fields, Draft& draft, const OptionRecord& record) noexcept {
  const std::string_view name(record.name, record.name_bytes);
  const std::string_view text(static_cast<const char*>(record.data), record.count);
  if (is_group(fields, name)) {
    if (record.kind == OptionKind::kGroup) return {};
    return not_a_group(fields, name, value_text(record, text));
  }
  switch (record.kind) {
    case OptionKind::kNumber: return draft.number(name, record.number);
    case OptionKind::kBoolean: return draft.boolean(name, record.number != 0);
    case OptionKind::kText: return draft.text(name, text);
    case OptionKind::kList:
      return draft.list(name, {static_cast<const double*>(record.data), record.count});
    default: return refuse_value(fields, name, Text(text));
  }
}

}  // namespace

Status read_options(Fields fields, void* options, std::span<const OptionRecord> records) noexcept {
  Draft draft(fields, options);
  for (const OptionRecord& record : records) {
    if (Status status = read_option(fields, draft, record); !status) return status;
  }
  return draft.finish();
}

}  // namespace posenc::bindings
