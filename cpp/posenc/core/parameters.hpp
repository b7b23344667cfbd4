// The trainable tensors of an encoding: one mechanism for encodings, layers, files and training.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/core/info.hpp"
#include "posenc/core/memory.hpp"
#include "posenc/core/shape.hpp"

namespace posenc {

inline constexpr int kMaxTensors = 24;

struct ParameterTensor {
  const TensorInfo* info = nullptr;
  Shape shape;
  Buffer<float> values;
  bool trained = true;
  int64_t index_below = 0;  // 0: any finite number
};

class ParameterSet {
 public:
  // Defined elsewhere: every encoding holds one of these, and a page downloads each copy of what is
  // inline.
  ParameterSet() noexcept;
  ParameterSet(ParameterSet&&) noexcept;
  ParameterSet& operator=(ParameterSet&&) noexcept;
  ~ParameterSet();

  // Tensors whose `present` condition holds, with shapes from their expressions and values from
  // `seed`.
  Status prepare(const Info& info, const void* options, uint64_t seed) noexcept;

  int count() const noexcept { return count_; }
  ParameterTensor& operator[](int i) noexcept {
    version_++;
    return tensors_[static_cast<std::size_t>(i)];
  }
  const ParameterTensor& operator[](int i) const noexcept {
    return tensors_[static_cast<std::size_t>(i)];
  }
  // Index of a tensor by name, or -1.
  int find(std::string_view name) const noexcept;
  // Values of the tensor with that name, which must be present.
  const float* values(std::string_view name) const noexcept {
    return (*this)[find(name)].values.data();
  }
  // unknownOption for an unknown name, shapeMismatch for another number of elements, outOfRange for
  // a value that is not finite, or no index where indices are asked for.
  Status check(std::string_view name, std::span<const float> values) const noexcept;
  // Copies values in, or changes nothing where check() finds fault.
  Status set(std::string_view name, std::span<const float> values) noexcept;
  int64_t total_elements() const noexcept;
  // Another number whenever values may have changed: what encodings go by that keep something made
  // of them.
  uint64_t version() const noexcept { return version_; }

 private:
  std::array<ParameterTensor, kMaxTensors> tensors_;
  int count_ = 0;
  uint64_t version_ = 1;
};

// Shape from "[a, b + 1]" with the given options.
Result<Shape> evaluate_shape(std::string_view text, Fields fields, const void* options) noexcept;

// Where a backward pass adds gradients: one span per tensor of the ParameterSet, empty where not
// wanted.
struct Gradients {
  std::array<float*, kMaxTensors> of = {};
};

}  // namespace posenc
