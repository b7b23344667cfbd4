// Rotations of a call: the factors of its positions, and rows turned by them on their way into
// packed form.
#pragma once

#include <cstdint>

#include "posenc/attention/call.hpp"
#include "posenc/attention/scratch.hpp"

namespace posenc::attn {

// Factors of one side, [count, dim / 2] each; dim 0: rows are not turned.
struct Rotation {
  const float* cos = nullptr;
  const float* sin = nullptr;
  int64_t dim = 0;
  PairLayout layout = PairLayout::kHalf;
  bool unit = false;  // rows are made 1 long before that, for logits that are cosines

  bool changes() const noexcept { return dim > 0 || unit; }
};

struct RowsIn {
  const float* data;
  int64_t stride;
};
struct RowsOut {
  float* data;
  int64_t stride;
};
// out = scale · rotated x, [count, width]; row i takes the factors first + i. out may be x itself.
void turn_rows(const RowsIn& x, int64_t count, int64_t width, const Rotation& rotation,
               int64_t first, double scale, const RowsOut& out) noexcept;
// From the gradient of rows x / |x| to that of the rows x, in place: g = (g - u (u · g)) / |x|.
// Returns Σ u · g. A gradient of 0 stays 0 whatever stands in the row.
float unit_rows_backward(const RowsIn& x, int64_t count, int64_t width,
                         const RowsOut& gradient) noexcept;

// Rows of queries from `first` on times the temperature of their positions, in place; see
// QueryTemperature.
void scale_by_position(const AttentionOptions& options, const Positions& positions, int64_t first,
                       const RowsOut& rows, int64_t count, int64_t width) noexcept;

// The tables of a batch row, made anew only where they differ from those of the row before.
class RotaryTables {
 public:
  // With `gradients` also those that turn back.
  RotaryTables(const Attention& attention, const AttentionInputs& inputs,
               bool gradients = false) noexcept;
  void lay_out(Carver& carver, int64_t q_len, int64_t k_len) noexcept;
  void make(const CallRow& row) noexcept;

  Rotation query() const noexcept { return query_.forward; }
  Rotation key() const noexcept { return key_.forward; }
  Rotation value() const noexcept {
    Rotation rotation = values_ ? key_.forward : Rotation();
    rotation.unit = false;
    return rotation;
  }
  Rotation query_gradient() const noexcept { return query_.back; }
  Rotation key_gradient() const noexcept { return key_.back; }
  Rotation value_gradient() const noexcept { return values_ ? key_.back : Rotation(); }

 private:
  struct Side {
    Rotation forward, back;
    float *cos = nullptr, *sin = nullptr, *negative_sin = nullptr;

    void lay_out(Carver& carver, int64_t count, bool gradients) noexcept;
    void make(const RotaryEncoding& rotary, const Positions& positions,
              RotaryContext context) noexcept;
  };

  const RotaryEncoding* rotary_;
  bool values_ = false, gradients_;
  RotaryPart key_part_ = RotaryPart::kWhole;
  Side query_, key_;
  CallRow made_;
  bool any_made_ = false;
};

}  // namespace posenc::attn
