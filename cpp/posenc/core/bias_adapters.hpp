// The interface of biases around a class that satisfies one of their concepts: of the distance
// alone, or of the pair of positions.
#pragma once

#include "posenc/core/adapter.hpp"
#include "posenc/core/distance_tiles.hpp"
#include "posenc/core/pair_tiles.hpp"

namespace posenc {

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

}  // namespace posenc
