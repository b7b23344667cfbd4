#include "options.hpp"

#include <new>

#include "posenc/attention/cache.hpp"
#include "posenc/attention/options.hpp"
#include "posenc/encodings.hpp"
#include "posenc/layer/options.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

template <typename Options>
void* make_options() noexcept {
  return new (std::nothrow) Options();
}
template <typename Options>
void free_options(void* options) noexcept {
  delete static_cast<Options*>(options);
}

OptionsDraft* unknown(const char* parameter, std::string_view name) noexcept {
  report(fail(ErrorCode::kUnknownOption, parameter, Text(name), "one that this module has"));
  return nullptr;
}

// Whether options begin with this name and a dot.
bool is_group(Fields fields, std::string_view name) noexcept {
  for (const Field& field : fields) {
    const std::string_view whole = field.name;
    if (whole.size() > name.size() && whole[name.size()] == '.' && whole.starts_with(name)) return true;
  }
  return false;
}

}  // namespace

OptionsDraft* OptionsDraft::make(Fields fields, void* options, Free free) noexcept {
  auto* draft = options == nullptr ? nullptr : new (std::nothrow) OptionsDraft(fields, options, free);
  if (draft == nullptr) {
    if (options != nullptr) free(options);
    report_no_memory("options");
  }
  return draft;
}

OptionsDraft* OptionsDraft::of_encoding(const std::string& id) noexcept {
  const EncodingType* type = find_encoding(id);
  if (type == nullptr) return unknown("encoding", id);
  OptionsDraft* draft = make(type->info->fields, type->make_options(), type->free_options);
  if (draft != nullptr) draft->encoding_ = type;
  return draft;
}

OptionsDraft* OptionsDraft::of_operation(const std::string& id, const std::string& name) noexcept {
  const EncodingType* type = find_encoding(id);
  if (type == nullptr) return unknown("encoding", id);
  for (const Operation& operation : type->info->operations) {
    if (name != operation.name) continue;
    OptionsDraft* draft = make(operation.fields, operation.make_arguments(), operation.free_arguments);
    if (draft != nullptr) draft->operation_ = &operation;
    return draft;
  }
  return unknown("operation", name);
}

OptionsDraft* OptionsDraft::of_attention() noexcept {
  return make(kAttentionFields, make_options<AttentionOptions>(), free_options<AttentionOptions>);
}

OptionsDraft* OptionsDraft::of_layer() noexcept {
  return make(kLayerFields, make_options<LayerOptions>(), free_options<LayerOptions>);
}

OptionsDraft* OptionsDraft::of_cache() noexcept {
  return make(kKvCacheFields, make_options<KvCacheOptions>(), free_options<KvCacheOptions>);
}

int32_t OptionsDraft::number(const std::string& name, double value) noexcept {
  return report(draft_.number(name, value));
}
int32_t OptionsDraft::boolean(const std::string& name, bool value) noexcept {
  return report(draft_.boolean(name, value));
}
int32_t OptionsDraft::text(const std::string& name, const std::string& value) noexcept {
  return report(draft_.text(name, value));
}
int32_t OptionsDraft::list(const std::string& name, uintptr_t values, int32_t count) noexcept {
  return report(draft_.list(name, {reinterpret_cast<const double*>(values), static_cast<std::size_t>(count)}));
}
int32_t OptionsDraft::refuse(const std::string& name, const std::string& received) noexcept {
  return report(refuse_value(fields_, name, Text(std::string_view(received))));
}
int32_t OptionsDraft::group(const std::string& name, const std::string& received) noexcept {
  return is_group(fields_, name) ? kSuccess : refuse(name, received);
}
int32_t OptionsDraft::finish() const noexcept { return report(draft_.finish()); }

}  // namespace posenc::bindings
