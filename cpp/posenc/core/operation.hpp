// Operations that an encoding offers beyond its family's: a fit, a permutation, bucket indices, a helper.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/doc.hpp"
#include "posenc/core/fields.hpp"
#include "posenc/core/memory.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/shape.hpp"

namespace posenc {

// A tensor argument of an operation, by name.
struct OperationInput {
  const char* name;
  bool required = true;
  Doc doc = {};
};

// What an operation is called with; tensors stand in the order of Operation::inputs.
struct OperationCall {
  const void* encoding;  // null for an operation that needs no instance
  const void* arguments; // the operation's own Arguments struct, filled by its fields
  std::span<const TensorView<const double>> inputs;  // given() is false where one was left out
};

// A result in memory of its own.
struct OperationResult {
  Buffer<float> data;
  Shape shape;

  static Result<OperationResult> make(const Shape& shape, const Text& parameter) noexcept {
    const Result<int64_t> count = element_count(shape, parameter);
    if (!count) return std::unexpected(count.error());
    Result<Buffer<float>> data = Buffer<float>::make(*count, parameter);
    if (!data) return std::unexpected(data.error());
    return OperationResult{std::move(*data), shape};
  }
};

struct Operation {
  const char* name;
  bool needs_instance;
  std::span<const OperationInput> inputs;
  Fields fields;                   // scalar arguments
  void* (*make_arguments)() noexcept;  // new Arguments with defaults; null: out of memory
  void (*free_arguments)(void*) noexcept;
  Result<OperationResult> (*run)(const OperationCall&) noexcept;
  Doc doc = {};
  Doc returns = {};                // the result's shape and meaning
};

}  // namespace posenc
