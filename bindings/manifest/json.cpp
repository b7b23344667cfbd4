#include "json.hpp"

#include <charconv>
#include <cstdio>
#include <iterator>

namespace posenc::manifest {

void Json::text(const char* key, std::string_view value) {
  begin(key);
  string(value);
}

void Json::number(const char* key, double value) {
  begin(key);
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  std::fwrite(digits, 1, static_cast<std::size_t>(end - digits), stdout);
}

void Json::boolean(const char* key, bool value) {
  begin(key);
  std::fputs(value ? "true" : "false", stdout);
}

void Json::null(const char* key) {
  begin(key);
  std::fputs("null", stdout);
}

void Json::open(const char* key, char bracket) {
  begin(key);
  std::fputc(bracket, stdout);
  depth_++;
  first_ = true;
}

void Json::close(char bracket) {
  depth_--;
  if (!first_) std::printf("\n%*s", 2 * depth_, "");
  std::fputc(bracket, stdout);
  first_ = false;
  if (depth_ == 0) std::fputc('\n', stdout);
}

void Json::begin(const char* key) {
  if (!first_) std::fputc(',', stdout);
  if (depth_ > 0) std::printf("\n%*s", 2 * depth_, "");
  first_ = false;
  if (key == nullptr) return;
  string(key);
  std::fputs(": ", stdout);
}

void Json::string(std::string_view value) {
  std::fputc('"', stdout);
  for (const char c : value) {
    if (c == '"' || c == '\\') std::fputc('\\', stdout);
    if (static_cast<unsigned char>(c) < 0x20) std::printf("\\u%04x", c);
    else std::fputc(c, stdout);
  }
  std::fputc('"', stdout);
}

}  // namespace posenc::manifest
