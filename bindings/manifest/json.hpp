// A writer of JSON to standard output: nesting, commas and escapes, nothing more.
#pragma once

#include <string_view>

namespace posenc::manifest {

class Json {
 public:
  void open_object(const char* key = nullptr) { open(key, '{'); }
  void open_array(const char* key = nullptr) { open(key, '['); }
  void close_object() { close('}'); }
  void close_array() { close(']'); }

  void text(const char* key, std::string_view value);
  void number(const char* key, double value);
  void boolean(const char* key, bool value);
  void null(const char* key);

 private:
  void open(const char* key, char bracket);
  void close(char bracket);
  void begin(const char* key);  // comma, line break and key of the next value
  void string(std::string_view value);

  int depth_ = 0;
  bool first_ = true;  // nothing stands in the innermost bracket yet
};

}  // namespace posenc::manifest
