// Rotating whole tensors: [batch, heads, seq, head_dim] by the positions of their tokens, or by
// given tables.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/encoding.hpp"
#include "posenc/core/head_rows.hpp"

namespace posenc {

// With R = [[c, -s], [s, c]] for each pair, where c and s are cosine and sine times the amplitude
// a:
//   forward   R x
//   invert    R⁻¹ x = Rᵀ x / (c² + s²): what forward turned into x, up to rounding
//   gradient  Rᵀ x: the gradient of forward's input from that of its output, the rotation by -p
//   with the same amplitude
// For a = 1 the last two are the same but for rounding; else invert divides by a where gradient
// multiplies.
enum class RotaryDirection : uint8_t { kForward, kInvert, kGradient };
inline constexpr const char* kRotaryDirectionNames[] = {"forward", "invert", "gradient"};

// Factors from elsewhere, as ONNX's RotaryEmbedding takes them: cos and sin [rows, rotary_dim / 2].
// With positions, these choose the row of each token; without, rows follow the tokens, [seq, ...]
// or [batch, seq, ...].
struct RotaryTable {
  const float* cos = nullptr;
  const float* sin = nullptr;
  int64_t rows = 0;

  bool given() const noexcept { return cos != nullptr; }
};

struct RotaryTask {
  int64_t batch = 0, heads = 0, seq = 0;
  HeadRows<const float> x = {};
  HeadRows<float> out = {};  // may be x itself
  // One entry for all batch rows or one per row, each of `seq` positions; empty: 0, 1, 2, ...
  std::span<const Positions> positions = {};
  RotaryDirection direction = RotaryDirection::kForward;
  RotarySide side = RotarySide::kQuery;
  double reached = 0;  // 0: the largest position of the batch row + 1
  RotaryTable table = {};
};

// Checks positions and table before anything is written.
Status rotate(const RotaryEncoding& encoding, const RotaryTask& task) noexcept;

}  // namespace posenc
