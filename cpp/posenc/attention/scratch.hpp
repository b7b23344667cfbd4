// The working memory of a call: laid out once to count it, taken in one piece, laid out again to
// hand it out.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"

namespace posenc::attn {

class Carver {
 public:
  explicit Carver(float* base = nullptr) noexcept : base_(base) {}

  // The next `count` floats, aligned like the whole; null while counting.
  float* take(int64_t count) noexcept {
    constexpr auto kUnit = static_cast<int64_t>(kAlignment / sizeof(float));
    float* part = base_ ? base_ + used_ : nullptr;
    used_ += (count + kUnit - 1) / kUnit * kUnit;
    return part;
  }
  int64_t used() const noexcept { return used_; }

 private:
  float* base_;
  int64_t used_ = 0;
};

// `lay_out(Carver&)` takes every part of `memory`. Errors name the tensor `parameter`, whose length
// asked for it.
template <typename LayOut>
Status carve(Buffer<float>& memory, TextRef parameter, LayOut lay_out) noexcept {
  Carver counting;
  lay_out(counting);
  Status status = memory.allocate(counting.used(), parameter);
  if (status) {
    Carver carving(memory.data());
    lay_out(carving);
  }
  return status;
}

}  // namespace posenc::attn
