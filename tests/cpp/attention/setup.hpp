// One attention call in the tests: its inputs, the library's results and those of the plain loops
// in double.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "reference/attention/attention.hpp"
#include "reference/attention/masks.hpp"

namespace posenc::testing {

// A rotary encoding by the plain formula: pair m turns by position · base^(-2m / dim), slower by
// the length reached where `stretch` is set, as encodings do whose angles depend on it.
class PlainRotary final : public RotaryEncoding {
 public:
  PlainRotary(int64_t head_dim, int64_t rotary_dim, PairLayout layout, bool values = false,
              bool stretch = false, double base = 100)
      : head_dim_(head_dim), rotary_dim_(rotary_dim), layout_(layout), values_(values),
        stretch_(stretch), base_(base) {}

  const Info& info() const noexcept override;
  const void* object() const noexcept override { return this; }
  const void* options() const noexcept override { return nullptr; }
  ParameterSet& parameters() noexcept override { return parameters_; }
  int64_t head_dim() const noexcept override { return head_dim_; }
  int64_t rotary_dim() const noexcept override { return rotary_dim_; }
  PairLayout layout() const noexcept override { return layout_; }
  bool rotates_values() const noexcept override { return values_; }
  bool depends_on_reach() const noexcept override { return stretch_; }
  void table(const Positions& positions, const RotaryContext& context, float* cos,
             float* sin) const noexcept override;

  // Turns a row by the angles of a position, or back.
  void turn(double* row, double position, double reached, bool back = false) const;

 private:
  double angle(double position, int64_t pair, double reached) const;

  int64_t head_dim_, rotary_dim_;
  PairLayout layout_;
  bool values_, stretch_;
  double base_;
  ParameterSet parameters_;
};

struct Setup {
  AttentionOptions options;
  int64_t batch = 1, q_len = 0, k_len = 0;
  std::vector<float> q, k, v, d_out;
  AttentionMask::Kind mask_kind = AttentionMask::Kind::kNone;
  std::vector<int64_t> mask_shape;
  std::vector<float> additive;
  std::vector<uint8_t> boolean;
  std::vector<int32_t> lengths, offsets, query_segments, key_segments;  // empty: not given
  std::vector<int32_t> query_global, key_global;
  std::vector<float> sinks;
  // Of all batch rows together, or row by row; empty: not given.
  std::vector<std::vector<double>> q_positions, k_positions;
  int position_axes = 1;
  bool packed = false;  // tensors are [batch, seq, heads · dim]
  const PlainRotary* rotary = nullptr;
  BiasEncoding* bias = nullptr;
  std::vector<Encoding*> encodings;  // what the library gets instead of these two; empty: the two
  std::vector<float> logit_scale;    // [heads]; empty: not given
  std::vector<float> gate_input;     // laid out as q; empty: not given
  std::vector<AttentionRelations> relations;  // one per encoding; empty: not given
  std::vector<double> slopes;  // what the bias is: ALiBi with both sides, by these; empty: none

  int64_t heads() const { return options.heads; }
  int64_t kv_heads() const { return options.kv_heads.value_or(options.heads); }
  int64_t value_dim() const { return options.value_dim.value_or(options.head_dim); }
  void fill(uint64_t seed, double size = 1);  // q, k, v and d_out

  Attention make() const;
  AttentionInputs inputs();  // borrows
  reference::MaskRules rules() const;
  reference::Attention reference() const;
  int64_t offset(int64_t row) const;  // the place of query 0 among the keys
  double position(bool query, int64_t row, int64_t index) const;
  double reached(int64_t row) const;
  double temperature(int64_t row, int64_t query) const;  // what the options multiply a query by

  // From the order of memory to [batch, heads, seq, dim], and back.
  std::vector<double> by_heads(const std::vector<float>& x, int64_t heads, int64_t seq,
                               int64_t dim) const;
  template <typename T>
  HeadRows<T> rows(T* data, int64_t heads, int64_t seq, int64_t dim) const {
    return packed ? HeadRows<T>::packed(data, heads, seq, dim)
                  : HeadRows<T>::heads(data, heads, seq, dim);
  }

 private:
  std::vector<Positions> q_entries_, k_entries_;
};

// What the library gives, [batch, heads, seq, dim] whatever the layout.
struct Output {
  std::vector<double> out;
  std::vector<float> lse, raw_out;
};
Output run_forward(Setup& setup, bool with_lse = true);
// The same with a cache: `prefix` tokens at once, the others one by one. The setup has as many
// queries as keys, and no masks.
std::vector<double> run_cached(Setup& setup, CacheKeys keys, int64_t prefix);
std::vector<float> run_scores(Setup& setup, ScoreStage stage);
struct Gradient {
  std::vector<double> dq, dk, dv;
  std::vector<float> d_mask, d_slopes, d_logit_scale;
  std::vector<std::vector<float>> params = {};  // of every tensor of `encodings`, in order
  std::vector<float> d_sinks = {};
  std::vector<double> d_gate_input = {};
};
Gradient run_backward(Setup& setup, const Output& output);
// The same from the plain loops: with respect to the inputs before rotation.
Gradient reference_backward(const Setup& setup);

// Largest |a - b| relative to the largest |b|, at least 1: the error of sums whose terms cancel.
double error_of_sums(const std::vector<double>& got, const std::vector<double>& want);

}  // namespace posenc::testing
