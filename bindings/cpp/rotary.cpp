// Bulk calls of rotary encodings.
#include "posenc/rotary/apply.hpp"

#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

const RotaryEncoding& encoding_of(const RotaryCall& call) noexcept {
  return static_cast<const RotaryEncoding&>(*call.encoding);
}

}  // namespace

extern "C" {

// x, out [batch, heads, seq, head_dim] or packed; out may be x. With table_rows of 0 or more, cos
// and sin [table_rows, rotary_dim / 2] are given.
EMSCRIPTEN_KEEPALIVE int32_t posenc_rotary_turn(const RotaryCall* call) {
  const RotaryEncoding& encoding = encoding_of(*call);
  const int64_t seq = call->positions.count;
  Buffer<Positions> positions;
  if (Status status = expand(call->positions, call->batch, "positions", positions); !status)
    return report(status);
  RotaryTask task = {
      .batch = call->batch,
      .heads = call->heads,
      .seq = seq,
      .x = head_rows(call->packed, call->x, call->heads, seq, encoding.head_dim()),
      .out = head_rows(call->packed, call->out, call->heads, seq, encoding.head_dim()),
      .positions = positions.span(),
      .direction = static_cast<RotaryDirection>(call->direction),
      .side = static_cast<RotarySide>(call->side),
      .reached = call->reached,
      .table = {},
  };
  if (call->table_rows >= 0)
    task.table = {.cos = call->cos, .sin = call->sin, .rows = call->table_rows};
  return report(rotate(encoding, task));
}

// cos, sin [count, rotary_dim / 2]
EMSCRIPTEN_KEEPALIVE int32_t posenc_rotary_table(const RotaryCall* call) {
  const RotaryEncoding& encoding = encoding_of(*call);
  const Positions positions = row_of(call->positions, 0);
  if (Status s = check_positions(positions, encoding.table_domain(), "positions"); !s)
    return report(s);
  const RotaryContext context = {
      .side = static_cast<RotarySide>(call->side),
      .reached = call->reached > 0 ? call->reached : length_reached(positions),
  };
  encoding.table(positions, context, call->cos, call->sin);
  return kSuccess;
}

}  // extern "C"

}  // namespace posenc::bindings
