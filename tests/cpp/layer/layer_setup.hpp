// One call of an attention layer in the tests: drawn at random over its options, with the same in
// plain loops.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/core/random.hpp"
#include "posenc/layer/layer.hpp"
#include "posenc/rotary/rope.hpp"
#include "reference/layer/layer.hpp"

namespace posenc::testing {

inline constexpr double kRopeBase = 100;  // of the rotation that calls may have

// Rows of a trained table [count, dim], and a factor on the tokens.
class TableRows final : public InputEncoding {
 public:
  TableRows(int64_t count, int64_t dim, float scale, uint64_t seed);
  const Info& info() const noexcept override;
  const void* object() const noexcept override { return this; }
  const void* options() const noexcept override { return &sizes_; }
  ParameterSet& parameters() noexcept override { return parameters_; }
  int64_t width() const noexcept override { return sizes_.dim; }
  float input_scale() const noexcept override { return scale_; }
  void encode(const Positions& positions, float* out) const noexcept override;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept override;

  struct Sizes {
    int64_t count, dim;
  };

 private:
  Sizes sizes_;
  float scale_;
  ParameterSet parameters_;
};

struct LayerSetup {
  LayerOptions options;
  int64_t batch = 1, q_len = 0, k_len = 0;
  bool cross = false;
  std::vector<float> x, context, d_out;
  std::vector<double> q_positions, k_positions;  // of all batch rows; empty: not given
  std::vector<int32_t> lengths;
  std::unique_ptr<TableRows> table;
  std::unique_ptr<RotaryAdapter<Rope>> rope;
  std::unique_ptr<DistanceBiasAdapter<Alibi>> alibi;
  std::optional<AttentionLayer> layer;

  static LayerSetup random(uint64_t seed);
  void fill(uint64_t seed);  // tokens and d_out
  void make(uint64_t seed = 1);

  int64_t width() const { return layer->out_width(); }
  LayerInputs inputs();  // borrows
  reference::Layer reference() const;

 private:
  double position(bool query, int64_t index) const;
  std::vector<Positions> q_entries_, k_entries_;
};

struct LayerOutput {
  std::vector<float> out, attended, lse;
};
LayerOutput run_forward(LayerSetup& setup);

struct LayerGradient {
  std::vector<float> dx, d_context;
  std::vector<std::vector<float>> weights;  // as parameters()
  std::vector<float> d_table, d_slopes;
};
LayerGradient run_backward(LayerSetup& setup, const LayerOutput& output);

// The gradient of the table's rows and of ALiBi's slopes from those of the plain loops.
std::vector<double> table_gradient(const LayerSetup& setup,
                                   const reference::LayerGradient& gradient);
std::vector<double> slope_gradient(const LayerSetup& setup,
                                   const reference::LayerGradient& gradient);
// What the slopes' sums add up: weight times distance, times what a score's gradient is per weight.
std::vector<double> slope_terms(const LayerSetup& setup, const reference::LayerGradient& gradient);
// A weight of the library as [in, out], or a bias.
std::vector<double> weight_of(const LayerSetup& setup, const std::vector<float>& values, int index);

}  // namespace posenc::testing
