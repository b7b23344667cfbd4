// Operations that an encoding offers beyond its family's: a fit, a permutation, bucket indices, a
// helper.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
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
  const void* encoding;   // null for an operation that needs no instance
  const void* arguments;  // the operation's own Arguments struct, filled by its fields
  std::span<const TensorView<const double>> inputs;  // given() is false where one was left out
};

// Results are floats, which hold all whole numbers up to this one: positions beyond would fall
// together, so that an operation that makes positions refuses them.
inline constexpr double kLargestFloatPosition = 0x1p24;
// outOfRange where a position, the one at `index` of what was given if that is known, lies beyond
// it on either side.
Status check_float_position(double position, TextRef parameter, int64_t index = -1) noexcept;

// A result in memory of its own, and the next one where an operation has several.
struct OperationResult {
  Buffer<float> data;
  Shape shape;
  std::unique_ptr<OperationResult> next = {};

  static Result<OperationResult> make(const Shape& shape, TextRef parameter) noexcept;
  // Lays another result of that shape behind the last.
  Status append(const Shape& shape, TextRef parameter) noexcept;

 private:
  Status allocate(const Shape& shape, TextRef parameter) noexcept;
};

using OperationTensors = std::span<const TensorView<const double>>;

struct Operation {
  const char* name;
  bool needs_instance;
  std::span<const OperationInput> inputs;
  Fields fields;                       // scalar arguments
  void* (*make_arguments)() noexcept;  // new Arguments with defaults; null: out of memory
  void (*free_arguments)(void*) noexcept;
  Result<OperationResult> (*run)(const OperationCall&) noexcept;
  Doc doc = {};
  Doc returns = {};                              // the result's shape and meaning
  std::span<const OperationInput> results = {};  // names of the results where there are several
};

// Arguments of an operation that has no scalar ones.
struct NoArguments {};

// How a typed function says what it needs: with or without an instance, and its Arguments struct.
template <typename Function>
struct OperationTraits;
template <typename Instance, typename ArgumentsType>
struct OperationTraits<Result<OperationResult> (*)(const Instance&, const ArgumentsType&,
                                                   OperationTensors) noexcept> {
  using Arguments = ArgumentsType;
  static constexpr bool kNeedsInstance = true;
};
template <typename ArgumentsType>
struct OperationTraits<Result<OperationResult> (*)(const ArgumentsType&,
                                                   OperationTensors) noexcept> {
  using Arguments = ArgumentsType;
  static constexpr bool kNeedsInstance = false;
};
template <typename Instance, typename Arguments>
const Instance& instance_of(Result<OperationResult> (*)(const Instance&, const Arguments&,
                                                        OperationTensors) noexcept,
                            const OperationCall& call) noexcept {
  return *static_cast<const Instance*>(call.encoding);
}

// operation<permute_weights>("permuteWeights", inputs, fields, doc, returns), where the function is
//   Result<OperationResult> permute_weights(const PermuteArguments&, OperationTensors) noexcept, or
//   Result<OperationResult> frequencies(const Rope&, const ReachArguments&, OperationTensors)
//   noexcept.
template <auto Run>
constexpr Operation operation(const char* name, std::span<const OperationInput> inputs,
                              Fields fields, Doc doc, Doc returns,
                              std::span<const OperationInput> results = {}) {
  using Traits = OperationTraits<decltype(Run)>;
  using Arguments = typename Traits::Arguments;
  return {
      .name = name,
      .needs_instance = Traits::kNeedsInstance,
      .inputs = inputs,
      .fields = fields,
      .make_arguments = []() noexcept -> void* { return new (std::nothrow) Arguments(); },
      .free_arguments = [](void* arguments) noexcept { delete static_cast<Arguments*>(arguments); },
      .run = [](const OperationCall& call) noexcept -> Result<OperationResult> {
        const auto& arguments = *static_cast<const Arguments*>(call.arguments);
        if constexpr (Traits::kNeedsInstance)
          return Run(instance_of(Run, call), arguments, call.inputs);
        else
          return Run(arguments, call.inputs);
      },
      .doc = doc,
      .returns = returns,
      .results = results,
  };
}

}  // namespace posenc
