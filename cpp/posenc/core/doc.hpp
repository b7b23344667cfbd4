// Text that only the manifest needs. Builds without POSENC_WITH_DOCS drop it at compile time, so
// that documentation costs the wasm module nothing.
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

// The range of the site's slider of an option; equal ends: it has none.
class Slider {
 public:
  constexpr Slider() = default;
#if POSENC_WITH_DOCS
  constexpr Slider(double low, double high, bool is_log) : low_(low), high_(high), log_(is_log) {}
  constexpr double low() const { return low_; }
  constexpr double high() const { return high_; }
  constexpr bool log() const { return log_; }

 private:
  double low_ = 0, high_ = 0;
  bool log_ = false;
#else
  constexpr Slider(double, double, bool) {}
#endif
};

}  // namespace posenc
