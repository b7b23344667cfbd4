// From a class that satisfies a family's concept to that family's interface.
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>

#include "posenc/core/adapter.hpp"
#include "posenc/core/bias_adapters.hpp"
#include "posenc/core/input_adapters.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

template <Rotary T>
class RotaryAdapter final : public Adapter<T, RotaryEncoding> {
 public:
  using Adapter<T, RotaryEncoding>::Adapter;
  int64_t head_dim() const noexcept override { return this->encoding_.head_dim(); }
  int64_t rotary_dim() const noexcept override { return this->encoding_.rotary_dim(); }
  PairLayout layout() const noexcept override { return this->encoding_.layout(); }
  bool rotates_values() const noexcept override {
    if constexpr (requires { this->encoding_.rotates_values(); })
      return this->encoding_.rotates_values();
    else
      return false;
  }
  bool depends_on_reach() const noexcept override {
    if constexpr (requires { this->encoding_.depends_on_reach(); })
      return this->encoding_.depends_on_reach();
    else
      return false;
  }
  bool fades() const noexcept override { return FadingRotary<T>; }
  void fade(double distance, float* out) const noexcept override {
    if constexpr (FadingRotary<T>) this->encoding_.fade(distance, out);
  }
  PositionDomain table_domain() const noexcept override {
    if constexpr (FadingRotary<T>)
      return this->encoding_.table_domain();
    else
      return this->domain();
  }
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept override {
    this->encoding_.table(positions, context, cos, sin);
  }
};

template <Relative T>
class RelativeAdapter final : public Adapter<T, RelativeEncoding> {
 public:
  using Adapter<T, RelativeEncoding>::Adapter;
  int64_t heads() const noexcept override { return this->encoding_.heads(); }
  int64_t head_dim() const noexcept override { return this->encoding_.head_dim(); }
  int64_t value_dim() const noexcept override {
    if constexpr (requires { this->encoding_.value_dim(); })
      return this->encoding_.value_dim();
    else
      return this->encoding_.head_dim();
  }
  std::span<const RelativeTerm> terms() const noexcept override { return this->encoding_.terms(); }
  int64_t scratch_floats() const noexcept override {
    if constexpr (requires { this->encoding_.scratch_floats(); })
      return this->encoding_.scratch_floats();
    else
      return 0;
  }
  void write(const RelativeRows& rows, float* out, float* bias,
             float* scratch) const noexcept override {
    this->encoding_.write(rows, out, bias, scratch);
  }
  void backward(const RelativeRows& rows, int64_t head, const float* d_rows, const float* d_bias,
                float* scratch, Gradients& gradients) const noexcept override {
    if constexpr (TrainableRelative<T>) {
      this->encoding_.backward(rows, head, d_rows, d_bias, scratch, gradients);
    }
  }
  int64_t feature_width(int term) const noexcept override {
    if constexpr (FactoredRelative<T>)
      return this->encoding_.feature_width(term);
    else
      return 0;
  }
  void write_features(const RelativeRows& rows, float* out) const noexcept override {
    if constexpr (FactoredRelative<T>) this->encoding_.write_features(rows, out);
  }
  void move_query(int64_t head, const float* query, float factor, float* out,
                  float* scratch) const noexcept override {
    if constexpr (FactoredRelative<T>)
      this->encoding_.move_query(head, query, factor, out, scratch);
  }
  int64_t scale_terms() const noexcept override {
    if constexpr (requires { this->encoding_.scale_terms(); })
      return this->encoding_.scale_terms();
    else
      return 1;
  }
  const float* query_offsets() const noexcept override {
    if constexpr (requires { this->encoding_.query_offsets(); })
      return this->encoding_.query_offsets();
    else
      return nullptr;
  }
  void offset_backward(int64_t head, const float* d_offset,
                       Gradients& gradients) const noexcept override {
    if constexpr (requires { this->encoding_.offset_backward(head, d_offset, gradients); }) {
      this->encoding_.offset_backward(head, d_offset, gradients);
    }
  }
};

template <AnyEncoding T>
class NoneAdapter final : public Adapter<T, NoneEncoding> {
 public:
  using Adapter<T, NoneEncoding>::Adapter;
};

template <AnyEncoding T>
consteval auto adapter_for() {
  if constexpr (Input<T>)
    return std::type_identity<InputAdapter<T>>{};
  else if constexpr (ContentInput<T>)
    return std::type_identity<ContentInputAdapter<T>>{};
  else if constexpr (Rotary<T>)
    return std::type_identity<RotaryAdapter<T>>{};
  else if constexpr (DistanceBias<T>)
    return std::type_identity<DistanceBiasAdapter<T>>{};
  else if constexpr (Relative<T>)
    return std::type_identity<RelativeAdapter<T>>{};
  else if constexpr (PairBias<T>)
    return std::type_identity<PairBiasAdapter<T>>{};
  else {
    static_assert(T::info.family == Family::kNone, "the class satisfies no family's concept");
    return std::type_identity<NoneAdapter<T>>{};
  }
}

// The list's entry for an encoding.
template <AnyEncoding T>
constexpr EncodingType encoding_type() {
  return {
      .info = &T::info,
      .create = []() noexcept -> Encoding* {
        return new (std::nothrow) typename decltype(adapter_for<T>())::type();
      },
  };
}

}  // namespace posenc
