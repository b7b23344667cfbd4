// Encodings behind one interface per family, for callers that choose at run time: attention and
// bindings. One virtual call covers a whole tile or table, so it costs nothing beside the work.
#pragma once

#include <cstdint>

#include "posenc/core/concepts.hpp"
#include "posenc/core/content_gate.hpp"

namespace posenc {

class Encoding {
 public:
  virtual ~Encoding() = default;
  virtual const Info& info() const noexcept = 0;
  virtual const void* object() const noexcept = 0;  // the encoding itself, for its operations
  virtual const void* options() const noexcept = 0;
  // Of one that create() gave, to be set by its fields.
  void* options() noexcept {
    return const_cast<void*>(static_cast<const Encoding*>(this)->options());
  }
  // For one that create() gave: once its options are set, checks them and makes what follows from
  // them.
  virtual Status complete(uint64_t) noexcept { return {}; }
  virtual ParameterSet& parameters() noexcept = 0;
  const ParameterSet& parameters() const noexcept {
    return const_cast<Encoding*>(this)->parameters();
  }
  // The positions that this encoding, with its options, is defined for.
  virtual PositionDomain domain() const noexcept { return info().domain; }
  // Whether these positions are in the domain, and fit one another where an encoding asks for more
  // (a box's edges).
  Status check(const Positions& positions, TextRef parameter) const noexcept;
  bool trained() const noexcept;

 private:
  // What an encoding asks of positions in its domain.
  virtual Status check_further(const Positions&, TextRef) const noexcept { return {}; }
};

class InputEncoding : public Encoding {
 public:
  virtual int64_t width() const noexcept = 0;
  // x is multiplied by this before the rows are added ("scaleInput").
  virtual float input_scale() const noexcept = 0;
  // Whether rows depend on x: then they come from encode_from(), and encode() writes nothing.
  virtual bool reads_x() const noexcept { return false; }
  virtual void encode(const Positions& positions, float* out) const noexcept = 0;
  virtual void encode_from(const Positions& positions, const float*, float* out) const noexcept {
    encode(positions, out);
  }
  virtual void backward(const Positions& positions, const float* d_out,
                        Gradients& gradients) const noexcept = 0;
  // d_x [count, width], or null: the gradient of x by way of the rows.
  virtual void backward_from(const Positions& positions, const float*, const float* d_out, float*,
                             Gradients& gradients) const noexcept {
    backward(positions, d_out, gradients);
  }

  // Floats of scratch that add() and concat() want for `count` rows.
  int64_t scratch_floats(int64_t count) const noexcept;
  // x [count, width] → out = scale·x + rows; out may be x itself.
  void add(const Positions& positions, const float* x, float* out, float* scratch) const noexcept;
  // x [count, x_width] → out [count, x_width + width] = [x | rows]. What reads x wants x_width to
  // be width.
  void concat(const Positions& positions, const float* x, int64_t x_width, float* out,
              float* scratch) const noexcept;

 private:
  int64_t rows_in_scratch(int64_t count) const noexcept;
};

class RotaryEncoding : public Encoding {
 public:
  virtual int64_t head_dim() const noexcept = 0;
  virtual int64_t rotary_dim() const noexcept = 0;
  virtual PairLayout layout() const noexcept = 0;
  virtual bool rotates_values() const noexcept = 0;
  // Whether the table depends on RotaryContext::reached.
  virtual bool depends_on_reach() const noexcept = 0;
  // Whether queries and keys are scaled too, by factors of their positions (FadingRotary).
  virtual bool fades() const noexcept { return false; }
  virtual void fade(double, float*) const noexcept {}
  // The positions that table() takes for themselves; attention takes all of domain().
  virtual PositionDomain table_domain() const noexcept { return domain(); }
  virtual void table(const Positions& positions, const RotaryContext& context, float* cos,
                     float* sin) const noexcept = 0;
};

// A part of the score matrix of one head, rows of `stride` floats.
struct ScoreTile {
  int64_t first_query, queries;
  int64_t first_key, keys;
  int64_t stride;
};

class BiasEncoding : public Encoding {
 public:
  virtual int64_t heads() const noexcept = 0;
  // How many ids of relations there are; 0: the encoding reads positions instead.
  virtual int64_t relations() const noexcept { return 0; }
  // Where attention multiplies the biases of each query by a gate. What is written out elsewhere
  // has none.
  virtual ContentGate gate() const noexcept { return {}; }
  // O(queries + keys), never their product.
  virtual int64_t scratch_floats(const Positions& query, const Positions& key) const noexcept = 0;
  virtual void begin(const BiasHead& head) const noexcept = 0;
  // tile += bias, or tile = bias where `assign`.
  virtual void apply(const BiasHead& head, const ScoreTile& tile, float* scores,
                     bool assign) const noexcept = 0;
  // Takes in the gradient of a tile's scores; finish() adds the head's sum to the gradients.
  virtual void accumulate(const BiasHead& head, const ScoreTile& tile, const float* d_scores,
                          Gradients& gradients) const noexcept = 0;
  virtual void finish(const BiasHead& head, Gradients& gradients) const noexcept = 0;
};

// No position at all.
class NoneEncoding : public Encoding {};

// What the list of encodings holds about each.
struct EncodingType {
  const Info* info;
  // One with default options, which its fields set in place before complete(); null: out of memory.
  Encoding* (*create)() noexcept;
};

}  // namespace posenc
