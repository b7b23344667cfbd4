// From a class that satisfies a family's concept to that family's interface.
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "posenc/core/distance_tiles.hpp"
#include "posenc/core/encoding.hpp"
#include "posenc/core/make.hpp"
#include "posenc/core/pair_tiles.hpp"
#include "posenc/core/relative.hpp"

namespace posenc {

template <AnyEncoding T, typename Interface>
class Adapter : public Interface {
 public:
  Adapter() noexcept = default;
  explicit Adapter(T&& encoding) noexcept : encoding_(std::move(encoding)) {}
  T& encoding() noexcept { return encoding_; }
  const Info& info() const noexcept final { return T::info; }
  const void* object() const noexcept final { return &encoding_; }
  const void* options() const noexcept final { return &encoding_.options(); }
  Status complete(uint64_t seed) noexcept final { return posenc::complete(encoding_, seed); }
  using Interface::parameters;  // the const one too
  ParameterSet& parameters() noexcept final { return encoding_.parameters(); }
  PositionDomain domain() const noexcept final {
    if constexpr (requires { encoding_.domain(); })
      return encoding_.domain();
    else
      return T::info.domain;
  }
  Status check(const Positions& positions, TextRef parameter) const noexcept final {
    Status status = check_positions(positions, domain(), parameter);
    if constexpr (requires { encoding_.check(positions, parameter); }) {
      if (status) return encoding_.check(positions, parameter);
    }
    return status;
  }

 protected:
  T encoding_;
};

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

// The tiles of a distance bias are slices of one vector over distances (contiguous positions), or
// are evaluated row by row (given positions): distance_tiles.hpp has the two ways, once for all
// encodings.
template <DistanceBias T>
class DistanceBiasAdapter final : public Adapter<T, BiasEncoding>, private DistanceFunction {
 public:
  using Adapter<T, BiasEncoding>::Adapter;
  int64_t heads() const noexcept override { return this->encoding_.heads(); }
  ContentGate gate() const noexcept override {
    if constexpr (requires { this->encoding_.gate(); })
      return this->encoding_.gate();
    else
      return {};
  }
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept override {
    return distance_scratch_floats(query, key);
  }
  void begin(const BiasHead& head) const noexcept override { distance_begin(*this, head); }
  void apply(const BiasHead& head, const ScoreTile& tile, float* scores,
             bool assign) const noexcept override {
    distance_apply(*this, head, tile, scores, assign);
  }
  void accumulate(const BiasHead& head, const ScoreTile& tile, const float* d_scores,
                  Gradients& gradients) const noexcept override {
    distance_accumulate(*this, head, tile, d_scores, gradients);
  }
  void finish(const BiasHead& head, Gradients& gradients) const noexcept override {
    distance_finish(*this, head, gradients);
  }

 private:
  void evaluate(int64_t head, const double* distances, int64_t count,
                float* out) const noexcept override {
    this->encoding_.evaluate(head, distances, count, out);
  }
  void backward(int64_t head, const double* distances, int64_t count, const float* d_bias,
                Gradients& gradients) const noexcept override {
    if constexpr (TrainableDistanceBias<T>) {
      this->encoding_.backward(head, distances, count, d_bias, gradients);
    }
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
  void move_query(int64_t head, const float* query, float factor,
                  float* out) const noexcept override {
    if constexpr (FactoredRelative<T>) this->encoding_.move_query(head, query, factor, out);
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

template <PairBias T>
class PairBiasAdapter final : public Adapter<T, BiasEncoding>, private PairFunction {
 public:
  using Adapter<T, BiasEncoding>::Adapter;
  int64_t heads() const noexcept override { return this->encoding_.heads(); }
  int64_t relations() const noexcept override {
    if constexpr (requires { this->encoding_.relations(); })
      return this->encoding_.relations();
    else
      return 0;
  }
  int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept override {
    return this->encoding_.scratch_floats(query, key);
  }
  void begin(const BiasHead& head) const noexcept override { this->encoding_.begin(head); }
  void apply(const BiasHead& head, const ScoreTile& tile, float* scores,
             bool assign) const noexcept override {
    pair_apply(*this, head, tile, scores, assign);
  }
  void accumulate(const BiasHead& head, const ScoreTile& tile, const float* d_scores,
                  Gradients& gradients) const noexcept override {
    if constexpr (TrainablePairBias<T>) pair_accumulate(*this, head, tile, d_scores, gradients);
  }
  void finish(const BiasHead& head, Gradients& gradients) const noexcept override {
    if constexpr (TrainablePairBias<T>) this->encoding_.finish(head, gradients);
  }

 private:
  void evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept override {
    this->encoding_.evaluate(head, row, out);
  }
  void backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                Gradients& gradients) const noexcept override {
    if constexpr (TrainablePairBias<T>) this->encoding_.backward(head, row, d_bias, gradients);
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
