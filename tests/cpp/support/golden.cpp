#include "support/golden.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace posenc::testing {
namespace {

std::string read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE_MESSAGE(file != nullptr, path << " cannot be read");
  std::string bytes;
  char chunk[1 << 16];
  for (std::size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;) bytes.append(chunk, n);
  std::fclose(file);
  return bytes;
}

// The JSON here is written by one known program, so a scan for "key": is enough; tests use no JSON
// library so that they also run in wasm as they are.
std::size_t after_key(const std::string& json, const std::string& key, std::size_t from = 0) {
  const std::size_t at = json.find("\"" + key + "\":", from);
  if (at == std::string::npos) return at;
  return json.find_first_not_of(" ", at + key.size() + 3);
}

std::string quoted(const std::string& json, std::size_t at) {
  std::string text;
  for (at++; json[at] != '"'; at++) {
    if (json[at] == '\\') at++;
    text += json[at];
  }
  return text;
}

std::vector<double> number_list(const std::string& json, std::size_t at) {
  std::vector<double> values;
  for (at++; json[at] != ']';) {
    char* end = nullptr;
    values.push_back(std::strtod(json.c_str() + at, &end));
    at = static_cast<std::size_t>(end - json.c_str());
    while (json[at] == ',' || json[at] == ' ') at++;
  }
  return values;
}

GoldenTensor read_tensor(const std::string& header, std::size_t at, const char* data) {
  GoldenTensor tensor;
  const std::string type = quoted(header, after_key(header, "dtype", at));
  for (double extent : number_list(header, after_key(header, "shape", at))) {
    tensor.shape.push(static_cast<int64_t>(extent));
  }
  const auto offsets = number_list(header, after_key(header, "data_offsets", at));
  const auto begin = static_cast<std::size_t>(offsets[0]);
  const auto bytes = static_cast<std::size_t>(offsets[1]) - begin;
  REQUIRE((type == "F32" || type == "I32"));
  if (type == "F32") {
    tensor.floats.resize(bytes / 4);
    std::memcpy(tensor.floats.data(), data + begin, bytes);
  } else {
    tensor.ints.resize(bytes / 4);
    std::memcpy(tensor.ints.data(), data + begin, bytes);
  }
  return tensor;
}

}  // namespace

std::vector<double> GoldenTensor::as_doubles() const {
  if (!ints.empty()) return {ints.begin(), ints.end()};
  return {floats.begin(), floats.end()};
}

const GoldenTensor& GoldenCase::operator[](const std::string& tensor) const {
  const auto found = tensors.find(tensor);
  REQUIRE_MESSAGE(found != tensors.end(), name << " has no tensor " << tensor);
  return found->second;
}

bool GoldenCase::has(const std::string& key) const {
  const std::size_t at = after_key(params, key);
  return at != std::string::npos && params.compare(at, 4, "null") != 0;
}

double GoldenCase::number(const std::string& key, double otherwise) const {
  if (!has(key)) return otherwise;
  const char* text = params.c_str() + after_key(params, key);
  if (std::strncmp(text, "true", 4) == 0) return 1;
  return std::strncmp(text, "false", 5) == 0 ? 0 : std::strtod(text, nullptr);
}

std::string GoldenCase::text(const std::string& key) const {
  return has(key) ? quoted(params, after_key(params, key)) : std::string();
}

std::vector<double> GoldenCase::numbers(const std::string& key) const {
  return has(key) ? number_list(params, after_key(params, key)) : std::vector<double>();
}

std::string golden_folder() {
  const char* folder = std::getenv("POSENC_GOLDEN");
  return folder ? folder : POSENC_GOLDEN;
}

GoldenCase load_golden(const std::string& name) {
  const std::string bytes = read_file(golden_folder() + "/" + name + ".safetensors");
  uint64_t size = 0;
  std::memcpy(&size, bytes.data(), 8);
  const std::string header = bytes.substr(8, size);
  const char* data = bytes.data() + 8 + size;

  GoldenCase result;
  result.name = name;
  const std::size_t metadata = after_key(header, "__metadata__");
  result.params = quoted(header, after_key(header, "params", metadata));
  result.tolerance =
      std::strtod(quoted(header, after_key(header, "tolerance", metadata)).c_str(), nullptr);
  // Every tensor is an object that begins with its dtype: "q": {"dtype": ...
  for (std::size_t at = header.find("{\"dtype\""); at != std::string::npos;
       at = header.find("{\"dtype\"", at + 1)) {
    const std::size_t close = header.rfind('"', at);
    const std::size_t open = header.rfind('"', close - 1);
    result.tensors[header.substr(open + 1, close - open - 1)] = read_tensor(header, at, data);
  }
  return result;
}

}  // namespace posenc::testing
