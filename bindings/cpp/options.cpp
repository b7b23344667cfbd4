#include "options.hpp"

#include "posenc/core/draft.hpp"

namespace posenc::bindings {
namespace {

// Whether options begin with this name and a dot.
bool is_group(Fields fields, std::string_view name) noexcept {
  for (const Field& field : fields) {
    const std::string_view whole = field.name;
    if (whole.size() > name.size() && whole[name.size()] == '.' && whole.starts_with(name))
      return true;
  }
  return false;
}

Status read_option(Fields fields, Draft& draft, const OptionRecord& record) noexcept {
  const std::string_view name(record.name, record.name_bytes);
  const std::string_view text(static_cast<const char*>(record.data), record.count);
  switch (record.kind) {
    case OptionKind::kNumber: return draft.number(name, record.number);
    case OptionKind::kBoolean: return draft.boolean(name, record.number != 0);
    case OptionKind::kText: return draft.text(name, text);
    case OptionKind::kList:
      return draft.list(name, {static_cast<const double*>(record.data), record.count});
    case OptionKind::kGroup:
      if (is_group(fields, name)) return {};
      [[fallthrough]];
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
