#include "posenc/rotary/apply.hpp"

#include <algorithm>
#include <cstring>

#include "posenc/kernels/rotate.hpp"

namespace posenc {
namespace {

// Tokens whose factors are made at a time: they serve all heads, and stay in the second cache meanwhile.
int64_t tokens_at_once(int64_t pairs, int64_t seq) noexcept {
  return std::clamp<int64_t>(16384 / pairs, 1, std::max<int64_t>(seq, 1));
}

Positions positions_of(const RotaryTask& task, int64_t row) noexcept {
  if (task.positions.empty()) return Positions::range(0, task.seq);
  return task.positions[task.positions.size() == 1 ? 0 : static_cast<std::size_t>(row)];
}

Status check_table(const RotaryTask& task) noexcept {
  if (!task.positions.empty()) {
    const PositionDomain rows{DomainKind::kNaturals, static_cast<double>(task.table.rows), 1};
    for (const Positions& positions : task.positions) {
      if (Status status = check_positions(positions, rows, "positions"); !status) return status;
    }
    return {};
  }
  if (task.table.rows == task.seq || task.table.rows == task.batch * task.seq) return {};
  return fail(ErrorCode::kShapeMismatch, "table", text_of(task.table.rows, " rows"),
              text_of(task.seq, " or ", task.batch * task.seq, " rows, one per token, or positions"));
}

Status check(const RotaryEncoding& encoding, const RotaryTask& task) noexcept {
  for (const Positions& positions : task.positions) {
    if (positions.count == task.seq) continue;
    return fail(ErrorCode::kShapeMismatch, "positions", text_of(positions.count, " positions"),
                text_of(task.seq, ", one per token"));
  }
  if (task.table.given()) return check_table(task);
  for (int64_t row = 0; row < std::max<int64_t>(1, static_cast<int64_t>(task.positions.size())); row++) {
    if (Status s = check_positions(positions_of(task, row), encoding.domain(), "positions"); !s) return s;
  }
  return {};
}

// Factors of `count` tokens from `first` on, [count, pairs] each, turned into those of the direction.
void make_factors(const RotaryEncoding& encoding, const RotaryTask& task, int64_t row, double reached, int64_t first,
                  int64_t count, int64_t pairs, float* cos, float* sin) noexcept {
  const Positions positions = positions_of(task, row);
  if (task.table.given()) {
    const bool each = task.table.rows == task.batch * task.seq;
    for (int64_t i = 0; i < count; i++) {
      const int64_t at = !task.positions.empty() ? static_cast<int64_t>(positions.at(first + i))
                                                 : (each ? row * task.seq : 0) + first + i;
      std::memcpy(cos + i * pairs, task.table.cos + at * pairs, static_cast<std::size_t>(pairs) * sizeof(float));
      std::memcpy(sin + i * pairs, task.table.sin + at * pairs, static_cast<std::size_t>(pairs) * sizeof(float));
    }
  } else {
    encoding.table(positions.slice(first, count), {.side = task.side, .reached = reached}, cos, sin);
  }
  if (task.direction == RotaryDirection::kInvert) kernels::invert_factors(cos, sin, count * pairs);
  if (task.direction == RotaryDirection::kGradient) kernels::transpose_factors(sin, count * pairs);
}

}  // namespace

Status rotate(const RotaryEncoding& encoding, const RotaryTask& task) noexcept {
  if (Status status = check(encoding, task); !status) return status;
  const int64_t pairs = encoding.rotary_dim() / 2, step = tokens_at_once(pairs, task.seq);
  Result<Buffer<float>> factors = Buffer<float>::make(2 * step * pairs, "x");
  if (!factors) return std::unexpected(factors.error());
  float* cos = factors->data();
  float* sin = cos + step * pairs;
  const auto turn = encoding.layout() == PairLayout::kHalf ? kernels::rotate_half : kernels::rotate_interleaved;
  for (int64_t row = 0; row < task.batch; row++) {
    const double reached = task.reached > 0 ? task.reached : length_reached(positions_of(task, row));
    for (int64_t first = 0; first < task.seq; first += step) {
      const int64_t count = std::min(step, task.seq - first);
      make_factors(encoding, task, row, reached, first, count, pairs, cos, sin);
      for (int64_t head = 0; head < task.heads; head++) {
        turn({.x = task.x.row(row, head, first), .x_stride = task.x.row_stride,
              .out = task.out.row(row, head, first), .out_stride = task.out.row_stride,
              .rows = count, .dim = encoding.head_dim(),
              .cos = cos, .sin = sin, .factor_stride = pairs, .pairs = pairs});
      }
    }
  }
  return {};
}

}  // namespace posenc
