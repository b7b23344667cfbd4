// Attention's inputs from its frame, for calls that have such a frame beside their own.
#pragma once

#include <cstdint>

#include "calls.hpp"

namespace posenc::bindings {

using AttentionBody = Status (*)(const AttentionInputs& inputs, const void* context);

// Builds the inputs and hands them to body; the position lists live as long as the call. Returns a
// status.
int32_t with_attention_inputs(const AttentionCall& call, AttentionBody body,
                              const void* context) noexcept;

// The same for a lambda.
template <typename Body>
int32_t with_attention_inputs(const AttentionCall& call, const Body& body) noexcept {
  return with_attention_inputs(
      call,
      [](const AttentionInputs& inputs, const void* context) {
        return (*static_cast<const Body*>(context))(inputs);
      },
      &body);
}

}  // namespace posenc::bindings
