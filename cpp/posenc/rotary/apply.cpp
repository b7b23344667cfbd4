#include "posenc/rotary/apply.hpp"

#include <algorithm>

#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/rotate.hpp"

namespace posenc {
namespace {

// Tokens whose factors are made at a time, up to 1 MB of them: they serve all heads, and stay in
// the second cache meanwhile. Heads lie far apart, so long stretches of each are read faster than
// short ones.
int64_t tokens_at_once(int64_t pairs, int64_t seq) noexcept {
  return std::clamp<int64_t>(131072 / pairs, 1, std::max<int64_t>(seq, 1));
}

// Whether given rows turn the tokens as they stand: then there is nothing to make.
bool stand_ready(const RotaryTask& task) noexcept {
  return task.table.given() && task.positions.empty() &&
         task.direction == RotaryDirection::kForward;
}

// The first of the given rows of a batch row, where rows follow the tokens.
int64_t first_of(const RotaryTask& task, int64_t row) noexcept {
  return task.table.rows == task.batch * task.seq ? row * task.seq : 0;
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
  return fail(
      ErrorCode::kShapeMismatch, "table", text_of(task.table.rows, " rows"),
      text_of(task.seq, " or ", task.batch * task.seq, " rows, one per token, or positions"));
}

Status check(const RotaryEncoding& encoding, const RotaryTask& task) noexcept {
  for (const Positions& positions : task.positions) {
    if (positions.count == task.seq) continue;
    return fail(ErrorCode::kShapeMismatch, "positions", text_of(positions.count, " positions"),
                text_of(task.seq, ", one per token"));
  }
  if (task.table.given()) return check_table(task);
  for (int64_t row = 0; row < std::max<int64_t>(1, static_cast<int64_t>(task.positions.size()));
       row++) {
    if (Status s = check_positions(positions_of(task, row), encoding.table_domain(), "positions");
        !s)
      return s;
  }
  return {};
}

// The given rows of a stretch of tokens, one after the other.
void gather_factors(const RotaryTask& task, int64_t row, int64_t first, int64_t count,
                    int64_t pairs, float* cos, float* sin) noexcept {
  const Positions positions = positions_of(task, row);
  const int64_t own = first_of(task, row);
  for (int64_t i = 0; i < count; i++) {
    const int64_t at =
        task.positions.empty() ? own + first + i : static_cast<int64_t>(positions.at(first + i));
    kernels::copy(task.table.cos + at * pairs, pairs, cos + i * pairs);
    kernels::copy(task.table.sin + at * pairs, pairs, sin + i * pairs);
  }
}

// One call's rotation, a stretch of tokens at a time, so that their factors serve all heads.
class Turner {
 public:
  Turner(const RotaryEncoding& encoding, const RotaryTask& task, Buffer<float>& factors,
         int64_t step) noexcept
      : encoding_(encoding), task_(task), pairs_(encoding.rotary_dim() / 2),
        made_cos_(factors.data()), made_sin_(factors.data() + step * pairs_), cos_(made_cos_),
        sin_(made_sin_) {}

  // Factors of `count` tokens of a batch row, [count, pairs] each, turned into those of the
  // direction.
  void make_factors(int64_t row, int64_t first, int64_t count) noexcept {
    if (stand_ready(task_)) {
      const int64_t at = (first_of(task_, row) + first) * pairs_;
      cos_ = task_.table.cos + at;
      sin_ = task_.table.sin + at;
      return;
    }
    if (task_.table.given()) {
      gather_factors(task_, row, first, count, pairs_, made_cos_, made_sin_);
    } else {
      const Positions positions = positions_of(task_, row);
      const double reached = task_.reached > 0 ? task_.reached : length_reached(positions);
      encoding_.table(positions.slice(first, count), {.side = task_.side, .reached = reached},
                      made_cos_, made_sin_);
    }
    if (task_.direction == RotaryDirection::kInvert)
      kernels::invert_factors(made_cos_, made_sin_, count * pairs_);
    if (task_.direction == RotaryDirection::kGradient)
      kernels::transpose_factors(made_sin_, count * pairs_);
  }

  void turn(int64_t row, int64_t first, int64_t count) const noexcept {
    // In memory order: heads of a token where they lie side by side, tokens of a head otherwise.
    // One token is all heads.
    const bool heads_inside = task_.seq == 1 || task_.x.head_stride < task_.x.row_stride;
    kernels::RotateRows rows = {
        .x = task_.x.row(row, 0, first),
        .x_stride = task_.x.row_stride,
        .out = task_.out.row(row, 0, first),
        .out_stride = task_.out.row_stride,
        .rows = count,
        .dim = encoding_.head_dim(),
        .cos = cos_,
        .sin = sin_,
        .factor_stride = pairs_,
        .pairs = pairs_,
        .heads = task_.heads,
        .x_head_stride = task_.x.head_stride,
        .out_head_stride = task_.out.head_stride,
    };
    if (!heads_inside) return turn_rows(rows);
    rows.x_stride = rows.x_head_stride;
    rows.out_stride = rows.out_head_stride;
    rows.rows = task_.heads;
    rows.factor_stride = 0;
    rows.heads = 1;
    for (int64_t i = 0; i < count; i++) {
      turn_rows(rows);
      rows.x += task_.x.row_stride;
      rows.out += task_.out.row_stride;
      rows.cos += pairs_;
      rows.sin += pairs_;
    }
  }

 private:
  void turn_rows(const kernels::RotateRows& rows) const noexcept {
    (encoding_.layout() == PairLayout::kHalf ? kernels::rotate_half
                                             : kernels::rotate_interleaved)(rows);
  }

  const RotaryEncoding& encoding_;
  const RotaryTask& task_;
  int64_t pairs_;
  float* made_cos_;
  float* made_sin_;
  const float* cos_;
  const float* sin_;
};

// Whether all batch rows turn alike, so that one stretch of factors serves them all.
bool is_shared(const RotaryTask& task) noexcept {
  const bool own_rows = task.table.given() && task.positions.empty() && task.table.rows != task.seq;
  return task.positions.size() <= 1 && !own_rows;
}

}  // namespace

Status rotate(const RotaryEncoding& encoding, const RotaryTask& task) noexcept {
  if (Status status = check(encoding, task); !status) return status;
  const bool ready = stand_ready(task);
  const int64_t pairs = encoding.rotary_dim() / 2,
                step = ready ? std::max<int64_t>(task.seq, 1) : tokens_at_once(pairs, task.seq);
  Buffer<float> factors;
  if (Status status = factors.allocate(ready ? 0 : 2 * step * pairs, "x"); !status) return status;
  Turner turner(encoding, task, factors, step);
  const int64_t together = is_shared(task) ? task.batch : 1;
  for (int64_t row = 0; row < task.batch; row += together) {
    for (int64_t first = 0; first < task.seq; first += step) {
      const int64_t count = std::min(step, task.seq - first);
      turner.make_factors(row, first, count);
      for (int64_t same = row; same < row + together; same++) turner.turn(same, first, count);
    }
  }
  return {};
}

}  // namespace posenc
