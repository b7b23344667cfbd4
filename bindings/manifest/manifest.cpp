// Prints the manifest: all that is known of every encoding, of attention's options and of the call frames, as JSON.
// Types, factories, catalogue, tables and call writers are generated from it (scripts/generate).
#include <cmath>
#include <memory>
#include <span>

#include "../cpp/calls.hpp"
#include "../cpp/names.hpp"
#include "json.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/core/error.hpp"
#include "posenc/encodings.hpp"
#include "posenc/layer/options.hpp"

namespace posenc::manifest {
namespace {

void write_condition(Json& json, const char* key, const Condition& condition, Fields fields) {
  if (condition.name == nullptr) return;
  const Field& owner = *find_field(fields, condition.name);
  json.open_object(key);
  json.text("field", condition.name);
  json.open_array("values");
  if (owner.type == FieldType::kBoolean) {
    json.boolean(nullptr, condition.mask == 2);
  } else if (owner.type == FieldType::kList) {
    for (int size = 0; size < 32; size++) {
      if ((condition.mask >> size & 1) != 0) json.text(nullptr, text_of(size, " long").view());
    }
  } else {
    for (std::size_t i = 0; i < 32; i++) {
      if ((condition.mask >> i & 1) == 0) continue;
      if (owner.type == FieldType::kChoice) json.text(nullptr, owner.choices[i]);
      else json.number(nullptr, static_cast<double>(i));
    }
  }
  json.close_array();
  json.close_object();
}

void write_default(Json& json, const Field& field, const void* options) {
  const std::optional<double> value = number_of(field, options);
  switch (field.type) {
    case FieldType::kBoolean: return json.boolean("default", *value != 0);
    case FieldType::kChoice: return json.text("default", field.choices[static_cast<std::size_t>(*value)]);
    default: break;
  }
  if (value && !field.is_required) json.number("default", *value);
  else json.null("default");
}

const char* type_name(FieldType type) {
  switch (type) {
    case FieldType::kNumber:
    case FieldType::kOptionalNumber: return "number";
    case FieldType::kInteger:
    case FieldType::kOptionalInteger: return "integer";
    case FieldType::kBoolean: return "boolean";
    case FieldType::kChoice: return "choice";
    case FieldType::kList: return "list";
  }
  return "";
}

void write_field(Json& json, const Field& field, Fields fields, const void* options) {
  json.open_object();
  json.text("name", field.name);
  json.text("type", type_name(field.type));
  json.boolean("required", field.is_required);
  write_default(json, field, options);
  if (field.default_doc.text()[0] != '\0') json.text("defaultDoc", field.default_doc.text());
  if (std::isfinite(field.minimum)) json.number("minimum", field.minimum);
  if (std::isfinite(field.maximum)) json.number("maximum", field.maximum);
  if (field.above_minimum) json.boolean("aboveMinimum", true);
  if (field.multiple_of > 0) json.number("multipleOf", field.multiple_of);
  if (field.at_most_field != nullptr) json.text("atMostField", field.at_most_field);
  write_condition(json, "condition", field.condition, fields);
  if (!field.choices.empty()) {
    json.open_array("choices");
    for (const char* choice : field.choices) json.text(nullptr, choice);
    json.close_array();
  }
  json.text("doc", field.doc.text());
  if (field.slider.low() != field.slider.high()) {
    json.open_object("shown");
    json.number("low", field.slider.low());
    json.number("high", field.slider.high());
    json.boolean("log", field.slider.log());
    json.close_object();
  }
  json.close_object();
}

void write_fields(Json& json, Fields fields, const void* options) {
  json.open_array("fields");
  for (const Field& field : fields) write_field(json, field, fields, options);
  json.close_array();
}

void write_tensors(Json& json, const Info& info) {
  json.open_array("tensors");
  for (const TensorInfo& tensor : info.tensors) {
    json.open_object();
    json.text("name", tensor.name);
    json.text("shape", tensor.shape);
    write_condition(json, "present", tensor.present, info.fields);
    write_condition(json, "trained", tensor.trained, info.fields);
    if (tensor.index_below) json.text("indexBelow", tensor.index_below);
    json.text("doc", tensor.doc.text());
    json.text("initialDoc", tensor.initial_doc.text());
    json.close_object();
  }
  json.close_array();
}

void write_tensors(Json& json, const char* key, std::span<const OperationInput> tensors, bool inputs) {
  json.open_array(key);
  for (const OperationInput& tensor : tensors) {
    json.open_object();
    json.text("name", tensor.name);
    if (inputs) json.boolean("required", tensor.required);
    json.text("doc", tensor.doc.text());
    json.close_object();
  }
  json.close_array();
}

void write_operation(Json& json, const Operation& operation) {
  json.open_object();
  json.text("name", operation.name);
  json.boolean("needsInstance", operation.needs_instance);
  write_tensors(json, "inputs", operation.inputs, true);
  write_tensors(json, "results", operation.results, false);
  void* arguments = operation.make_arguments();
  write_fields(json, operation.fields, arguments);
  operation.free_arguments(arguments);
  json.text("doc", operation.doc.text());
  json.text("returns", operation.returns.text());
  json.close_object();
}

void write_domain(Json& json, const PositionDomain& domain) {
  constexpr const char* kKinds[] = {"naturals", "integers", "reals"};
  json.open_object("domain");
  json.text("kind", kKinds[static_cast<std::size_t>(domain.kind)]);
  json.number("limit", domain.limit);
  json.number("axes", domain.axes);
  json.close_object();
}

void write_encoding(Json& json, const EncodingType& type) {
  const Info& info = *type.info;
  json.open_object();
  json.text("id", info.id);
  json.text("family", kFamilyNames[static_cast<std::size_t>(info.family)]);
  json.text("title", info.docs.title.text());
  json.text("summary", info.docs.summary.text());
  json.text("paper", info.docs.paper.text());
  json.text("url", info.docs.url.text());
  json.text("formula", info.docs.formula.text());
  json.text("kind", info.docs.kind.text());
  json.text("extrapolates", info.docs.extrapolates.text());
  json.text("models", info.docs.models.text());
  json.text("good", info.docs.good.text());
  json.text("bad", info.docs.bad.text());
  json.text("tasks", info.docs.tasks.text());
  write_domain(json, info.domain);
  const std::unique_ptr<Encoding> encoding(type.create());
  write_fields(json, info.fields, encoding->options());
  write_tensors(json, info);
  json.open_array("operations");
  for (const Operation& operation : info.operations) write_operation(json, operation);
  json.close_array();
  json.close_object();
}

void write_names(Json& json, const char* key, std::span<const char* const> names) {
  json.open_array(key);
  for (const char* name : names) json.text(nullptr, name);
  json.close_array();
}

template <typename Options>
void write_options(Json& json, const char* key, Fields fields) {
  const Options options;
  json.open_object(key);
  write_fields(json, fields, &options);
  json.close_object();
}

void write_call(Json& json, const bindings::CallInfo& call) {
  alignas(double) static std::byte frame[bindings::kFrameBytes];
  json.open_object();
  json.text("name", call.name);
  json.number("bytes", call.bytes);
  json.open_array("slots");
  for (const bindings::Slot& slot : call.slots) {
    json.open_object();
    json.text("name", slot.name);
    json.text("type", bindings::kSlotTypeNames[static_cast<std::size_t>(slot.type)]);
    json.number("offset", static_cast<double>(static_cast<std::byte*>(slot.member(frame)) - frame));
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

void write_manifest() {
  Json json;
  json.open_object();
  json.open_array("encodings");
  for (const EncodingType& type : kEncodings) write_encoding(json, type);
  json.close_array();
  write_options<AttentionOptions>(json, "attention", kAttentionFields);
  write_options<LayerOptions>(json, "layer", kLayerFields);
  write_options<KvCacheOptions>(json, "cache", kKvCacheFields);
  write_names(json, "errorCodes", kErrorCodeNames);
  write_names(json, "scoreStages", kScoreStageNames);
  json.open_array("calls");
  for (const bindings::CallInfo& call : bindings::kCalls) write_call(json, call);
  json.close_array();
  json.open_object("names");
  for (const bindings::NameList& list : bindings::kNameLists)
    write_names(json, list.name, list.entries);
  json.close_object();
  json.close_object();
}

}  // namespace
}  // namespace posenc::manifest

int main() { posenc::manifest::write_manifest(); }
