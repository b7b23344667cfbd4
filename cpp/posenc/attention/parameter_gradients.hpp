// Gradients of the encodings' parameters: each head fills a part of its own, and the parts are
// added in the order of batch and heads, so that the sum does not depend on who computed which.
#pragma once

#include <cstdint>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/scratch.hpp"

namespace posenc::attn {

class ParameterGradients {
 public:
  // `parts` has one entry per encoding.
  ParameterGradients(const Attention& attention, const AttentionGradients& gradients,
                     std::span<Gradients> parts) noexcept
      : encodings_(attention.encodings()), of_(gradients.of), parts_(parts),
        each_head_(gradients.of_each_head) {}

  bool wanted() const noexcept { return !of_.empty(); }
  void lay_out(Carver& carver) noexcept;
  void clear() noexcept;  // the results

  void begin_head() noexcept;
  Gradients& part(int64_t encoding) noexcept { return parts_[static_cast<std::size_t>(encoding)]; }
  void end_head(int64_t index) noexcept;  // of batch · heads

 private:
  template <typename Body>
  void for_tensors(Body body) noexcept;

  std::span<Encoding* const> encodings_;
  std::span<Gradients> of_, parts_;
  bool each_head_;
};

}  // namespace posenc::attn
