// Text that only the manifest needs. Builds without POSENC_WITH_DOCS drop it at compile time, so that
// documentation costs the wasm module nothing.
#pragma once

#ifndef POSENC_WITH_DOCS
#define POSENC_WITH_DOCS 0
#endif

namespace posenc {

inline constexpr bool kWithDocs = POSENC_WITH_DOCS != 0;

class Doc {
 public:
  constexpr Doc() = default;
#if POSENC_WITH_DOCS
  consteval Doc(const char* text) : text_(text) {}
  constexpr const char* text() const { return text_; }

 private:
  const char* text_ = "";
#else
  consteval Doc(const char*) {}
  constexpr const char* text() const { return ""; }
#endif
};

}  // namespace posenc
