// The interface of input encodings around a class that satisfies their concept.
#pragma once

#include "posenc/core/adapter.hpp"

namespace posenc {

template <Input T>
class InputAdapter final : public Adapter<T, InputEncoding> {
 public:
  using Adapter<T, InputEncoding>::Adapter;
  int64_t width() const noexcept override { return this->encoding_.width(); }
  float input_scale() const noexcept override {
    if constexpr (requires { this->encoding_.input_scale(); })
      return this->encoding_.input_scale();
    else
      return 1;
  }
  // Of no position `out` may be null, and no sum of addresses is made of that.
  void encode(const Positions& positions, float* out) const noexcept override {
    if (positions.count > 0) this->encoding_.encode(positions, out);
  }
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept override {
    if constexpr (TrainableInput<T>) {
      if (positions.count > 0) this->encoding_.backward(positions, d_out, gradients);
    }
  }
};

template <ContentInput T>
class ContentInputAdapter final : public Adapter<T, InputEncoding> {
 public:
  using Adapter<T, InputEncoding>::Adapter;
  int64_t width() const noexcept override { return this->encoding_.width(); }
  float input_scale() const noexcept override { return 1; }
  bool reads_x() const noexcept override { return true; }
  void encode(const Positions&, float*) const noexcept override {}
  void encode_from(const Positions& positions, const float* x, float* out) const noexcept override {
    this->encoding_.encode(positions, x, out);
  }
  void backward(const Positions&, const float*, Gradients&) const noexcept override {}
  void backward_from(const Positions& positions, const float* x, const float* d_out, float* d_x,
                     Gradients& gradients) const noexcept override {
    this->encoding_.backward(positions, x, d_out, d_x, gradients);
  }
};

}  // namespace posenc
